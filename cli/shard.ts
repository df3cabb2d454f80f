import { InvalidArgumentError } from 'commander';
import type { Shard } from '../conformance/common/shard.js';
import { formatCount } from '../conformance/common/text.js';
import { UsageError } from './exit-codes.js';

const MOST_SHARDS = 10_000;

interface ShardSource {
  name: string;
  index: string;
  total: string;
  /** The index of the first part. */
  first: 0 | 1;
  /** The setting that defines the variables, if the system does not set them itself. */
  advice?: string;
}

/** The variables of CI systems and clusters for the index and the number of parallel jobs. */
export const SHARD_SOURCES: readonly ShardSource[] = [
  {
    name: 'GitHub Actions',
    index: 'STRATEGY_JOB_INDEX',
    total: 'STRATEGY_JOB_TOTAL',
    first: 0,
    advice:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub Actions
      'env: { STRATEGY_JOB_INDEX: "${{ strategy.job-index }}", STRATEGY_JOB_TOTAL: "${{ strategy.job-total }}" }',
  },
  { name: 'GitLab CI', index: 'CI_NODE_INDEX', total: 'CI_NODE_TOTAL', first: 1, advice: 'parallel: 4' },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', total: 'CIRCLE_NODE_TOTAL', first: 0 },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', total: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0 },
  { name: 'Azure Pipelines', index: 'SYSTEM_JOBPOSITIONINPHASE', total: 'SYSTEM_TOTALJOBSINPHASE', first: 1 },
  {
    name: 'Kubernetes',
    index: 'JOB_COMPLETION_INDEX',
    total: 'JOB_COMPLETION_TOTAL',
    first: 0,
    advice: 'a variable JOB_COMPLETION_TOTAL with the number of completions',
  },
];

/** `2/4`: the second of four parts. `auto`: the part that the environment names. Throws InvalidArgumentError. */
export function parseShard(text: string, env: NodeJS.ProcessEnv = process.env): Shard {
  if (text === 'auto') return readShard(env);
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (part && of && part <= of && of <= MOST_SHARDS) return { part, of };
  throw new InvalidArgumentError(
    `Expected PART/OF, such as 2/4 for the second of four parts (1/4 to 4/4, at most ${MOST_SHARDS}), or auto.`,
  );
}

/** For a part that has nothing to do. */
export function createShardError(items: number, what: string): UsageError {
  return new UsageError(
    `--shard: nothing is left for this part: ${formatCount(items, what)} can be shared by as many parts at most.`,
  );
}

function readShard(env: NodeJS.ProcessEnv): Shard {
  const source = SHARD_SOURCES.find(({ index }) => env[index] !== undefined);
  if (!source) {
    const { advice } = (env['GITHUB_ACTIONS'] === 'true' && SHARD_SOURCES[0]!) as Partial<ShardSource>;
    const names = SHARD_SOURCES.map(({ name, index }) => `${index} (${name})`).join(', ');
    throw new InvalidArgumentError(
      advice
        ? `In GitHub Actions, give the job ${advice}.`
        : `Found none of ${names}. Give PART/OF, such as 2/4.`,
    );
  }
  const { name, index, total, first, advice } = source;
  const [given, of] = [env[index], env[total]].map((text) => (/^\d+$/.test(text ?? '') ? Number(text) : NaN));
  const part = given! - first + 1;
  if (part >= 1 && part <= of! && of! <= MOST_SHARDS) return { part, of: of! };
  const found = `${index}=${env[index]} and ${env[total] === undefined ? `no ${total}` : `${total}=${env[total]}`}`;
  const needs = env[total] === undefined && advice ? ` It takes ${advice}.` : '';
  throw new InvalidArgumentError(
    `Expected ${index} from ${first} to ${total}${first === 0 ? ' - 1' : ''} (${name}), found ${found}.${needs}`,
  );
}

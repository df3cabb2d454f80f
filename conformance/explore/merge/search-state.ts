import type { ConformReport } from '../../service/runner/result.js';
import type { ExploreReport, Failure } from '../types.js';

/** A failure as the report of a shard has it: its exchanges by `seq`, and where its files are. */
export interface ShardFailure extends Omit<Failure, 'exchanges' | 'yaml' | 'markdown' | 'race' | 'shard'> {
  /** `seq` of the exchanges of its run. Failures of one run have the same. */
  run: number[];
  /** The line to type to see it again, and the file that it names. */
  again: string;
  file: string;
}

type ShardSummary = Pick<
  ExploreReport,
  | 'scenarios'
  | 'deviations'
  | 'longest'
  | 'walked'
  | 'ended'
  | 'known'
  | 'nondeterministic'
  | 'coverage'
  | 'broken'
>;

/** What a shard has found, in the form that is merged. */
export interface ShardState extends ShardSummary {
  failures: ShardFailure[];
  advice: ShardFailure[];
}

/** The state in the report of a shard; undefined where the search was not divided. */
export function readShardState({ searched }: Pick<ConformReport, 'searched'>): ShardState | undefined {
  return searched?.state as ShardState | undefined;
}

/** The state of a shard for its report. */
export function createShardState(
  explored: ExploreReport,
  { again, file }: Record<'again' | 'file', (failure: Failure) => string>,
): ShardState {
  const { scenarios, deviations, longest, walked, ended, known, nondeterministic, coverage, broken } =
    explored;
  const toShardFailure = (failure: Failure): ShardFailure => {
    const { exchanges, yaml: _, markdown: __, race: ___, ...rest } = failure;
    return { ...rest, run: exchanges.map(({ seq }) => seq), again: again(failure), file: file(failure) };
  };
  return {
    ...{ scenarios, deviations, longest, walked, ended, known, nondeterministic, coverage, broken },
    failures: explored.failures.map(toShardFailure),
    advice: explored.advice.map(toShardFailure),
  };
}

import type { ExploreReport, Failure } from '../../explore/types.js';
import type { ConformReport } from '../../service/runner/result.js';

/** A failure in the report of a shard: with references to its exchanges and files. */
export interface ShardFailure extends Omit<Failure, 'exchanges' | 'yaml' | 'markdown' | 'race' | 'origin'> {
  /** `seq` of the exchanges of its run. Failures of one run have the same. */
  run: number[];
  /** The command that repeats it, and its file. */
  again: string;
  file: string;
}

const SUMMARY = [
  ...(['scenarios', 'deviations', 'longest', 'walked', 'ended'] as const),
  ...(['known', 'nondeterministic', 'coverage', 'broken'] as const),
] satisfies (keyof ExploreReport)[];

type ShardSummary = Pick<ExploreReport, (typeof SUMMARY)[number]>;

export interface ShardState extends ShardSummary {
  failures: ShardFailure[];
  advice: ShardFailure[];
}

/** Undefined if the search was not divided. */
export function readShardState({ searched }: Pick<ConformReport, 'searched'>): ShardState | undefined {
  return searched?.state as ShardState | undefined;
}

export function createShardState(
  explored: ExploreReport,
  { again, file }: Record<'again' | 'file', (failure: Failure) => string>,
): ShardState {
  const toShardFailure = (failure: Failure): ShardFailure => {
    const { exchanges, yaml: _, markdown: __, race: ___, ...rest } = failure;
    return { ...rest, run: exchanges.map(({ seq }) => seq), again: again(failure), file: file(failure) };
  };
  return {
    ...(Object.fromEntries(SUMMARY.map((name) => [name, explored[name]])) as ShardSummary),
    failures: explored.failures.map(toShardFailure),
    advice: explored.advice.map(toShardFailure),
  };
}

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

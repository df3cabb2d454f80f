import type { Exchange } from '../../../spec/vocabulary.js';
import { groupBy } from '../../common/group-by.js';
import type { RunTimeLabel } from '../../service/runner/result.js';
import { groupCauses } from '../causes/causes.js';
import { describeCoverage, estimate } from '../search/coverage.js';
import { findExplainingFailure } from '../search/explaining-failure.js';
import type { ExploreReport, Failure, Progress, Shard } from '../types.js';
import type { ShardFailure, ShardState } from './search-state.js';

export interface ShardSearch {
  shard: Shard;
  state: ShardState;
  /** No `seq` occurs in two shards, here and in the evidence of the state. */
  exchanges: readonly Exchange[];
  counts: Pick<Progress, 'schedules' | 'distinct' | 'notTriggered'> & { repeated: number };
}

/** The result of the equivalent undivided search, and the report entry of each failure. */
interface MergedSearch {
  explored: ExploreReport;
  written: ReadonlyMap<Failure, ShardFailure>;
}

/** Merges shards of one search, at least one, each once. Missing shards count as schedules that were not run. */
export function mergeSearches(
  shards: readonly ShardSearch[],
  { time, seed, durationMs }: { time: RunTimeLabel; seed: number; durationMs: number },
): MergedSearch {
  const written = new Map<Failure, ShardFailure>();
  const collectFailures = (of: 'failures' | 'advice') =>
    shards.flatMap((shard) => readFailures(shard, of, written)).sort(compareFailures);
  const failures = mergeFailures(collectFailures('failures'));
  const advice = mergeAdvice(collectFailures('advice'));
  const coverage = mergeCoverage(shards);
  const broken = [
    ...groupBy(
      shards.flatMap(({ state }) => state.broken),
      ({ scenario }) => scenario,
    ).values(),
  ].map((all) => {
    const { scenario, runsUnchanged } = all[0]!;
    const runs = all.reduce((sum, each) => sum + each.runs - each.runsUnchanged, runsUnchanged);
    return { scenario, runs, runsUnchanged, keys: [...new Set(all.flatMap(({ keys }) => keys))] };
  });
  const known = [
    ...groupBy(
      shards.flatMap(({ state }) => state.known),
      ({ key }) => key,
    ).values(),
  ].map((all) => {
    const { key, seenUnchanged } = all[0]!;
    return {
      key,
      seenUnchanged,
      seen: sumBy(all, ({ seen, seenUnchanged: own }) => seen - own) + seenUnchanged,
    };
  });
  const countUnchanged = (list: ExploreReport['coverage']) =>
    sumBy(list, ({ deviations, run }) => (deviations === 0 ? run : 0));
  // Every shard runs the schedules without a deviation.
  const twice = sumBy(shards, ({ state }) => countUnchanged(state.coverage)) - countUnchanged(coverage);
  const [{ state: first }] = shards as [ShardSearch];
  const report: Omit<ExploreReport, 'statement'> = {
    ...{ time, seed, durationMs, scenarios: first.scenarios, deviations: first.deviations },
    longest: Math.max(...shards.map(({ state }) => state.longest)),
    walked: sumBy(shards, ({ state }) => state.walked),
    progress: {
      schedules: sumBy(shards, ({ counts }) => counts.schedules) - twice,
      distinct: sumBy(shards, ({ counts }) => counts.distinct) - twice,
      notTriggered: sumBy(shards, ({ counts }) => counts.notTriggered),
      failing: sumBy(broken, ({ runs }) => runs),
      ...{ perSecond: 0, phase: 'walk', elapsedMs: durationMs, leftMs: undefined },
    },
    failures,
    causes: groupCauses(failures),
    advice,
    known,
    nondeterministic: shards.flatMap(({ state }) => state.nondeterministic),
    repeated: sumBy(shards, ({ counts }) => counts.repeated),
    coverage,
    broken,
    ended: ENDS.find((end) => shards.some(({ state }) => state.ended === end))!,
  };
  return { explored: { ...report, statement: describeCoverage(report) }, written };
}

/** The first of these in any shard is the end of the search. */
const ENDS = ['aborted', 'time', 'schedules', 'space'] as const satisfies ExploreReport['ended'][];

function readFailures(
  { state, shard, exchanges }: ShardSearch,
  of: 'failures' | 'advice',
  written: Map<Failure, ShardFailure>,
): Failure[] {
  const bySeq = new Map(exchanges.map((exchange) => [exchange.seq, exchange]));
  // Failures of one run share its exchanges.
  const runs = new Map<string, Exchange[]>();
  return state[of].map((each) => {
    const { run, again: _, file: __, ...rest } = each;
    const key = run.join();
    const own = runs.get(key) ?? run.flatMap((seq) => bySeq.get(seq) ?? []);
    runs.set(key, own);
    // JSON omits undefined values.
    const { wait, reported } = rest;
    const failure: Failure = { ...rest, wait, reported, exchanges: own, yaml: '', markdown: '', shard };
    written.set(failure, each);
    return failure;
  });
}

function compareFailures({ place: one }: Failure, { place: other }: Failure): number {
  for (let index = 0; index < one.length; index++) {
    const difference = one[index]! - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Omits failures that an undivided search would have assigned to an earlier one. */
function mergeFailures(found: readonly Failure[]): Failure[] {
  const failures: Failure[] = [];
  for (const failure of found) {
    const before = findExplainingFailure(failures, { ...failure, changes: failure.foundChanges });
    if (before) addSeen(before, failure);
    else failures.push(failure);
  }
  return failures;
}

function mergeAdvice(found: readonly Failure[]): Failure[] {
  return [...groupBy(found, ({ key }) => key).values()].map(([first, ...others]) => {
    for (const other of others) addSeen(first!, other);
    return first!;
  });
}

function addSeen(failure: Failure, other: Failure): void {
  failure.seen += other.seen - other.seenUnchanged;
  failure.scenarios = [...new Set([...failure.scenarios, ...other.scenarios])];
}

function mergeCoverage(shards: readonly ShardSearch[]): ExploreReport['coverage'] {
  const all = shards.flatMap(({ state }) => state.coverage);
  const share = shards.length / shards[0]!.shard.of;
  return [...groupBy(all, ({ scenario }) => scenario).values()].flatMap((ofScenario) => {
    const levels = groupBy(ofScenario, ({ deviations }) => String(deviations));
    return estimate(
      [...levels.values()].map((own) => {
        const { scenario, deviations } = own[0]!;
        const findMaximum = (key: 'run' | 'queued' | 'expanded') => Math.max(...own.map((each) => each[key]));
        // Extrapolated to the missing shards.
        const ours = Math.round(sumBy(own, (each) => each.ours) / share);
        const run = deviations === 0 ? findMaximum('run') : sumBy(own, (each) => each.run);
        const notTriggered = sumBy(own, (each) => each.notTriggered);
        return {
          scenario,
          deviations,
          run,
          ours,
          queued: findMaximum('queued'),
          expanded: findMaximum('expanded'),
          notTriggered,
        };
      }),
    );
  });
}

function sumBy<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

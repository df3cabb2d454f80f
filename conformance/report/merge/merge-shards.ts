import { checkStep } from '../../../scenarios/format/check/schema-check.js';
import { checkRule } from '../../../scenarios/format/network/check-rule.js';
import { writeRule } from '../../../scenarios/format/network/rule.js';
import { groupBy } from '../../../spec/lists.js';
import { show } from '../../../spec/show.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { groupCauses } from '../../explore/causes/causes.js';
import { DEVIATION_KINDS } from '../../explore/schedule/candidates.js';
import { describeCoverage, estimate } from '../../explore/search/coverage.js';
import { findExplainingFailure } from '../../explore/search/explaining-failure.js';
import type { Deviation, ExploreReport, Failure } from '../../explore/types.js';
import type { ConformReport } from '../../service/runner/result.js';
import { ReportError } from '../formats.js';
import type { NamedReport } from '../read-report.js';
import { type ReportOfShard, sortParts } from './shard-parts.js';

/** A failure in the report of a shard: with references to its exchanges and files. */
interface ShardFailure extends Omit<Failure, 'exchanges' | 'yaml' | 'markdown' | 'race' | 'origin'> {
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

interface ShardState extends ShardSummary {
  failures: ShardFailure[];
  advice: ShardFailure[];
}

/** Undefined if the search was not divided. */
function readShardState({ searched }: Pick<ConformReport, 'searched'>): ShardState | undefined {
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

/** The first of these in any shard is the end of the search. */
const ENDS = ['aborted', 'time', 'schedules', 'space'] as const satisfies ExploreReport['ended'][];

/**
 * The result of the equivalent undivided search, from the reports of its shards: at least one, each once. Missing shards count as
 * schedules that were not run. No `seq` occurs in two reports.
 */
export function mergeShards(reports: readonly ConformReport[], durationMs: number): ExploreReport {
  const states = reports.map((report) => readShardState(report)!);
  const [{ scenarios, deviations }] = states as [(typeof states)[0]];
  const [{ seed, target }] = reports as [ConformReport];
  const sumCounts = (key: 'schedules' | 'distinct' | 'not_triggered' | 'repeated') =>
    sumBy(reports, ({ searched }) => searched![key]);
  const collectFailures = (of: 'failures' | 'advice') =>
    reports.flatMap((report) => readFailures(report, of)).sort(compareFailures);
  const failures = mergeFailures(collectFailures('failures'));
  const advice = mergeAdvice(collectFailures('advice'));
  const coverage = mergeCoverage(
    states.flatMap((state) => state.coverage),
    reports.length / reports[0]!.searched!.shard!.of,
  );
  const brokenGroups = groupBy(
    states.flatMap((state) => state.broken),
    ({ scenario }) => scenario,
  );
  const broken = [...brokenGroups.values()].map((all) => ({
    ...all[0]!,
    runs: all[0]!.runsUnchanged + sumBy(all, (each) => each.runs - each.runsUnchanged),
    keys: [...new Set(all.flatMap(({ keys }) => keys))],
  }));
  const knownGroups = groupBy(
    states.flatMap((state) => state.known),
    ({ key }) => key,
  );
  const known = [...knownGroups.values()].map((all) => ({
    ...all[0]!,
    seen: all[0]!.seenUnchanged + sumBy(all, (each) => each.seen - each.seenUnchanged),
  }));
  const countUnchanged = (list: ExploreReport['coverage']) =>
    sumBy(list, ({ deviations: count, run }) => (count === 0 ? run : 0));
  // Every shard runs the schedules without a deviation.
  const twice = sumBy(states, (state) => countUnchanged(state.coverage)) - countUnchanged(coverage);
  const explored: Omit<ExploreReport, 'statement'> = {
    ...{ time: target.time!, seed, durationMs, scenarios, deviations },
    ...(target.adapter !== undefined && { adapter: target.adapter }),
    longest: Math.max(...states.map(({ longest }) => longest)),
    walked: sumBy(states, ({ walked }) => walked),
    progress: {
      schedules: sumCounts('schedules') - twice,
      distinct: sumCounts('distinct') - twice,
      notTriggered: sumCounts('not_triggered'),
      failing: sumBy(broken, ({ runs }) => runs),
      ...{ perSecond: 0, phase: 'walk', elapsedMs: durationMs, leftMs: undefined },
    },
    failures,
    causes: groupCauses(failures),
    advice,
    known,
    nondeterministic: states.flatMap((state) => state.nondeterministic),
    repeated: sumCounts('repeated'),
    coverage,
    broken,
    ended: ENDS.find((end) => states.some(({ ended }) => ended === end))!,
  };
  return { ...explored, statement: describeCoverage(explored) };
}

function readFailures(report: ConformReport, of: 'failures' | 'advice'): Failure[] {
  const { shard } = report.searched!;
  const bySeq = new Map(report.exchanges.map((exchange) => [exchange.seq, exchange]));
  // Failures of one run share its exchanges.
  const runs = new Map<string, Exchange[]>();
  return readShardState(report)![of].map(({ run, again, file, ...rest }) => {
    const key = run.join();
    const exchanges = runs.get(key) ?? run.flatMap((seq) => bySeq.get(seq) ?? []);
    runs.set(key, exchanges);
    // JSON omits undefined values.
    const { wait, reported } = rest;
    return {
      ...rest,
      wait,
      reported,
      exchanges,
      yaml: '',
      markdown: '',
      origin: { shard: shard!, again, file },
    };
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

/** `share`: the part of all shards that there is. The others are extrapolated. */
function mergeCoverage(all: ExploreReport['coverage'], share: number): ExploreReport['coverage'] {
  return [...groupBy(all, ({ scenario }) => scenario).values()].flatMap((ofScenario) => {
    const levels = groupBy(ofScenario, ({ deviations }) => String(deviations));
    return estimate(
      [...levels.values()].map((own) => {
        const { scenario, deviations } = own[0]!;
        const findMaximum = (key: 'run' | 'queued' | 'expanded') => Math.max(...own.map((each) => each[key]));
        return {
          scenario,
          deviations,
          run: deviations === 0 ? findMaximum('run') : sumBy(own, ({ run }) => run),
          ours: Math.round(sumBy(own, ({ ours }) => ours) / share),
          queued: findMaximum('queued'),
          expanded: findMaximum('expanded'),
          notTriggered: sumBy(own, ({ notTriggered }) => notTriggered),
        };
      }),
    );
  });
}

function sumBy<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** Why a deviation in a report is invalid, beyond its schema; else undefined. */
function findDeviationProblem({ kind, rule, behind }: Deviation): string | undefined {
  if (!DEVIATION_KINDS.includes(kind)) return `there is no deviation of the kind ${show(kind)}`;
  if (behind !== undefined && !(Number.isSafeInteger(behind.place) && typeof behind.words === 'string'))
    return `behind: expected a place and words, found ${show(behind)}`;
  try {
    const raw = writeRule({ ...rule });
    const [violation] = checkStep(raw, [], ['network']);
    return (violation ?? checkRule(raw, [])[0])?.message;
  } catch {
    return `expected a network rule, found ${show(rule)}`;
  }
}

interface ShardReport extends ReportOfShard {
  state: ShardState;
}

function readShard({ file, report }: NamedReport): ShardReport {
  const { shard } = report.searched!;
  const state = readShardState(report);
  if (!shard || !state)
    throw new ReportError(
      `${file} is the report of a search that was not divided; run each part with --shard, as 1/4`,
    );
  for (const { name, deviations } of [...state.failures, ...state.advice]) {
    const [problem] = deviations.flatMap((each) => findDeviationProblem(each) ?? []);
    if (problem !== undefined) throw new ReportError(`${file}: the failure ${name}: ${problem}`);
  }
  return { file, report, shard, state };
}

/** Throws ReportError unless all are different shards of one search. */
export function sortShards(given: readonly NamedReport[]): NamedReport[] {
  return sortParts(given.map(readShard), 'search', ({ report, state }) => [
    ['the seed', report.seed],
    ['--deviations', state.deviations],
    ['their scenarios', state.scenarios],
    ['time', report.target.time],
  ]);
}

import { formatCount } from '../../common/text.js';
import { DEVIATION_KINDS, REACH } from '../schedule/candidates.js';
import type { ExploreReport } from '../types.js';

type BrokenScenario = ExploreReport['broken'][number];
type LevelCoverage = ExploreReport['coverage'][number];

interface ScheduleCounts {
  /** Schedules that were found, and those of them in this shard. */
  queued: number;
  ours: number;
  run: number;
  /** Runs whose successors have been queued (or that have none). */
  expanded: number;
  /** Runs in which a deviation was not triggered. */
  notTriggered: number;
}

const NONE: ScheduleCounts = { queued: 0, ours: 0, run: 0, expanded: 0, notTriggered: 0 };

/** Smallest number of schedules for a meaningful share, and the share above which too few were triggered. */
const ENOUGH = 10;
const NEARLY_ALL = 0.9;

/** Whether nearly all schedules with deviations were not triggered: the changed requests never arrived. */
export function isBarelyTriggered(run: number, notTriggered: number): boolean {
  return run >= ENOUGH && notTriggered > NEARLY_ALL * run;
}

/** The explored part of each scenario, by the number of deviations. */
export class ScheduleCoverage {
  readonly #counts = new Map<string, ScheduleCounts[]>();
  readonly #broken = new Map<string, BrokenScenario>();

  add(what: keyof ScheduleCounts, scenario: string, deviations: number): void {
    const levels = this.#counts.get(scenario) ?? [];
    this.#counts.set(scenario, levels);
    levels[deviations] ??= { ...NONE };
    levels[deviations][what]++;
  }

  /** A run broke rules, new or known: the scenario has not passed. */
  addBroken(scenario: string, keys: readonly string[], isUnchanged: boolean): void {
    const before = this.#broken.get(scenario) ?? { scenario, runs: 0, runsUnchanged: 0, keys: [] };
    const all = [...new Set([...before.keys, ...keys])];
    const runsUnchanged = before.runsUnchanged + (isUnchanged ? 1 : 0);
    this.#broken.set(scenario, { scenario, runs: before.runs + 1, runsUnchanged, keys: all });
  }

  listBroken(): BrokenScenario[] {
    return [...this.#broken.values()];
  }

  /** `bounds`: the number of deviations by scenario. */
  list(bounds: ReadonlyMap<string, number>): LevelCoverage[] {
    return [...this.#counts].flatMap(([scenario, levels]) => {
      const counts = Array.from({ length: bounds.get(scenario)! + 1 }, (_, deviations) => ({
        ...{ scenario, deviations, ...NONE },
        ...levels[deviations],
      }));
      return estimate(counts);
    });
  }
}

type LevelCounts = ScheduleCounts & { scenario: string; deviations: number };

/**
 * The levels of one scenario with their estimated number of schedules in this shard. Unknown successors are extrapolated from known ones.
 * All shards expand all parents.
 */
export function estimate(levels: readonly LevelCounts[]): LevelCoverage[] {
  let parents = 1;
  return levels.map((level, deviations) => {
    if (deviations === 0) return { ...level, of: 1 };
    const expanded = levels[deviations - 1]!.expanded;
    const extrapolate = (found: number) =>
      expanded === 0 ? 0 : Math.round((found / expanded) * Math.max(parents, expanded));
    const of = Math.max(extrapolate(level.ours), level.run);
    parents = extrapolate(level.queued);
    return { ...level, of };
  });
}

type SearchSummary = Pick<
  ExploreReport,
  'coverage' | 'shard' | 'ended' | 'progress' | 'scenarios' | 'deviations' | 'walked' | 'longest'
>;

/** Describes what was explored and what was not. */
export function describeCoverage(searched: SearchSummary): string {
  const { coverage, scenarios, deviations, progress, walked, longest, shard, ended } = searched;
  const levels = Array.from({ length: deviations + 1 }, (_, level) => {
    const own = coverage.filter((each) => each.deviations === level);
    const sum = (key: 'run' | 'of') => own.reduce((all, each) => all + each[key], 0);
    return { level, run: sum('run'), of: level === 0 ? scenarios.length : sum('of') };
  });
  const firstPartial = levels.findIndex(({ run, of }) => run < of);
  const complete = firstPartial === -1 ? levels : levels.slice(0, firstPartial);
  const part = shard && shard.of > 1 ? ` (part ${shard.part} of ${shard.of})` : '';
  const run = complete.reduce((all, each) => all + each.run, 0);
  const most = complete.length - 1;
  const bound = `at most ${formatCount(most, 'deviation')} of ${DEVIATION_KINDS.length} kinds`;
  const findBound = (name: string) =>
    Math.max(...coverage.flatMap((each) => (each.scenario === name ? [each.deviations] : [])));
  const lower = scenarios.map(findBound).filter((each) => each < most);
  const rest = lower.length > 0 ? `, and with at most ${Math.max(...lower)} over ${lower.length} more,` : '';
  const over = formatCount(scenarios.length - lower.length, 'scenario') + rest;
  const missed = `${formatNumber(progress.notTriggered)} of ${formatNumber(progress.schedules)}`;
  const sentences = [
    ended === 'aborted' && 'The search was stopped before its end.',
    complete.length > 1
      ? `Every schedule${part} with ${bound} over ${over} was run: ${formatNumber(run)}.`
      : `The default schedule of ${formatNumber(levels[0]!.run)} of ${formatCount(scenarios.length, 'scenario')} was run${part}.`,
    ...levels.slice(Math.max(complete.length, 1)).map((each) => {
      return `Of those with ${each.level}, ${formatNumber(each.run)} of about ${formatNumber(each.of)} were run, closest pairs first.`;
    }),
    walked > 0 &&
      `Then ${formatCount(walked, 'random schedule')} with ${deviations + 1} to ${longest} deviations.`,
    progress.notTriggered > 0 &&
      `In ${missed} a deviation was not triggered: these neither passed nor failed.`,
    `Reordered events are at most ${REACH} apart; of consecutive polls without news only the first is varied. Other orders were not tried.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function formatNumber(n: number): string {
  return n.toLocaleString('en-US');
}

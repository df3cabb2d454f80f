import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { groupBy } from '../../../spec/lists.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { formatFailureKey } from '../../client/judge/findings.js';
import { findWait } from '../../client/judge/run-end.js';
import type { ClientRun } from '../../client/types.js';
import type { Shard } from '../../common/shard.js';
import type { RunTimeLabel } from '../../service/runner/result.js';
import { collectChanges } from '../causes/changes.js';
import { Reproducer } from '../reproduce/reproducer.js';
import { type Bounds, type DeviationCandidate, isAlone } from '../schedule/candidates.js';
import { findDifference } from '../schedule/run-order.js';
import { applyDeviations, formatScheduleKey, isInShard, joinScheduleKey } from '../schedule/schedule.js';
import { runSchedule, type ScheduleResult, type SearchTools } from '../search-tools.js';
import type { ExploreEvent, ExploreReport, Failure, Progress, Schedule } from '../types.js';
import { ScheduleCoverage } from './coverage.js';
import { findExplainingFailure } from './explaining-failure.js';
import { PromisingSchedules, StateCoverage } from './state-coverage.js';

export interface SearchSetup {
  tools: SearchTools;
  time: RunTimeLabel;
  bounds: Bounds;
  seed: number;
  schedules: number;
  /** The most deviations of a scenario in the systematic search. */
  readLimit: (scenario: Scenario) => number;
  /** Real ms since the start of the search. */
  elapsed: () => number;
  timeLimitMs: number;
  shard: Shard | undefined;
  signal: AbortSignal;
  known: ReadonlySet<string>;
  commandLine: string | undefined;
  onEvent: (event: ExploreEvent) => void;
}

/** Every schedule with a multiple of this number is run a second time, and every one without deviations. */
const REPEAT_EVERY = 100;
/** Most schedules that are listed because their second run differed. */
const MOST_NONDETERMINISTIC = 100;
/** ms between two reports of progress. */
const PROGRESS_EVERY_MS = 200;

/** Runs and judges schedules, groups failures and counts. */
export class ScheduleRunner {
  readonly coverage = new ScheduleCoverage();
  /** The candidates of the default schedule of each scenario. */
  readonly defaults = new Map<Scenario, DeviationCandidate[]>();
  /** Keys of schedules with one deviation whose order of events another one has too. */
  readonly redundant = new Set<string>();
  /** Runs with as many deviations as the systematic search has, and with new states of client and service. */
  readonly promising = new PromisingSchedules();
  readonly failures: Failure[] = [];
  readonly advice: Failure[] = [];
  readonly nondeterministic: ExploreReport['nondeterministic'] = [];
  repeated = 0;
  phase: Progress['phase'] = 0;
  /** Number of schedules by the key of the finding. */
  readonly #seen = new Map<string, number>();
  readonly #seenUnchanged = new Map<string, number>();
  readonly #seenSchedules = new Set<number>();
  readonly #orders = new Set<number>();
  readonly #states = new StateCoverage();
  readonly #reproducer: Reproducer;
  #started = 0;
  #counts = { schedules: 0, distinct: 0, notTriggered: 0, failing: 0 };
  #reportedMs = 0;

  constructor(readonly setup: SearchSetup) {
    this.#reproducer = new Reproducer(setup);
  }

  isOver(): boolean {
    return this.findEnding() !== undefined;
  }

  findEnding(): 'aborted' | 'schedules' | 'time' | undefined {
    const { signal, elapsed, timeLimitMs, schedules } = this.setup;
    if (signal.aborted && elapsed() < timeLimitMs) return 'aborted';
    if (this.#started >= schedules) return 'schedules';
    return elapsed() >= timeLimitMs ? 'time' : undefined;
  }

  /** True the first time for a schedule (by the hash of its key). */
  markSeen(schedule: number): boolean {
    return addIfNew(this.#seenSchedules, schedule);
  }

  hasSeen(schedule: number): boolean {
    return this.#seenSchedules.has(schedule);
  }

  /** `deviation`: its key. */
  isRedundant(scenario: Scenario, deviation: string): boolean {
    return this.redundant.has(joinScheduleKey(scenario, [deviation]));
  }

  /** Counts a schedule against the limit. */
  countStarted(schedule: Schedule): void {
    if (this.#isInShard(schedule)) this.#started++;
  }

  /** Changes no results, so that schedules can run ahead of their turn. Undefined if the run was aborted. */
  async play(schedule: Schedule): Promise<ScheduleResult | undefined> {
    const { tools, signal } = this.setup;
    const isOurs = this.#isInShard(schedule);
    const result = await runSchedule(tools, schedule, isOurs, signal);
    // Here, beside other schedules: results are examined one after the other, and a run in real time takes seconds.
    if (result && isOurs && schedule.deviations.length === 0) result.second = await this.#playAgain(schedule);
    return result;
  }

  /** It broke a rule in a way that is not known. */
  hasFailed({ found }: ScheduleResult): boolean {
    const isFailure = (each: Finding) =>
      each.level === 'must' && !this.setup.known.has(formatFailureKey(each));
    return found?.findings.some(isFailure) === true;
  }

  /**
   * Processes the result of a run, and returns whether its order of events is new. Schedules of other shards are only expanded. `place`:
   * see `Failure`.
   */
  async examine(schedule: Schedule, result: ScheduleResult, place: Failure['place']): Promise<boolean> {
    const { isTriggered, order, found, trace } = result;
    const isNew = isTriggered && addIfNew(this.#orders, order);
    if (!this.#isInShard(schedule)) return isNew;
    const number = ++this.#counts.schedules;
    const { scenario, deviations } = schedule;
    if (this.phase !== 'walk') this.phase = deviations.length;
    this.coverage.add('run', scenario.name, deviations.length);
    if (isNew) {
      this.#counts.distinct++;
      const limit = this.setup.readLimit(scenario);
      const promising = deviations.length <= limit ? this.#states.add(schedule, trace) : undefined;
      const isExtensible = deviations.length === limit && !deviations.some(isAlone);
      if (promising && isExtensible && !this.hasFailed(result)) this.promising.add(promising);
    }
    if (!isTriggered) {
      this.#counts.notTriggered++;
      this.coverage.add('notTriggered', scenario.name, deviations.length);
    }
    if (found) await this.#sort(schedule, found, number, place);
    if (this.hasFailed(result)) this.#counts.failing++;
    const second =
      result.second ?? (number % REPEAT_EVERY === 0 ? await this.#playAgain(schedule) : undefined);
    if (second) this.#compare(schedule, trace, second);
    const elapsed = this.setup.elapsed();
    if (elapsed - this.#reportedMs >= PROGRESS_EVERY_MS) {
      this.#reportedMs = elapsed;
      this.setup.onEvent({ type: 'progress', progress: this.readProgress() });
    }
    return isNew;
  }

  async #sort(
    schedule: Schedule,
    { findings, run }: NonNullable<ScheduleResult['found']>,
    number: number,
    place: Failure['place'],
  ): Promise<void> {
    const { known, onEvent } = this.setup;
    const byKey = groupBy(findings, formatFailureKey);
    const broken = [...byKey].flatMap(([key, [first]]) => (first!.level === 'must' ? [key] : []));
    const isUnchanged = schedule.deviations.length === 0;
    if (broken.length > 0) this.coverage.addBroken(schedule.scenario.name, broken, isUnchanged);
    const found = {
      ...{ schedule: number, foundAtMs: this.setup.elapsed(), place, foundChanges: collectChanges(schedule) },
      seenUnchanged: isUnchanged ? 1 : 0,
    };
    /** Already counted for this run. */
    const counted = new Set<Failure>();
    for (const [key, [finding]] of byKey) {
      const seen = (this.#seen.get(key) ?? 0) + 1;
      this.#seen.set(key, seen);
      if (isUnchanged) this.#seenUnchanged.set(key, (this.#seenUnchanged.get(key) ?? 0) + 1);
      if (known.has(key)) continue;
      if (finding!.level === 'advice' && seen > 1) continue;
      const before = finding!.level === 'must' && this.#findSeenFailure(schedule, finding!, run);
      if (before) {
        if (!counted.has(before)) {
          before.seen++;
          if (isUnchanged) before.seenUnchanged++;
        }
        counted.add(before);
        if (!before.scenarios.includes(schedule.scenario.name)) before.scenarios.push(schedule.scenario.name);
        continue;
      }
      const failures = await this.#reproducer.reproduce(schedule, run, finding!, found, (other, itsRun) => {
        if (other.level === 'advice' || known.has(formatFailureKey(other))) return false;
        return this.#findSeenFailure(schedule, other, itsRun) === undefined;
      });
      for (const failure of failures) {
        counted.add(failure);
        (failure.level === 'must' ? this.failures : this.advice).push(failure);
        onEvent({ type: 'failure', failure });
      }
    }
  }

  #findSeenFailure(schedule: Schedule, finding: Finding, run: ClientRun): Failure | undefined {
    const { rule } = finding;
    const found = {
      rule,
      wait: findWait(run, finding),
      scenario: schedule.scenario.name,
      changes: collectChanges(schedule),
    };
    return findExplainingFailure(this.failures, found);
  }

  countSeen(key: string): Pick<Failure, 'seen' | 'seenUnchanged'> {
    return { seen: this.#seen.get(key) ?? 0, seenUnchanged: this.#seenUnchanged.get(key) ?? 0 };
  }

  listKnown(): ExploreReport['known'] {
    return [...this.setup.known].flatMap((key) =>
      this.#seen.has(key) ? [{ key, ...this.countSeen(key) }] : [],
    );
  }

  readProgress(): Progress {
    const { elapsed, timeLimitMs, schedules: most } = this.setup;
    const { schedules } = this.#counts;
    const elapsedMs = elapsed();
    const perSecond = elapsedMs > 0 ? (schedules * 1000) / elapsedMs : 0;
    const leftMs =
      perSecond > 0
        ? Math.max(0, Math.min(((most - schedules) * 1000) / perSecond, timeLimitMs - elapsedMs))
        : undefined;
    return { ...this.#counts, perSecond, phase: this.phase, elapsedMs, leftMs };
  }

  #isInShard(schedule: Schedule): boolean {
    const { shard } = this.setup;
    return shard === undefined || isInShard(formatScheduleKey(schedule), schedule.deviations.length, shard);
  }

  async #playAgain(schedule: Schedule): Promise<TraceEntry[] | undefined> {
    const { tools, signal } = this.setup;
    const { end, trace } = await tools.play(applyDeviations(schedule), signal);
    return end === 'aborted' ? undefined : trace;
  }

  #compare(schedule: Schedule, first: readonly TraceEntry[], second: readonly TraceEntry[]): void {
    const { time, onEvent } = this.setup;
    this.repeated++;
    const difference = findDifference(schedule, first, second, time);
    if (difference === undefined || this.nondeterministic.length >= MOST_NONDETERMINISTIC) return;
    this.nondeterministic.push({ schedule: formatScheduleKey(schedule), ...difference });
    const text = `a schedule of ${schedule.scenario.name} is nondeterministic. ${difference.source}`;
    if (this.nondeterministic.length === 1) onEvent({ type: 'note', text });
  }
}

/** Returns whether the item is new. */
function addIfNew(set: Set<number>, item: number): boolean {
  const { size } = set;
  return set.add(item).size > size;
}

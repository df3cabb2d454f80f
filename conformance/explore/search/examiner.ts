import type { Scenario } from '../../../scenarios/format/types.js';
import { hashOf } from '../../../spec/hash.js';
import type { ClientRun } from '../../client/types.js';
import type { Bounds, Candidate } from '../schedule/candidates.js';
import { canonicalOf } from '../schedule/canonical.js';
import { scheduled, scheduleText, unrealised } from '../schedule/schedule.js';
import type { Tools } from '../tools.js';
import type { ExploreEvent, Find, Progress, Schedule, TimeOfRuns } from '../types.js';
import { Buckets, bucketOf } from './buckets.js';
import { Coverage } from './coverage.js';
import { differenceOf } from './determinism-check.js';
import { Finder } from './finder.js';
import { isMine, type Shard } from './shard.js';

/** What one schedule has shown. */
export interface Examined {
  run: ClientRun;
  /** Every deviation has come about. */
  isRealised: boolean;
  /** Its order of things had not been seen. */
  isNew: boolean;
  isFailed: boolean;
}

export interface ExaminerSetup {
  tools: Tools;
  time: TimeOfRuns;
  bounds: Bounds;
  seed: number;
  schedules: number;
  /** Real ms since the search began. */
  elapsed: () => number;
  timeLimitMs: number;
  shard: Shard | undefined;
  signal: AbortSignal;
  known: readonly string[] | undefined;
  commandLine: string | undefined;
  onEvent: (event: ExploreEvent) => void;
}

/** Every schedule of this number is run a second time. */
const REPEAT_EVERY = 100;
const MOST_UNSTEADY = 100;
/** ms between two reports of progress. */
const PROGRESS_EVERY_MS = 200;

/** Puts it in, and says whether it was missing. */
function isNewIn(set: Set<number>, item: number): boolean {
  const { size } = set;
  return set.add(item).size > size;
}

/** Runs schedules, judges what comes out, sorts failures and keeps count. */
export class Examiner {
  readonly coverage = new Coverage();
  /** What the default of each scenario gives the occasion for. */
  readonly defaults = new Map<Scenario, Candidate[]>();
  readonly finds: Find[] = [];
  readonly advice: Find[] = [];
  readonly unsteady: { schedule: string; difference: string }[] = [];
  repeated = 0;
  phase: Progress['phase'] = 0;
  readonly buckets: Buckets;
  readonly #met = new Set<number>();
  readonly #orders = new Set<number>();
  readonly #finder: Finder;
  #started = 0;
  #schedules = 0;
  #distinct = 0;
  #unrealised = 0;
  #failures = 0;
  #told = 0;

  constructor(private readonly setup: ExaminerSetup) {
    this.buckets = new Buckets(setup.known);
    this.#finder = new Finder(setup);
  }

  get bounds(): Bounds {
    return this.setup.bounds;
  }

  get shard(): Shard | undefined {
    return this.setup.shard;
  }

  /** True when no further schedule is to be started. */
  isOver(): boolean {
    return this.ending() !== undefined;
  }

  ending(): 'aborted' | 'schedules' | 'time' | undefined {
    if (this.setup.signal.aborted && this.setup.elapsed() < this.setup.timeLimitMs) return 'aborted';
    if (this.#started >= this.setup.schedules) return 'schedules';
    return this.setup.elapsed() >= this.setup.timeLimitMs ? 'time' : undefined;
  }

  /** True the first time that a schedule (by the hash of its text) turns up. */
  meet(schedule: number): boolean {
    return isNewIn(this.#met, schedule);
  }

  /** Undefined when the run was stopped in the middle. */
  async play(schedule: Schedule): Promise<ClientRun | undefined> {
    if (this.#isOurs(schedule)) this.#started++;
    const run = await this.setup.tools.play(scheduled(schedule), this.setup.signal);
    return run.end === 'aborted' ? undefined : run;
  }

  /** What a run shows. Those of other shards are looked at only for what follows them. */
  async examine(schedule: Schedule, run: ClientRun): Promise<Examined> {
    const isRealised = unrealised(schedule, run.rules).length === 0;
    const isNew = isRealised && this.#isNewOrder(schedule, run);
    if (!this.#isOurs(schedule)) return { run, isRealised, isNew, isFailed: false };
    const number = ++this.#schedules;
    const { deviations } = schedule;
    this.phase = typeof this.phase === 'number' ? deviations.length : this.phase;
    this.coverage.ran(schedule.scenario.name, deviations.length);
    if (isNew) this.#distinct++;
    if (!isRealised) this.#unrealised++;
    const findings = isRealised ? this.setup.tools.judge(run) : [];
    const failing = findings.filter(({ level }) => level === 'must').map((each) => bucketOf(each).key);
    if (failing.length > 0) this.coverage.broke(schedule.scenario.name, failing);
    const isFailed = failing.some((key) => !this.buckets.isKnown(key));
    if (isFailed) this.#failures++;
    for (const finding of this.buckets.add(findings))
      this.#keep(await this.#finder.look(schedule, run, finding, number));
    if (deviations.length === 0 || number % REPEAT_EVERY === 0) await this.#repeat(schedule, run);
    this.#tell();
    return { run, isRealised, isNew, isFailed };
  }

  progress(): Progress {
    const elapsedMs = this.setup.elapsed();
    const perSecond = elapsedMs > 0 ? (this.#schedules * 1000) / elapsedMs : 0;
    const timeMs = this.setup.timeLimitMs - elapsedMs;
    const leftMs = perSecond > 0 ? ((this.setup.schedules - this.#schedules) * 1000) / perSecond : undefined;
    return {
      schedules: this.#schedules,
      distinct: this.#distinct,
      unrealised: this.#unrealised,
      failures: this.#failures,
      finds: this.finds.length,
      advice: this.advice.length,
      perSecond,
      phase: this.phase,
      elapsedMs,
      leftMs: leftMs === undefined ? undefined : Math.max(0, Math.min(leftMs, timeMs)),
    };
  }

  #isOurs(schedule: Schedule): boolean {
    const { shard } = this.setup;
    return shard === undefined || isMine(scheduleText(schedule), schedule.deviations.length, shard);
  }

  #isNewOrder(schedule: Schedule, run: ClientRun): boolean {
    return isNewIn(this.#orders, hashOf(canonicalOf(schedule, run.trace)));
  }

  #keep(find: Find): void {
    if (find.bucket.level === 'must') this.finds.push(find);
    else this.advice.push(find);
    this.setup.onEvent({ type: 'find', find });
  }

  async #repeat(schedule: Schedule, first: ClientRun): Promise<void> {
    const second = await this.setup.tools.play(scheduled(schedule), this.setup.signal);
    if (second.end === 'aborted') return;
    this.repeated++;
    const difference = differenceOf(schedule, first.trace, second.trace, this.setup.time);
    if (difference === undefined || this.unsteady.length >= MOST_UNSTEADY) return;
    this.unsteady.push({ schedule: scheduleText(schedule), difference });
    const text = `the same schedule of ${schedule.scenario.name} went another way the second time: ${difference}`;
    if (this.unsteady.length === 1) this.setup.onEvent({ type: 'note', text });
  }

  #tell(): void {
    const elapsed = this.setup.elapsed();
    if (elapsed - this.#told < PROGRESS_EVERY_MS) return;
    this.#told = elapsed;
    this.setup.onEvent({ type: 'progress', progress: this.progress() });
  }
}

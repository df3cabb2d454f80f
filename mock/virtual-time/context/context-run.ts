import type { Mock } from '../../mock.js';
import type { TimeOptions, TimeRun } from '../../options/mock-options.js';
import { real } from '../platform.js';
import { arePending, type RealTimer } from '../real-timers.js';
import type { Ended } from '../service-time.js';
import { TimeStoodStill } from '../stalled-time-error.js';
import { Course } from '../time-policy.js';
import { VirtualClock } from '../virtual-clock.js';
import { Beside } from './beside.js';
import { ClientRequests } from './client-requests.js';
import { enter, type Running } from './context.js';
import { keepDivided } from './places.js';
import type { ServiceOfAll } from './service-of-all.js';
import { ClientSockets } from './sockets.js';
import { standingStill } from './standing-still.js';
import { nextTurn, rest } from './turns.js';
import { WorkOfRun } from './work-of-run.js';

export type Client<T> = (run: TimeRun) => T | Promise<T>;
type Outcome<T> = { value: T } | { error: unknown } | { ended: Exclude<Ended, 'by-itself'> };

const DEADLINE_MS = 3_600_000;
const STALLED_MS = 600_000;
/** Turns of the loop without anything new after which a client is taken to wait. */
const QUIET_TURNS = 4;
/** Turns of waiting for a request after which the machine is given a rest in between. */
const QUICK_TURNS = 2_000;
/** Where nothing is left that could happen, somebody outside may still be about to do something (load a module, say): ms of real time. */
const LAST_WAIT_MS = 1_000;
/** Turns that leftovers of a run get to come to a halt. */
const LAST_TURNS = 3;

function warnOfRealTime(hint: string): void {
  process.emitWarning(hint, { type: 'TaskdoubleWarning', code: 'TASKDOUBLE_REAL_TIME' });
}

/** One run of one client on the time of one mock. */
export class ContextRun<T> implements Running {
  readonly clock: VirtualClock;
  readonly requests: ClientRequests;
  readonly sockets: ClientSockets;
  readonly realTimers: RealTimer[] = [];
  inner = 0;
  isOver = false;
  #outcome: Outcome<T> | undefined;
  #over: AbortController | undefined;
  readonly #course: Course;
  readonly #work: WorkOfRun;
  readonly beside = new Beside(warnOfRealTime);
  /** Since when nothing is left that could happen, ms of real time, and how things stood then. */
  #idle: { since: number; activity: number } | undefined;

  constructor(
    private readonly mock: Mock,
    private readonly service: ServiceOfAll,
    private readonly client: Client<T>,
    private readonly options: TimeOptions,
  ) {
    const { deadlineMs = DEADLINE_MS, stalledMs = STALLED_MS } = options;
    const start = service.now();
    this.clock = new VirtualClock(start);
    this.requests = new ClientRequests(() => mock.baseUrl);
    this.sockets = new ClientSockets(() => mock.baseUrl);
    this.#work = new WorkOfRun(service);
    this.#course = new Course(service, { deadline_ms: deadlineMs, stalled_ms: stalledMs }, start);
  }

  crashed(error: unknown): void {
    this.#end({ error });
  }

  async play(): Promise<T> {
    try {
      enter({ run: this }, () => this.#start());
      while (!this.#outcome) {
        await this.#untilCalm();
        keepDivided();
        if (!this.#outcome) await this.#moveOn();
      }
      const why = 'ended' in this.#outcome ? this.#why(this.#outcome.ended) : undefined;
      await this.#finish();
      if (why) throw why.error;
    } finally {
      this.isOver = true;
      this.clock.close();
    }
    if ('error' in this.#outcome) throw this.#outcome.error;
    return (this.#outcome as { value: T }).value;
  }

  #start(): void {
    const overOf = () => {
      this.#over ??= new AbortController();
      if (this.isOver) this.#over.abort();
      return this.#over.signal;
    };
    const given: TimeRun = {
      get signal() {
        return overOf();
      },
    };
    // Not awaited here: a function that throws at once has thrown like any other.
    const settled = (async () => this.client(given))();
    settled.then(
      (value) => this.#end({ value }),
      (error) => this.#end({ error }),
    );
  }

  #end(outcome: Outcome<T>): void {
    this.#outcome ??= outcome;
  }

  /** Nothing fires any more, and who asks for it is told that it is over; what was under way comes to a halt. */
  async #finish(): Promise<void> {
    this.clock.close();
    this.isOver = true;
    enter({ run: this }, () => this.#over?.abort(new DOMException('The run is over.', 'AbortError')));
    for (let turn = 0; turn < LAST_TURNS; turn++) await nextTurn();
  }

  #why(ended: Exclude<Ended, 'by-itself'>): { error: unknown } {
    if (ended === 'aborted') return { error: this.options.signal!.reason };
    const passed = this.clock.now - this.clock.start;
    return { error: new TimeStoodStill(standingStill(this.mock, this, this.options, ended), ended, passed) };
  }

  /** Lets the client do all that it can do at this time. */
  async #untilCalm(): Promise<void> {
    let seen = -1;
    let quiet = 0;
    for (let turns = 0; ; turns++) {
      await nextTurn();
      if (this.options.signal?.aborted) this.#end({ ended: 'aborted' });
      if (this.#outcome) return;
      const activity = this.#activity();
      quiet = activity === seen ? quiet + 1 : 0;
      seen = activity;
      if (this.#course.isHurried()) return;
      if (quiet < QUIET_TURNS) continue;
      if (this.inner > 0 || this.#awaitsAnswers(activity)) {
        if (turns > QUICK_TURNS) await rest();
        continue;
      }
      if (await this.#work.goesOn(quiet)) continue;
      this.beside.see(arePending(this.realTimers) && !this.#work.isExhausted);
      return;
    }
  }

  #awaitsAnswers(activity: number): boolean {
    return (
      this.requests.areOnTheirWay(this.service.waiting(), String(activity)) || this.sockets.awaitAnswers()
    );
  }

  #activity(): number {
    return this.clock.changes + this.service.arrived() + this.service.answered() + this.requests.changes;
  }

  /** Takes time to the next thing that is due, and does it. */
  async #moveOn(): Promise<void> {
    const { clock, service } = this;
    const passed = this.beside.isOn ? await this.#passBeside() : undefined;
    // Somebody may have moved the mock's clock by hand.
    clock.now = Math.max(clock.now, service.now());
    const latest = passed === undefined ? Infinity : clock.now + passed;
    const move = this.#course.next(clock.now, Math.min(latest, clock.next()));
    if ('ended' in move && move.ended === 'idle' && (await this.#awaitOthers())) return;
    clock.now = move.to;
    service.advanceTo(move.to);
    if ('ended' in move) {
      this.#end({ ended: move.ended as Exclude<Ended, 'by-itself'> });
    } else if (move.whose === 'client') {
      try {
        clock.fireOne();
      } catch (error) {
        this.#end({ error });
      }
    }
  }

  /** Whole ms of real time since the last one. */
  async #passBeside(): Promise<number> {
    await this.#work.rest();
    return this.beside.take();
  }

  /** True, a moment later, until nobody else has done anything for long enough. */
  async #awaitOthers(): Promise<boolean> {
    const activity = this.#activity() + this.service.now();
    const now = real.performanceNow();
    if (this.#idle?.activity !== activity) this.#idle = { since: now, activity };
    if (now - this.#idle.since >= LAST_WAIT_MS) return false;
    await rest();
    return true;
  }
}

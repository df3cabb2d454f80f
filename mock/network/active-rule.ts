import { meansCreate } from '../../scenarios/format/network/target.js';
import type { NetworkRule, Until } from '../../scenarios/format/types.js';
import type { Verb } from '../../scenarios/verbs/verb.js';
import { type AnyVerb, verbOf } from '../../scenarios/verbs/verbs.js';
import type { RuleSnapshot } from '../engine/snapshot/network.js';
import type { Timelines } from '../engine/snapshot/timelines.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { Random } from '../generate/random.js';
import type { WaitCondition } from './conditions.js';
import { matches, type NetworkRequest } from './network-request.js';

/** Where a rule of a timeline comes from. */
export interface Scope {
  task: Task;
  run: Run;
}

/** A request whose response waits until the response to the next such request has left. */
export interface Overtaking {
  task: Task | undefined;
  /** The next request has arrived. */
  met: boolean;
  /** Its response has left. */
  done: boolean;
}

/** A network rule that is set, with its counters. */
export class ActiveRule {
  /** Requests that it affected. */
  fired = 0;
  /** Matching requests that it did not affect: within `skip` or a quota, by chance, beyond `times`. */
  passed = 0;
  /** Pending requests that it holds. */
  waiting = 0;
  /** Requests that it released because `at_most_ms` was over, not because their condition was met. */
  gave_up = 0;
  readonly verb: AnyVerb;
  /** Its list in the rule book of its organisation. */
  place: RuleSnapshot['place'];
  /** The phase of the exchange that its verb changes. */
  readonly phase: Verb['phase'];
  /** What a `hold` waits for. */
  readonly until: Until | undefined;
  /** For a verb that needs the next request: requests that wait for the response to it. */
  readonly overtakings: Set<Overtaking> | undefined;
  /** For a verb that counts requests: start of the current window (ms) and the requests in it. */
  readonly window = { from: Number.NEGATIVE_INFINITY, used: 0 };
  /** The step that it holds: latest time (ms) and condition. */
  held: { latest: number; condition: WaitCondition } | null = null;
  /** Requests that it has claimed and not affected yet. */
  #promised = 0;
  #seen = 0;
  /** Created on first use: most rules draw no random numbers. */
  #random: Random | undefined;
  #draws: WeakMap<object, Random> | undefined;

  constructor(
    readonly id: string,
    readonly rule: NetworkRule,
    /** Absent for a standing rule. */
    readonly scope: Scope | undefined,
    /** ms, when it was set. */
    readonly since: number,
    private readonly fork: () => Random,
  ) {
    this.verb = verbOf(rule);
    this.place = scope ? (meansCreate(rule.of) ? 'creates' : 'task') : 'standing';
    this.phase = ('side' in rule && rule.side) || this.verb.phase;
    this.until = 'until' in rule ? rule.until : undefined;
    this.overtakings = this.verb.needsNext ? new Set() : undefined;
  }

  /** The most times it fires. Default: once in a timeline, unlimited elsewhere. */
  get times(): number {
    return this.rule.times ?? (this.scope ? 1 : Number.POSITIVE_INFINITY);
  }

  isSpent(): boolean {
    return this.fired >= this.times && this.waiting === 0 && this.#promised === 0 && !this.overtakings?.size;
  }

  isExpired(now: number): boolean {
    return this.rule.expires_ms !== undefined && now >= this.since + this.rule.expires_ms;
  }

  /** True when the rule's target matches the request. `run`: the timeline of the request's task. */
  concerns(request: NetworkRequest, run: Run | undefined): boolean {
    return matches(this.rule.of, request, this.scope?.run ?? run);
  }

  /** Decides whether it affects a matching request or event, and counts that request or event. */
  take(task: Task | undefined, now: number): boolean {
    if (this.isExpired(now)) return false;
    const { skip = 0, probability } = this.rule;
    const lets =
      this.fired + this.#promised >= this.times ||
      ++this.#seen <= skip ||
      (probability !== undefined && this.draws(task).next() >= probability);
    if (lets) {
      this.passed++;
      return false;
    }
    // A verb that counts requests decides later which of them it refuses.
    if (!this.verb.countsRequests) this.#promised++;
    return true;
  }

  /** Records that it affected a request claimed in `take`. */
  fire(): void {
    this.fired++;
    if (!this.verb.countsRequests) this.#promised--;
  }

  /** Releases a claim of `take`: another rule came first, or there was nothing to change. */
  giveBack(): void {
    this.passed++;
    if (!this.verb.countsRequests) this.#promised--;
  }

  /**
   * Its state for snapshots; undefined for a timeline's rule whose task was removed. Its effect on
   * requests under way is not included.
   */
  keep(timelines: Timelines): RuleSnapshot | undefined {
    const { place, id, rule, scope, since, fired, passed, gave_up, held, window, verb } = this;
    if (scope && timelines.tasks.get(scope.task.id) !== scope.task) return undefined;
    const draws: [string, number[]][] = [];
    const own = this.#draws?.get(this);
    if (own) draws.push(['', own.state()]);
    for (const task of timelines.tasks.values()) {
      const stream = this.#draws?.get(task);
      if (stream) draws.push([task.id, stream.state()]);
    }
    const from = window.from === Number.NEGATIVE_INFINITY ? null : window.from;
    return {
      ...{ place, id, rule, since, fired, passed, gave_up, seen: this.#seen },
      task: scope?.task.id ?? null,
      run: scope ? timelines.pack(scope.task, scope.run) : null,
      held: held && { latest: held.latest, come: held.condition.isMet() },
      quota: verb.countsRequests ? { from, used: window.used } : null,
      random: this.#source().state(),
      draws,
    };
  }

  /** Restores a rule; undefined when its task or timeline does not exist. The state of the stream from `fork` is overwritten. */
  static recall(kept: RuleSnapshot, timelines: Timelines, fork: () => Random): ActiveRule | undefined {
    const task = kept.task === null ? undefined : timelines.tasks.get(kept.task);
    const run = task && timelines.unpack(task, kept.run);
    if (kept.task !== null && !run) return undefined;
    const rule = new ActiveRule(kept.id, kept.rule, task && run && { task, run }, kept.since, fork);
    const { place, fired, passed, gave_up, seen, quota } = kept;
    Object.assign(rule, { place, fired, passed, gave_up });
    rule.#seen = seen;
    if (quota) Object.assign(rule.window, { from: quota.from ?? Number.NEGATIVE_INFINITY, used: quota.used });
    rule.#source().restore(kept.random);
    for (const [id, state] of kept.draws) {
      const owner = id === '' ? undefined : timelines.tasks.get(id);
      if (id === '' || owner) rule.draws(owner).restore(state);
    }
    return rule;
  }

  /** One random stream for each rule and task, so that draws do not influence each other. */
  draws(task: Task | undefined): Random {
    const owner = task ?? this;
    this.#draws ??= new WeakMap();
    let draws = this.#draws.get(owner);
    if (!draws) {
      draws = this.#source().fork(task ? `task ${task.seq}` : 'no task');
      this.#draws.set(owner, draws);
    }
    return draws;
  }

  #source(): Random {
    this.#random ??= this.fork();
    return this.#random;
  }
}

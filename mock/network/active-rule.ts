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

/** A request whose response is to be overtaken by the response to the next one. */
export interface Overtaking {
  task: Task | undefined;
  /** The request that overtakes has come. */
  met: boolean;
  /** Its response has left. */
  done: boolean;
}

/** A rule that is set, and how often it has done what. */
export class ActiveRule {
  /** Times it did something to a request. */
  fired = 0;
  /** Requests it was about that it let pass: within `skip` or a quota, by chance, beyond `times`. */
  passed = 0;
  /** Requests that it holds now. */
  waiting = 0;
  /** Requests that it released because the longest time was over, not because what they waited for came about. */
  gave_up = 0;
  readonly verb: AnyVerb;
  /** Where it stands among the rules of its organisation. */
  place: RuleSnapshot['place'];
  /** Where it works. */
  readonly phase: Verb['phase'];
  /** What it waits for, of a hold. */
  readonly until: Until | undefined;
  /** Requests whose overtaker has not been answered yet, of a verb that needs the next one. */
  readonly overtakings: Set<Overtaking> | undefined;
  /** Of a verb that counts requests: when the current window began, ms, and the requests in it. */
  readonly window = { from: Number.NEGATIVE_INFINITY, used: 0 };
  /** The step that it holds now: until when at most (ms), and what it waits for. */
  held: { latest: number; condition: WaitCondition } | null = null;
  /** Requests that it is going to do something to. */
  #promised = 0;
  #seen = 0;
  /** Most rules draw nothing. */
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

  /** Fires at most so often: once in a timeline, without end elsewhere, unless the rule says otherwise. */
  get times(): number {
    return this.rule.times ?? (this.scope ? 1 : Number.POSITIVE_INFINITY);
  }

  isSpent(): boolean {
    return this.fired >= this.times && this.waiting === 0 && this.#promised === 0 && !this.overtakings?.size;
  }

  isExpired(now: number): boolean {
    return this.rule.expires_ms !== undefined && now >= this.since + this.rule.expires_ms;
  }

  /** True when the request is one that the rule is about. `run`: the timeline of the request's task. */
  concerns(request: NetworkRequest, run: Run | undefined): boolean {
    return matches(this.rule.of, request, this.scope?.run ?? run);
  }

  /** Decides whether it does something to a request (or an event) it is about. Counts it either way. */
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
    // One that counts knows only later which requests it refuses.
    if (!this.verb.countsRequests) this.#promised++;
    return true;
  }

  /** It has done what it promised in `take`. */
  fire(): void {
    this.fired++;
    if (!this.verb.countsRequests) this.#promised--;
  }

  /** It came to nothing: another rule was before it, or it found nothing to do. */
  giveBack(): void {
    this.passed++;
    if (!this.verb.countsRequests) this.#promised--;
  }

  /**
   * What it has done so far, for snapshots: undefined for a timeline's rule whose task is gone. What it does to
   * requests under way is not part of it.
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

  /** The rule as it was; undefined when its task or its timeline is not there. `fork` gives any stream: its state is set. */
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

  /** A stream of its own for each rule and task: what one draws never shifts what another gets. */
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

import type { NetworkRule } from '../../scenarios/format/types.js';
import type { HoldCondition, Verb } from '../../scenarios/verbs/verb.js';
import { type AnyVerb, readVerb } from '../../scenarios/verbs/verbs.js';
import type { RuleSnapshot } from '../engine/snapshot/network.js';
import type { Timelines } from '../engine/snapshot/timelines.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { Random } from '../generate/random.js';
import { isMatch, type NetworkRequest } from './network-request.js';
import type { WaitCondition } from './pending-requests.js';

/** The origin of a timeline's rule. */
export interface Scope {
  task: Task;
  run: Run;
}

/** Hits and matches of one rule in several organisations. */
export interface SharedCount {
  used: number;
  seen: number;
}

/** Restrictions of a rule that was set while the mock runs. */
export interface RuleLimits {
  /** Id of the only task whose requests it affects. */
  onlyTask?: string | undefined;
  /** `times` and `skip` count the requests of all organisations together. */
  together?: SharedCount | undefined;
}

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
  /** The phase of the exchange that its verb changes. */
  readonly phase: Verb['phase'];
  readonly until: HoldCondition | undefined;
  /** For a verb that counts requests: start of the current window (ms) and the requests in it. */
  readonly window = { from: Number.NEGATIVE_INFINITY, used: 0 };
  /** Its held step: latest time (ms) and condition. */
  held: { latest: number; condition: WaitCondition } | null = null;
  /** Switched off: it affects nothing and stays in the list. */
  isOff = false;
  /** The last exchange of its organisation before it was set. */
  afterSeq = 0;
  readonly onlyTask: string | undefined;
  together: SharedCount | undefined;
  /** Requests that it has claimed and not affected yet. */
  #promised = 0;
  #seen = 0;

  constructor(
    readonly id: string,
    readonly rule: NetworkRule,
    /** Absent for a standing rule. */
    readonly scope: Scope | undefined,
    /** When it was set, ms. */
    readonly since: number,
    private readonly random: Random,
    { onlyTask, together }: RuleLimits = {},
  ) {
    this.onlyTask = onlyTask;
    this.together = together;
    this.verb = readVerb(rule);
    this.phase = ('side' in rule && rule.side) || this.verb.phase;
    this.until = 'until' in rule ? rule.until : undefined;
  }

  /** Id of the timeline step that set it. */
  get step(): string | undefined {
    return (this.rule as { id?: string }).id;
  }

  /** Most times it fires. Default: once in a timeline, unlimited elsewhere. */
  get times(): number {
    return this.rule.times ?? (this.scope ? 1 : Number.POSITIVE_INFINITY);
  }

  /** True if it has affected as many requests as it may. */
  hasReachedTimes(): boolean {
    return (this.together?.used ?? this.fired + this.#promised) >= this.times;
  }

  isSpent(): boolean {
    return this.hasReachedTimes() && this.waiting === 0 && this.#promised === 0;
  }

  isExpired(now: number): boolean {
    return this.rule.expires_ms !== undefined && now >= this.since + this.rule.expires_ms;
  }

  /** True if the rule can no longer affect anything. */
  isOver(now: number): boolean {
    return this.isOff || this.isSpent() || (this.isExpired(now) && this.waiting === 0);
  }

  isAbout(task: Task | undefined): boolean {
    return this.onlyTask === undefined || this.onlyTask === task?.id;
  }

  /** `run`: the timeline of the request's task. */
  isMatch(request: NetworkRequest, run: Run | undefined): boolean {
    return this.isAbout(request.task) && isMatch(this.rule.of, request, this.scope?.run ?? run);
  }

  /** Random numbers for one request or step, so that draws do not influence each other. */
  forkRandom(subject: string): Random {
    return this.random.fork(`network ${this.id} ${subject}`);
  }

  /** Decides whether the rule affects a matching request or event, and counts it. */
  claim(subject: string, now: number): boolean {
    if (this.isOff || this.isExpired(now)) return false;
    const { skip = 0, probability } = this.rule;
    const isUnaffected =
      this.hasReachedTimes() ||
      this.#countSeen() <= skip ||
      (probability !== undefined && this.forkRandom(`${subject} taken`).next() >= probability);
    if (isUnaffected) {
      this.passed++;
      return false;
    }
    // A verb that counts requests decides later which of them it refuses.
    if (!this.verb.countsRequests) this.#promise(1);
    return true;
  }

  /** The number of matching requests so far, with this one. */
  #countSeen(): number {
    if (this.together) this.together.seen++;
    this.#seen++;
    return this.together?.seen ?? this.#seen;
  }

  #promise(count: 1 | -1): void {
    this.#promised += count;
    if (this.together) this.together.used += count;
  }

  /** Records that it affected a claimed request. */
  fire(): void {
    this.fired++;
    if (!this.verb.countsRequests) this.#promised--;
    else if (this.together) this.together.used++;
  }

  /** Releases a claim: another rule came first, or there was nothing to change. */
  releaseClaim(): void {
    this.passed++;
    if (!this.verb.countsRequests) this.#promise(-1);
  }

  /** Its state for snapshots; undefined for a timeline's rule whose task was removed. Does not include its effect on requests under way. */
  toSnapshot(timelines: Timelines): RuleSnapshot | undefined {
    const { id, rule, scope, since, fired, passed, gave_up, held, window, verb, isOff, onlyTask, together } =
      this;
    if (scope && timelines.tasks.get(scope.task.id) !== scope.task) return undefined;
    const from = window.from === Number.NEGATIVE_INFINITY ? null : window.from;
    return {
      ...{ id, rule, since, fired, passed, gave_up, seen: this.#seen },
      task: scope?.task.id ?? null,
      run: scope ? timelines.pack(scope.task, scope.run) : null,
      held: held && { latest: held.latest, come: held.condition.isMet() },
      quota: verb.countsRequests ? { from, used: window.used } : null,
      ...(isOff && { off: true }),
      ...(onlyTask !== undefined && { only_task: onlyTask }),
      ...(together && { together: { ...together } }),
    };
  }

  /** Returns undefined if its task or timeline does not exist. */
  static restore(kept: RuleSnapshot, timelines: Timelines, random: Random): ActiveRule | undefined {
    const task = kept.task === null ? undefined : timelines.tasks.get(kept.task);
    const run = task && timelines.unpack(task, kept.run);
    if (kept.task !== null && !run) return undefined;
    const limits = { onlyTask: kept.only_task, together: kept.together };
    const rule = new ActiveRule(kept.id, kept.rule, task && run && { task, run }, kept.since, random, limits);
    rule.isOff = kept.off === true;
    const { fired, passed, gave_up, seen, quota } = kept;
    Object.assign(rule, { fired, passed, gave_up });
    rule.#seen = seen;
    if (quota) Object.assign(rule.window, { from: quota.from ?? Number.NEGATIVE_INFINITY, used: quota.used });
    return rule;
  }
}

import type { NetworkRule } from '../../scenarios/format/types.js';
import type { RuleSnapshot } from '../engine/snapshot/network.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { Random } from '../generate/random.js';
import type { About } from './about.js';
import { Quota } from './quota.js';
import { matches } from './targets.js';

/** Where a rule of a timeline comes from. */
export interface Scope {
  task: Task;
  run: Run;
}

type Kept = Pick<
  RuleSnapshot,
  'fired' | 'passed' | 'gave_up' | 'seen' | 'held' | 'quota' | 'random' | 'draws'
>;

/** A request whose answer is to be overtaken by the answer to the next one. */
export interface Overtaking {
  task: Task | undefined;
  /** The request that overtakes has come. */
  met: boolean;
  /** Its answer has left. */
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
  /** Requests that it let go because the longest time was over, not because what they waited for came about. */
  gave_up = 0;
  /** For `reorder`: those whose overtaker has not been answered yet. */
  readonly overtakings: Set<Overtaking> | undefined;
  readonly quota: Quota | undefined;
  /** The step that it holds now: until when at most (ms), and whether what it waits for has come. */
  held: { latest: number; come: boolean } | null = null;
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
    this.overtakings = rule.network === 'reorder' ? new Set() : undefined;
    this.quota = rule.network === 'quota' ? new Quota(rule.requests, rule.per_ms) : undefined;
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
  concerns(about: About, run: Run | undefined): boolean {
    return matches(this.rule.of, about, this.scope?.run ?? run);
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
    // A quota knows only later whom it refuses.
    if (!this.quota) this.#promised++;
    return true;
  }

  /** It has done what it promised in `take`. */
  fire(): void {
    this.fired++;
    if (!this.quota) this.#promised--;
  }

  /** It came to nothing: another rule, or the quota, was before it. */
  giveBack(): void {
    this.passed++;
    if (!this.quota) this.#promised--;
  }

  /** What it has done so far, for snapshots. What it does to requests under way is not part of it. */
  keep(tasks: Iterable<Task>): Kept {
    const { fired, passed, gave_up, quota } = this;
    const draws: [string, number[]][] = [];
    const own = this.#draws?.get(this);
    if (own) draws.push(['', own.state()]);
    for (const task of tasks) {
      const stream = this.#draws?.get(task);
      if (stream) draws.push([task.id, stream.state()]);
    }
    return {
      fired,
      passed,
      gave_up,
      seen: this.#seen,
      held: this.held && { ...this.held },
      quota: quota?.keep() ?? null,
      random: this.#source().state(),
      draws,
    };
  }

  recall(kept: Kept, taskOf: (id: string) => Task | undefined): void {
    this.fired = kept.fired;
    this.passed = kept.passed;
    this.gave_up = kept.gave_up;
    this.#seen = kept.seen;
    this.held = kept.held ?? null;
    this.waiting = this.held ? 1 : 0;
    if (kept.quota) this.quota?.recall(kept.quota);
    this.#source().restore(kept.random);
    for (const [id, state] of kept.draws) {
      const task = id === '' ? undefined : taskOf(id);
      if (id === '' || task) this.draws(task).restore(state);
    }
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

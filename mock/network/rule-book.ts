import { meansCreate } from '../../scenarios/format/network/target.js';
import type { NetworkRule } from '../../scenarios/format/types.js';
import type { Task } from '../engine/tasks/task.js';
import type { ActiveRule } from './active-rule.js';
import type { NetworkRequest } from './network-request.js';

/** A rule as the admin API lists it. */
export interface ListedRule {
  id: string;
  /** Of a timeline's rule. */
  task?: string;
  /** Id of the step that it comes from. */
  step?: string;
  rule: NetworkRule;
  state: 'live' | 'spent' | 'expired';
  /** Requests that it affected: 0 for a deviation that was not triggered. */
  fired: number;
  /** Matching requests that it did not affect. */
  passed: number;
  /** Pending requests that it holds. */
  waiting: number;
  /** Of `fired`: waits that ended because `at_most_ms` was over. */
  gave_up: number;
}

export function listed(rule: ActiveRule, now: number): ListedRule {
  const { id, scope, fired, passed, waiting, gave_up } = rule;
  const state = rule.isSpent() ? 'spent' : rule.isExpired(now) ? 'expired' : 'live';
  const entry: ListedRule = { id, rule: rule.rule, state, fired, passed, waiting, gave_up };
  if (scope) entry.task = scope.task.id;
  const { id: step } = rule.rule as { id?: string };
  if (step !== undefined) entry.step = step;
  return entry;
}

/** Limit for timelines' rules about creates and for retired rules in `list`; the oldest are removed. */
const MOST_OF_TIMELINES = 1000;
/** Below this number of tasks with rules, rules of removed tasks are not pruned. */
const PRUNE_FROM = 1024;

const NONE: readonly ActiveRule[] = [];

function joined(some: readonly ActiveRule[], more: readonly ActiveRule[]): readonly ActiveRule[] {
  if (some.length === 0) return more;
  return more.length === 0 ? some : [...some, ...more];
}

/** The rules of one organisation, indexed by what they can match. */
export class RuleBook {
  #lists = { standing: [] as ActiveRule[], creates: [] as ActiveRule[], retired: [] as ActiveRule[] };
  /** Each list is replaced on change, so that iterating over it stays safe. */
  #byTask = new Map<Task, readonly ActiveRule[]>();
  #pruneAt = PRUNE_FROM;

  get isEmpty(): boolean {
    const { standing, creates } = this.#lists;
    return standing.length === 0 && this.#byTask.size === 0 && creates.length === 0;
  }

  all(): ActiveRule[] {
    const { standing, creates, retired } = this.#lists;
    return [...standing, ...creates, ...[...this.#byTask.values()].flat(), ...retired];
  }

  /** True for a timeline's rule about creates that was already set so that it applies to the timeline's own create. */
  leads(name: string, { network, of }: NetworkRule): boolean {
    const { standing } = this.#lists;
    return meansCreate(of) && standing.some(({ id, rule }) => id === name && rule.network === network);
  }

  /** Adds a rule to the list that its `place` names. Rules of tasks for which `isKept` is false are pruned when there are many. */
  add(rule: ActiveRule, isKept: (task: Task) => boolean = () => true): void {
    const { place, scope } = rule;
    if (place !== 'task') {
      const list = this.#lists[place];
      list.push(rule);
      if (scope && list.length > MOST_OF_TIMELINES) list.splice(0, MOST_OF_TIMELINES >> 3);
      return;
    }
    this.#byTask.set(scope!.task, [...(this.#byTask.get(scope!.task) ?? NONE), rule]);
    if (this.#byTask.size <= this.#pruneAt) return;
    for (const each of this.#byTask.keys()) if (!isKept(each)) this.#byTask.delete(each);
    this.#pruneAt = Math.max(PRUNE_FROM, 2 * this.#byTask.size);
  }

  /** Rules that can match a request, standing rules first. */
  concerning({ kind, task }: NetworkRequest, now: number): readonly ActiveRule[] {
    const { standing, creates } = this.#lists;
    const wide = kind === 'create' ? joined(standing, creates) : standing;
    const own = task && this.#byTask.get(task);
    if (!own) return wide;
    for (const rule of own) this.retire(rule, now);
    return joined(wide, own);
  }

  /** Rules that can match a task's events. */
  forTask(task: Task): readonly ActiveRule[] {
    return joined(this.#lists.standing, this.#byTask.get(task) ?? NONE);
  }

  /** Rules about creates that this task's timeline has set. */
  forCreates(task: Task): ActiveRule[] {
    return this.#lists.creates.filter((rule) => rule.scope!.task === task);
  }

  /** Retires a timeline's rule once its `times` are used or it has expired. */
  retire(rule: ActiveRule, now: number): void {
    if (!rule.scope || !(rule.isSpent() || (rule.isExpired(now) && rule.waiting === 0))) return;
    if (rule.place === 'retired' || !this.#takeOut(rule)) return;
    rule.place = 'retired';
    this.add(rule);
  }

  remove(goes: (rule: ActiveRule) => boolean): void {
    for (const rule of this.all()) if (goes(rule)) this.#takeOut(rule);
  }

  /** False if the book does not contain the rule. */
  #takeOut(rule: ActiveRule): boolean {
    const { place, scope } = rule;
    const rules = place === 'task' ? this.#byTask.get(scope!.task) : this.#lists[place];
    if (!rules?.includes(rule)) return false;
    const left = rules.filter((each) => each !== rule);
    if (place !== 'task') this.#lists[place] = left;
    else if (left.length > 0) this.#byTask.set(scope!.task, left);
    else this.#byTask.delete(scope!.task);
    return true;
  }
}

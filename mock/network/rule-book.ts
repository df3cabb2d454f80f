import { meansCreate } from '../../scenarios/format/network/target.js';
import type { NetworkRule } from '../../scenarios/format/types.js';
import type { RuleSnapshot } from '../engine/snapshot/network.js';
import type { Task } from '../engine/tasks/task.js';
import type { ActiveRule } from './active-rule.js';
import type { NetworkRequest } from './network-request.js';

/** A rule as people see it. */
export interface ListedRule {
  id: string;
  /** Of a timeline's rule. */
  task?: string;
  /** Id of the step that it comes from. */
  step?: string;
  rule: NetworkRule;
  state: 'live' | 'spent' | 'expired';
  /** Times it did something to a request: 0 for a deviation that never came about. */
  fired: number;
  /** Requests it was about that it let pass. */
  passed: number;
  /** Requests that it holds now. */
  waiting: number;
  /** Of `fired`: waits that ended because the longest time was over. */
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

/** Timelines' rules that are over and are kept for `list`. */
const MOST_RETIRED = 1000;
/** Timelines' rules about creates that are live at once; beyond it the oldest go. */
const MOST_CREATES = 1000;
/** Tasks with rules below this are never looked through. */
const PRUNE_FROM = 1024;

export type RulePlace = RuleSnapshot['place'];

const NONE: readonly ActiveRule[] = [];

function joined(some: readonly ActiveRule[], more: readonly ActiveRule[]): readonly ActiveRule[] {
  if (some.length === 0) return more;
  return more.length === 0 ? some : [...some, ...more];
}

/** The rules of one organisation, by whom they may concern. */
export class RuleBook {
  #standing: ActiveRule[] = [];
  /** Who goes through a task's rules keeps them as they were: the list is made anew when one comes or goes. */
  #byTask = new Map<Task, readonly ActiveRule[]>();
  /** Of timelines, about creates. */
  #creates: ActiveRule[] = [];
  #retired: ActiveRule[] = [];
  #pruneAt = PRUNE_FROM;

  get isEmpty(): boolean {
    return this.#standing.length === 0 && this.#byTask.size === 0 && this.#creates.length === 0;
  }

  all(): ActiveRule[] {
    return [...this.#standing, ...this.#creates, ...[...this.#byTask.values()].flat(), ...this.#retired];
  }

  /** Every rule with its place, for snapshots. */
  placed(): { place: RulePlace; rule: ActiveRule }[] {
    const at = (place: RulePlace) => (rule: ActiveRule) => ({ place, rule });
    return [
      ...this.#standing.map(at('standing')),
      ...this.#creates.map(at('creates')),
      ...[...this.#byTask.values()].flat().map(at('task')),
      ...this.#retired.map(at('retired')),
    ];
  }

  /** Has these rules, and no others, in their places. */
  replace(rules: readonly { place: RulePlace; rule: ActiveRule }[]): void {
    const of = (wanted: RulePlace) => rules.flatMap(({ place, rule }) => (place === wanted ? [rule] : []));
    this.#standing = of('standing');
    this.#creates = of('creates');
    this.#retired = of('retired');
    this.#byTask = new Map();
    for (const rule of of('task')) {
      const { task } = rule.scope!;
      this.#byTask.set(task, [...(this.#byTask.get(task) ?? []), rule]);
    }
  }

  /** A rule of a timeline about creates has been set beforehand, so that it could concern the timeline's own create. */
  leads(name: string, { network, of }: NetworkRule): boolean {
    return meansCreate(of) && this.#standing.some(({ id, rule }) => id === name && rule.network === network);
  }

  stand(rule: ActiveRule): void {
    this.#standing.push(rule);
  }

  /** `isKept`: whether the task is still there; rules of others go when there are many. */
  arm(rule: ActiveRule, isKept: (task: Task) => boolean): void {
    const { task } = rule.scope!;
    if (meansCreate(rule.rule.of)) {
      this.#creates.push(rule);
      if (this.#creates.length > MOST_CREATES) this.#creates.splice(0, MOST_CREATES >> 3);
      return;
    }
    this.#byTask.set(task, [...(this.#byTask.get(task) ?? NONE), rule]);
    if (this.#byTask.size <= this.#pruneAt) return;
    for (const each of this.#byTask.keys()) if (!isKept(each)) this.#byTask.delete(each);
    this.#pruneAt = Math.max(PRUNE_FROM, 2 * this.#byTask.size);
  }

  /** Rules that may do something to a request, standing ones first. */
  concerning({ kind, task }: NetworkRequest, now: number): readonly ActiveRule[] {
    const wide = kind === 'create' ? joined(this.#standing, this.#creates) : this.#standing;
    const own = task && this.#byTask.get(task);
    if (!own) return wide;
    for (const rule of own) this.retire(rule, now);
    return joined(wide, own);
  }

  /** Rules that may do something to a task's events. */
  forTask(task: Task): readonly ActiveRule[] {
    return joined(this.#standing, this.#byTask.get(task) ?? NONE);
  }

  /** Rules about creates that this task's timeline has set. */
  forCreates(task: Task): ActiveRule[] {
    return this.#creates.filter((rule) => rule.scope!.task === task);
  }

  /** Puts a timeline's rule away when it has done what it had to, or its time is over. */
  retire(rule: ActiveRule, now: number): void {
    if (!rule.scope || !(rule.isSpent() || (rule.isExpired(now) && rule.waiting === 0))) return;
    if (!this.#takeOut(rule)) return;
    this.#retired.push(rule);
    if (this.#retired.length > MOST_RETIRED) this.#retired.splice(0, MOST_RETIRED >> 3);
  }

  remove(goes: (rule: ActiveRule) => boolean): void {
    this.#standing = this.#standing.filter((rule) => !goes(rule));
    for (const rule of [...this.#creates, ...[...this.#byTask.values()].flat()])
      if (goes(rule)) this.#takeOut(rule);
    this.#retired = this.#retired.filter((rule) => !goes(rule));
  }

  #takeOut(rule: ActiveRule): boolean {
    if (this.#creates.includes(rule)) {
      this.#creates = this.#creates.filter((each) => each !== rule);
      return true;
    }
    const { task } = rule.scope!;
    const rules = this.#byTask.get(task);
    if (!rules?.includes(rule)) return false;
    const left = rules.filter((each) => each !== rule);
    if (left.length > 0) this.#byTask.set(task, left);
    else this.#byTask.delete(task);
    return true;
  }
}

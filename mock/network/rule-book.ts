import type { NetworkRule } from '../../scenarios/format/types.js';
import { isCreateTarget } from '../../scenarios/verbs/target.js';
import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/tasks/task.js';
import type { ActiveRule } from './active-rule.js';
import type { NetworkRequest } from './network-request.js';

export interface ListedRule {
  id: string;
  /** Only for a timeline's rule. */
  task?: string;
  step?: string;
  rule: NetworkRule;
  /** `off`: switched off. */
  state: 'live' | 'spent' | 'expired' | 'off';
  /** Requests that it affected: 0 for a deviation that was not triggered. */
  fired: number;
  passed: number;
  waiting: number;
  /** The part of `fired` that ended because `at_most_ms` was over. */
  gave_up: number;
  /** Only requests of this task. */
  only_task?: string;
  /** `together`: all organisations count `times` together. Absent: each on its own. */
  count?: 'together';
}

export function toListedRule(rule: ActiveRule, now: number): ListedRule {
  const { id, scope, fired, passed, waiting, gave_up } = rule;
  const isExpired = rule.isExpired(now);
  const state = rule.isOff ? 'off' : rule.isSpent() ? 'spent' : isExpired ? 'expired' : 'live';
  const entry: ListedRule = { id, rule: rule.rule, state, fired, passed, waiting, gave_up };
  if (scope) entry.task = scope.task.id;
  if (rule.step !== undefined) entry.step = rule.step;
  if (rule.onlyTask !== undefined) entry.only_task = rule.onlyTask;
  if (rule.together) entry.count = 'together';
  return entry;
}

/** The id of each standing rule: its own, else the next free one of `rule-1`, `rule-2`, … */
export function assignIds(
  rules: readonly (NetworkRule & { id?: string })[],
  usedIds: ReadonlySet<string>,
): string[] {
  let number = usedIds.size;
  return rules.map(({ id }) => {
    do number++;
    while (usedIds.has(`rule-${number}`));
    return id ?? `rule-${number}`;
  });
}

/** The list with the entry `id` before another one, or last (null). Unchanged if one of them is not there. */
export function moveBefore<T extends { id: string }>(
  list: readonly T[],
  id: string,
  before: string | null,
): readonly T[] {
  const moved = list.find((each) => each.id === id);
  const rest = list.filter((each) => each !== moved);
  const index = before === null ? rest.length : rest.findIndex((each) => each.id === before);
  return moved && index !== -1 ? rest.toSpliced(index, 0, moved) : list;
}

/** Limit for timelines' rules about creates; the oldest are removed. */
const MOST_ABOUT_CREATES = 1000;

const NONE: readonly ActiveRule[] = [];

/** The rules of one organisation, indexed by target. Rules of a task live as long as the task. */
export class RuleBook {
  isEmpty = true;
  #standing = NONE;
  #creates = NONE;
  /** Each list is replaced on change, so that iterating over it is safe. */
  readonly #byTask = new WeakMap<Task, readonly ActiveRule[]>();

  constructor(private readonly organisation: Organisation) {}

  list(): ActiveRule[] {
    if (this.isEmpty) return [];
    const own = [...this.organisation.tasks.values()].flatMap((task) => this.#byTask.get(task) ?? NONE);
    return [...this.#standing, ...this.#creates, ...own];
  }

  /** True if a timeline's rule about creates was set early so that it applies to the timeline's own create. */
  hasLeadingRule(name: string, { network, of }: NetworkRule): boolean {
    return (
      isCreateTarget(of) && this.#standing.some(({ id, rule }) => id === name && rule.network === network)
    );
  }

  add(rule: ActiveRule): void {
    this.isEmpty = false;
    const { scope } = rule;
    if (!scope) this.#standing = [...this.#standing, rule];
    else if (isCreateTarget(rule.rule.of))
      this.#creates = [...this.#creates, rule].slice(-MOST_ABOUT_CREATES);
    else this.#byTask.set(scope.task, [...(this.#byTask.get(scope.task) ?? NONE), rule]);
  }

  /** Rules that can match a request, standing rules first. */
  listForRequest({ kind, task }: NetworkRequest): readonly ActiveRule[] {
    return this.#listLive(kind === 'create' ? this.#creates : NONE, task);
  }

  listForTask(task: Task): readonly ActiveRule[] {
    return this.#listLive(NONE, task);
  }

  listForCreates(task: Task): readonly ActiveRule[] {
    return this.#creates.filter((rule) => rule.scope!.task === task);
  }

  remove(isRemoved: (rule: ActiveRule) => boolean): void {
    const isKept = (rule: ActiveRule) => !isRemoved(rule);
    this.#standing = this.#standing.filter(isKept);
    this.#creates = this.#creates.filter(isKept);
    for (const task of this.organisation.tasks.values())
      this.#byTask.set(task, (this.#byTask.get(task) ?? NONE).filter(isKept));
    this.isEmpty = this.list().length === 0;
  }

  find(id: string): ActiveRule | undefined {
    return this.list().find((rule) => rule.id === id);
  }

  /** Puts a standing rule in the place of another. */
  replace(rule: ActiveRule, other: ActiveRule): void {
    this.#standing = this.#standing.map((each) => (each === rule ? other : each));
  }

  /** Puts a standing rule before another, or last. Does nothing if the other one is not there. */
  move(id: string, before: string | null): void {
    this.#standing = moveBefore(this.#standing, id, before);
  }

  #listLive(creates: readonly ActiveRule[], task: Task | undefined): readonly ActiveRule[] {
    const own = (task && this.#byTask.get(task)) ?? NONE;
    if (creates.length + own.length === 0) return this.#standing;
    const { now } = this.organisation;
    const isLive = (rule: ActiveRule) => !rule.isOver(now);
    const timelines = creates.length === 0 ? own : [...creates, ...own];
    // Called at every step, so it creates a list only if needed.
    const live = timelines.every(isLive) ? timelines : timelines.filter(isLive);
    return this.#standing.length === 0 ? live : [...this.#standing, ...live];
  }
}

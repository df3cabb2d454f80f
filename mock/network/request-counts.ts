import type { NetworkSnapshot, TallySnapshot } from '../engine/snapshot/network.js';
import type { Timelines } from '../engine/snapshot/timelines.js';
import type { Run, Task } from '../engine/tasks/task.js';
import type { NetworkRequest } from './network-request.js';

interface KindCounts {
  /** Polls that arrived but the task did not count: lost, refused or under way. */
  unanswered: number;
  cancels: number;
  /** Requests other than polls and cancels. */
  others: number;
  /** The task's own timeline, kept after the task has ended. */
  run: Run | undefined;
  /** Client steps that actions under way will fulfil. */
  claimed: Set<string>;
}

/**
 * Counts requests, so that a rule can target the n-th. Adds to the task's own count of polls, which includes polls that passed before any
 * rule was set.
 */
export class RequestCounts {
  #byTask = new WeakMap<Task, KindCounts>();
  #withoutTask = createCounts(undefined);
  #creates = 0;
  #underWay = new Set<NetworkRequest>();

  /** Counts a create that arrived while no rule was set. */
  countCreate(): void {
    this.#creates++;
  }

  /** Sets `ordinal` and `step` of a request that arrived; returns the timeline of its task. */
  recordArrival(request: NetworkRequest): Run | undefined {
    const { kind, task } = request;
    this.#underWay.add(request);
    const counts = this.#ensureCounts(task);
    if (kind === 'create') request.ordinal = ++this.#creates;
    else if (kind === 'poll') request.ordinal = (task?.polls ?? 0) + ++counts.unanswered;
    else if (kind === 'cancel') request.ordinal = ++counts.cancels;
    else request.ordinal = ++counts.others;
    if (kind === 'action') {
      request.step = findStep(request, counts);
      if (request.step !== undefined) counts.claimed.add(request.step);
    }
    return counts.run;
  }

  /** Called twice for a duplicate. */
  recordHandling(request: NetworkRequest, status: number): void {
    if (request.kind === 'poll' && request.task && (status === 200 || status === 202)) {
      this.#ensureCounts(request.task).unanswered--;
    }
  }

  recordDeparture(request: NetworkRequest): void {
    this.#underWay.delete(request);
    if (request.step !== undefined && request.task)
      this.#ensureCounts(request.task).claimed.delete(request.step);
  }

  count(kind: 'create' | 'poll' | 'cancel', task: Task | undefined): number {
    if (kind === 'create') return this.#creates;
    const counts = this.#ensureCounts(task);
    return kind === 'poll' ? (task?.polls ?? 0) + counts.unanswered : counts.cancels;
  }

  /** True while the n-th request of a kind has no response. */
  isUnderWay(kind: 'create' | 'poll' | 'cancel', ordinal: number, task: Task | undefined): boolean {
    for (const request of this.#underWay) {
      const isOther = kind !== 'create' && request.task !== task;
      if (request.kind === kind && request.ordinal === ordinal && !isOther) return true;
    }
    return false;
  }

  /** The task's own timeline; after the task has ended, only if it was used before. */
  findRun(task: Task): Run | undefined {
    return this.#ensureCounts(task).run;
  }

  /** For snapshots. Does not include requests under way. */
  toSnapshot(timelines: Timelines): Pick<NetworkSnapshot, 'creates' | 'tally'> {
    const tally: TallySnapshot[] = [];
    for (const task of [undefined, ...timelines.tasks.values()]) {
      const counts = task ? this.#byTask.get(task) : this.#withoutTask;
      if (!counts) continue;
      const { unanswered, cancels, others, run } = counts;
      const packed = task && run ? timelines.pack(task, run) : null;
      const id = task?.id ?? null;
      tally.push({ task: id, unanswered, cancels, others, has_run: run !== undefined, run: packed });
    }
    return { creates: this.#creates, tally };
  }

  restore({ creates, tally }: NetworkSnapshot, timelines: Timelines): void {
    this.#creates = creates;
    this.#withoutTask = createCounts(undefined);
    this.#byTask = new WeakMap();
    for (const { task: id, unanswered, cancels, others, has_run, run } of tally) {
      const task = id === null ? undefined : timelines.tasks.get(id);
      if (id !== null && !task) continue;
      const known = task && has_run ? timelines.unpack(task, run) : undefined;
      Object.assign(this.#ensureCounts(task), { unanswered, cancels, others, run: known });
    }
  }

  #ensureCounts(task: Task | undefined): KindCounts {
    if (!task) return this.#withoutTask;
    let counts = this.#byTask.get(task);
    if (!counts) {
      counts = createCounts(task);
      this.#byTask.set(task, counts);
    }
    counts.run ??= task.runs[0];
    return counts;
  }
}

function createCounts(task: Task | undefined): KindCounts {
  const cancels = task?.status === 'cancelled' ? 1 : 0;
  return { unanswered: 0, cancels, others: 0, run: undefined, claimed: new Set() };
}

/** The step that an action fulfils: the same step if it is sent again, else the first open step of that name. */
function findStep({ action, event }: NetworkRequest, { run, claimed }: KindCounts): string | undefined {
  if (!run || action === undefined) return undefined;
  let open: string | undefined;
  for (const step of run.steps) {
    if (!('client' in step) || step.id === undefined) continue;
    if (step.client !== 'action' && step.client !== 'close') continue;
    const eventId = run.ids[step.id];
    if (eventId !== undefined && eventId === event) return step.id;
    const name = step.client === 'close' ? 'close' : step.name;
    if (eventId === undefined && name === action && !claimed.has(step.id)) open ??= step.id;
  }
  return open;
}

import { parseDuration } from '../../spec/duration.js';
import { quote } from '../../spec/show.js';
import { isTerminal, TASK_STATUSES } from '../../spec/vocabulary.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import { type GateView, viewGates } from '../control/gates.js';
import { summarizeTask, type TaskSummary, viewRuns } from '../control/views.js';
import { settle } from '../engine/tasks/lifecycle.js';
import type { Task } from '../engine/tasks/task.js';
import type { NetworkedOrganisation } from '../network/network.js';
import { getService, type MockService } from '../service.js';
import { AdminError } from './admin-request.js';
import type { AdminCall } from './route.js';

export const WAIT_PARAMETERS = ['task', 'status', 'event', 'gate', 'timeout'] as const;

/** All of them have to hold at the same time. */
interface WaitConditions {
  task?: string;
  /** A status, or `finished`: any terminal one. */
  status?: string;
  /** Id or name of an event, or the id of a step that has happened. */
  event?: string;
  /** A step or a request waits for it. */
  gate?: string;
}

const STATUSES: readonly string[] = [...TASK_STATUSES, 'finished'];

const DEFAULT_TIMEOUT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 60_000;
/** Most requests that wait at the same time. */
const MOST_WAITING = 100;
/**
 * Time between two checks, ms of real time. Checks also move clocks that follow real time, and need no notification by the engine: a reset
 * or a restored state counts as well.
 */
const CHECK_EVERY_MS = 10;

const waiting = new WeakMap<MockService, number>();

/** Resolves when the conditions hold. Rejects with AdminError when they cannot hold any more, or not within the timeout of real time. */
export async function waitForConditions({
  target,
  request,
  key,
  query,
}: AdminCall<ControlledMock>): Promise<{ task: TaskSummary | null }> {
  const { timeout, ...rest } = query;
  const conditions: WaitConditions = rest;
  checkConditions(conditions);
  const timeout_ms = readTimeout(timeout);
  const service = getService(target);
  const count = waiting.get(service) ?? 0;
  if (count >= MOST_WAITING)
    throw new AdminError(429, `${count} requests wait already, and no more may: let one of them end first.`);
  waiting.set(service, count + 1);
  try {
    for (let end = performance.now() + timeout_ms; ; ) {
      const found = findTask(service, conditions, key);
      if (found !== undefined) return { task: found && summarizeTask(found) };
      if (request.signal?.aborted || performance.now() >= end) break;
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    }
    throw new AdminError(409, describeTimeout(service, conditions, key, timeout_ms));
  } finally {
    waiting.set(service, waiting.get(service)! - 1);
  }
}

function checkConditions({ task, status, event, gate }: WaitConditions): void {
  if (status === undefined && event === undefined && gate === undefined)
    throw new AdminError(
      422,
      `Nothing to wait for: give ?status=, ?event= or ?gate=${task === undefined ? '' : ' beside the task'}.`,
    );
  if (status !== undefined && !STATUSES.includes(status))
    throw new AdminError(422, `status: expected one of ${STATUSES.join(', ')}, got ${quote(status)}.`);
}

function readTimeout(timeout: string | undefined): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const ms = parseDuration(/^\d+$/.test(timeout) ? Number(timeout) : timeout);
  if (ms !== undefined && ms <= LONGEST_TIMEOUT_MS) return ms;
  throw new AdminError(
    422,
    `timeout: expected a duration up to ${LONGEST_TIMEOUT_MS / 1000}s, such as 500ms or 10s, got ${quote(timeout)}.`,
  );
}

/**
 * A task for which the conditions hold; null if a request waits for the gate and no condition is about a task; undefined if they do not
 * hold. Throws AdminError if the given task has ended otherwise, and MockError if it does not exist.
 */
function findTask(
  { organisations }: MockService,
  conditions: WaitConditions,
  key: string | undefined,
): Task | null | undefined {
  const { task: id, status, event, gate } = conditions;
  if (id !== undefined) {
    const task = organisations.requireTask(id, key);
    if (isMet(task, conditions, viewGatesIf(gate, task.organisation as NetworkedOrganisation))) return task;
    if (!isTerminal(task.status)) return undefined;
    const text = `Task ${quote(id)} is ${task.status}: ${describeConditions(conditions)} cannot come any more.`;
    throw new AdminError(409, text, { is_final: true });
  }
  for (const organisation of organisations.selectOpen(key)) {
    const gates = viewGatesIf(gate, organisation);
    for (const task of organisation.tasks.values()) if (isMet(task, conditions, gates)) return task;
    const isAboutTask = status !== undefined || event !== undefined;
    if (!isAboutTask && gates && isHeldAt(gates, gate)) return null;
  }
  return undefined;
}

function viewGatesIf(gate: string | undefined, organisation: NetworkedOrganisation): GateView | undefined {
  return gate === undefined ? undefined : viewGates(organisation);
}

function isMet(task: Task, { status, event, gate }: WaitConditions, gates: GateView | undefined): boolean {
  settle(task);
  if (status === 'finished' ? !isTerminal(task.status) : (status ?? task.status) !== task.status)
    return false;
  if (event !== undefined && !hasEvent(task, event)) return false;
  if (!gates) return true;
  return gates.waiting.some((step) => step.task === task.id && step.gate === gate) || isHeldAt(gates, gate);
}

/** The runs of a finished task are gone; its calls and actions know their steps. */
function hasEvent({ log, runs, calls, actions }: Task, event: string): boolean {
  return (
    log.list().some(({ id, name }) => id === event || name === event) ||
    runs.some(({ happened }) => happened.has(event)) ||
    [...(calls?.values() ?? []), ...(actions?.values() ?? [])].some(({ step }) => step === event)
  );
}

/** True if a network rule holds a request until the gate opens. */
function isHeldAt({ held }: GateView, gate: string | undefined): boolean {
  return held.some((rule) => rule.gate === gate);
}

function describeConditions({ task, status, event, gate }: WaitConditions): string {
  const parts = [
    status !== undefined && `the status ${status}`,
    event !== undefined && `the event ${quote(event)}`,
    gate !== undefined && `a step or request at the gate ${quote(gate)}`,
  ].filter((part) => part !== false);
  return `${parts.join(' and ')}${task === undefined ? '' : ` of task ${task}`}`;
}

/** Most tasks that a message lists. */
const MOST_LISTED = 5;

function describeTimeout(
  { organisations }: MockService,
  conditions: WaitConditions,
  key: string | undefined,
  timeout_ms: number,
): string {
  const open = organisations.selectOpen(key);
  const tasks = open
    .flatMap((organisation) => [...organisation.tasks.values()])
    .filter(({ id }) => conditions.task === undefined || id === conditions.task);
  const more = tasks.length > MOST_LISTED ? [`and ${tasks.length - MOST_LISTED} more tasks`] : [];
  const listed = tasks.slice(0, MOST_LISTED).map((task) => describeTask(task));
  const state = tasks.length === 0 ? 'there is no task' : [...listed, ...more].join('; ');
  const isStill = tasks.some(
    ({ organisation, status }) => !isTerminal(status) && organisation.clock.mode === 'manual',
  );
  const hint = isStill ? ' The clock is manual: only POST /__admin/clock moves it.' : '';
  return `Waited ${timeout_ms / 1000} s for ${describeConditions(conditions)}. Now ${state}.${hint}`;
}

function describeTask(task: Task): string {
  const waits = viewRuns(task).flatMap(({ next }) =>
    next && next.waitsFor.length > 0 ? [`${next.step} waits for ${next.waitsFor.join(' and ')}`] : [],
  );
  return [`task ${task.id} is ${task.status}`, ...waits].join(', ');
}

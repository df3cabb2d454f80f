import type { Step } from '../../scenarios/format/types.js';
import { findReply } from '../engine/tasks/agent.js';
import type { Run, SideStep, Task } from '../engine/tasks/task.js';

/** A condition of a step that is not met. Times are ms. */
export type MissingCondition =
  | { kind: 'queue' | 'time'; due: number }
  | { kind: 'polls'; left: number }
  | { kind: 'gate'; gate: string }
  | MissingReply
  | { kind: 'action'; action: string }
  | { kind: 'close' | 'cancel' }
  | { kind: 'step'; step: string }
  /** Clients still have time to read the last event on a 202. */
  | { kind: 'last-event' }
  /** A network rule holds the step until something happens. */
  | { kind: 'held'; until: string };

/** The client has not replied to a call. */
export interface MissingReply {
  kind: 'reply';
  /** Id of the event; absent if the call has not happened. */
  call?: string;
  tool?: string;
  input?: unknown;
  /** Id of the step that makes the call, if another step waits for the reply. */
  step?: string;
}

/** Empty if nothing blocks the step. `place`: holds the time since which it waits. */
export function listMissingConditions(
  task: Task,
  run: Run,
  step: Step,
  place: Run | SideStep,
): MissingCondition[] {
  const { organisation, starts_at } = task;
  const due = findDueTime(task, step, place);
  if (starts_at !== null) return [{ kind: 'queue', due: starts_at }];
  const { polls = 0, gate, reply, step: earlier } = step.after ?? {};
  const isWithheld = 'service' in step && step.service === 'finish' && task.withheld_since !== null;
  const holds =
    'service' in step && step.id !== undefined ? organisation.network.steps.listHolds(task, step.id) : [];
  const missing: (MissingCondition | undefined)[] = [
    'client' in step ? findMissingRequest(task, run, step, place.polls) : undefined,
    due === undefined ? undefined : { kind: 'time', due },
    countMissingPolls(place.polls + polls - task.polls),
    gate === undefined || organisation.isGateOpen(gate, task) ? undefined : { kind: 'gate', gate },
    reply === undefined ? undefined : findMissingReply(task, run, reply, { step: reply }),
    earlier === undefined || run.happened.has(earlier) ? undefined : { kind: 'step', step: earlier },
    isWithheld ? { kind: 'last-event' } : undefined,
    ...holds.map((until) => ({ kind: 'held', until }) as const),
  ];
  return missing.filter((each) => each !== undefined);
}

/** When the waiting time of a step ends, ms; undefined if it is over or the step has none. */
export function findDueTime({ organisation, starts_at }: Task, { after }: Step, { since }: Run | SideStep) {
  const due = starts_at ?? since + (after?.time_ms ?? 0);
  return due > organisation.now ? due : undefined;
}

function countMissingPolls(left: number): MissingCondition | undefined {
  return left > 0 ? { kind: 'polls', left } : undefined;
}

function findMissingReply(
  task: Task,
  run: Run,
  id: string,
  more: Pick<MissingReply, 'step'> = {},
): MissingReply | undefined {
  if (findReply(task, run, id)) return undefined;
  const event = run.ids[id] ?? id;
  const call = task.calls?.get(event);
  if (!call) return { kind: 'reply', ...more };
  const { tool, input } = call;
  return { kind: 'reply', call: event, tool, ...(input !== undefined && { input }), ...more };
}

function findMissingRequest(
  task: Task,
  run: Run,
  step: Extract<Step, { client: unknown }>,
  polls: number,
): MissingCondition | undefined {
  switch (step.client) {
    case 'reply':
      return findMissingReply(task, run, step.to);
    case 'action':
      return step.id === undefined || run.ids[step.id] === undefined
        ? { kind: 'action', action: step.name }
        : undefined;
    case 'close':
      return task.closing ? undefined : { kind: 'close' };
    case 'poll':
      return countMissingPolls(polls + (step.times ?? 1) - task.polls);
    case 'cancel':
      return { kind: 'cancel' };
  }
}

/** `now`: ms. */
export function formatMissingCondition(missing: MissingCondition, now: number): string {
  switch (missing.kind) {
    case 'queue':
      return `${formatMs(missing.due - now)} more in the queue`;
    case 'time':
      return `${formatMs(missing.due - now)} more`;
    case 'polls':
      return `${missing.left} more ${missing.left === 1 ? 'poll' : 'polls'}`;
    case 'gate':
      return `gate ${missing.gate} to be opened`;
    case 'reply':
      return missing.step === undefined
        ? `the client to reply to ${missing.call ?? 'a call'}`
        : `the reply to ${missing.step}`;
    case 'action':
      return `the client to send ${missing.action}`;
    case 'close':
      return 'the client to close the session';
    case 'cancel':
      return 'the client to stop the task';
    case 'step':
      return `step ${missing.step} to happen`;
    case 'last-event':
      return 'the time in which clients can read the last event on a 202';
    case 'held':
      return `${missing.until} (held by a network rule)`;
  }
}

function formatMs(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

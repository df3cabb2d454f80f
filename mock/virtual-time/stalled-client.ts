import { formatDuration } from '../../spec/duration.js';
import type { Exchange } from '../../spec/vocabulary.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import { type TaskView, viewTask } from '../control/views.js';
import { getService } from '../service.js';
import type { TimeLimits } from './time-policy.js';
import type { VirtualOutcome } from './virtual-run.js';

export type StallReason = 'idle' | 'stalled' | 'deadline';

/** A client on virtual time that did not end. The message describes what it was waiting for, and since when. */
export class StalledClientError extends Error {
  override readonly name = 'StalledClientError';

  constructor(
    message: string,
    /** `idle`: no event is left that could happen; `stalled`: no progress for too long; `deadline`: its time is over. */
    readonly reason: StallReason,
    /** Virtual time since the run began, ms. */
    readonly passedMs: number,
  ) {
    super(message);
  }
}

/** `start`: when the run began, ms. */
export function createStallError(
  mock: ControlledMock,
  reason: StallReason,
  { at, nextTimer, hints }: VirtualOutcome<unknown>,
  start: number,
  { deadlineMs, stalledMs }: TimeLimits,
): StalledClientError {
  const why = {
    idle: 'no event is left that could happen',
    stalled: `there was no progress for ${formatDuration(stalledMs)} (stalledMs)`,
    deadline: `its ${formatDuration(deadlineMs)} of virtual time are over (deadlineMs)`,
  }[reason];
  const lines = [
    `The client did not end: ${why}, ${formatDuration(at - start)} of virtual time after it began.`,
    `It was waiting for ${describeWait(mock, start)}.`,
    nextTimer === Infinity
      ? 'None of its timers was set.'
      : `Its next timer would have fired ${formatDuration(nextTimer - at)} later.`,
    ...hints,
  ];
  return new StalledClientError(lines.join(' '), reason, at - start);
}

function describeWait(mock: ControlledMock, start: number): string {
  const organisations = [...getService(mock).organisations.values()];
  const organisation = organisations.sort((one, other) => other.lastUsed - one.lastUsed)[0];
  const journal = organisation ? mock.journal({ key: organisation.key }) : [];
  const exchanges = journal.filter(({ request }) => request.at >= start);
  const last = exchanges.at(-1);
  if (!organisation || !last) return 'something that is not visible to the service: it made no request';
  const held = exchanges.findLast(({ response }) => response === undefined);
  if (held && organisation.inFlight > 0)
    return `the response to ${describeExchange(held)}, which was held back`;
  const id = exchanges.findLast(({ task }) => task !== undefined)?.task;
  const task = id === undefined ? undefined : organisation.tasks.get(id);
  const response = `; its last request, ${describeExchange(last)}, got ${last.response?.status ?? 'nothing'} ${formatDuration(organisation.now - last.request.at)} before`;
  if (!task) return `something unknown${response}`;
  return `${describeTaskWait(viewTask(task))}${response}`;
}

function describeTaskWait(task: TaskView): string {
  const name = `task ${task.id}`;
  if (task.finishedAt !== null) return `something that can no longer arrive: ${name} is ${task.status}`;
  const open = task.calls.find(({ reply }) => !reply);
  const steps = task.runs.flatMap(({ next, meanwhile }) => (next ? [next, ...meanwhile] : meanwhile));
  const waits = steps.find(({ waitsFor }) => waitsFor.length > 0);
  const end = `the end of ${name}, which is ${task.status}`;
  if (waits)
    return `${end}: the service itself waits for ${waits.waitsFor.join(' and ')} before "${waits.step}"`;
  if (open) return `${end}: the service itself waits for the reply to call ${open.id}`;
  return task.kind === 'session' ? `${end}: the session is still open` : end;
}

function describeExchange({ seq, kind, request }: Exchange): string {
  const path = request.url.replace(/\?.*$/s, '');
  return `exchange ${seq} (${kind === 'poll' ? 'a poll' : `${request.method} ${path}`})`;
}

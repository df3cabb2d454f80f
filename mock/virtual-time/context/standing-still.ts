import type { Exchange } from '../../../spec/vocabulary.js';
import { type TaskView, viewTaskInside } from '../../control/task-view.js';
import type { Organisation } from '../../engine/organisation.js';
import type { Mock } from '../../mock.js';
import type { TimeOptions } from '../../options/mock-options.js';
import { serviceOf } from '../../service.js';
import type { Running } from './context.js';
import { hasFakeTimers } from './places.js';

/** Where a client that never ended stood, for people: why it was given up, what it was waiting for, since when. */
export function standingStill(
  mock: Mock,
  run: Running,
  { deadlineMs = 3_600_000, stalledMs = 600_000 }: TimeOptions,
  ended: 'idle' | 'stalled' | 'deadline',
): string {
  const { clock } = run;
  const why = {
    idle: 'nothing is left that could happen',
    stalled: `nothing new has happened for ${duration(stalledMs)} (stalledMs)`,
    deadline: `its ${duration(deadlineMs)} of time are over (deadlineMs)`,
  }[ended];
  const timer = clock.next() === Infinity ? undefined : clock.next() - clock.now;
  const lines = [
    `The client never ended: ${why}, ${duration(clock.now - clock.start)} of virtual time after it began.`,
    `It was waiting for ${waitingFor(mock, clock.start)}.`,
    timer === undefined
      ? 'None of its timers was set.'
      : `Its next timer would have fired ${duration(timer)} later.`,
    ...hints(run),
  ];
  return lines.join(' ');
}

function hints(run: Running): string[] {
  const hints: string[] = [];
  const elsewhere = [...new Set(run.requests.elsewhere())];
  if (elsewhere.length > 0) hints.push(`A request to ${elsewhere.join(', ')} had no answer.`);
  const silent = [...new Set(run.sockets.unanswered())];
  if (silent.length > 0) hints.push(`What it sent to ${silent.join(', ')} had no answer.`);
  if (run.beside.hint) hints.push(run.beside.hint);
  if (hasFakeTimers())
    hints.push('It has put fake timers in place itself, and nothing fires those: leave them out of the run.');
  return hints;
}

function waitingFor(mock: Mock, start: number): string {
  const organisations = [...serviceOf(mock).organisations.all()];
  const latest = organisations
    .map((organisation) => ({ organisation, exchanges: exchangesOf(mock, organisation, start) }))
    .filter(({ exchanges }) => exchanges.length > 0)
    .sort((one, other) => other.organisation.lastUsed - one.organisation.lastUsed)[0];
  if (!latest) return 'something that cannot be seen from the mock: it made no request there';
  const { organisation, exchanges } = latest;
  const last = exchanges.at(-1)!;
  const held = exchanges.findLast(({ response }) => response === undefined);
  if (held && organisation.inFlight > 0) return `the answer to ${named(held)}, which the mock holds back`;
  const id = exchanges.findLast(({ task }) => task !== undefined)?.task;
  const task = id === undefined ? undefined : organisation.world.tasks.get(id);
  const said = `; its last request, ${named(last)}, was answered with ${last.response?.status ?? 'nothing'} ${duration(organisation.world.now - last.request.at)} before`;
  if (!task) return `something that no request shows${said}`;
  return `${ofTask(viewTaskInside(organisation, task))}${said}`;
}

function ofTask(task: TaskView): string {
  const name = `task ${task.id}`;
  if (task.finishedAt !== null) return `something that cannot come any more: ${name} was ${task.status}`;
  const open = task.calls.find(({ reply }) => !reply);
  const steps = task.runs.flatMap(({ next, meanwhile }) => (next ? [next, ...meanwhile] : meanwhile));
  const waits = steps.find(({ waitsFor }) => waitsFor.length > 0);
  const end = `the end of ${name}, which was ${task.status}`;
  if (waits)
    return `${end}: the service itself waits for ${waits.waitsFor.join(' and ')} before "${waits.step}"`;
  if (open) return `${end}: call ${open.id} has no reply`;
  return task.kind === 'session' ? `${end}: the session is open, and nobody has closed it` : end;
}

function exchangesOf(mock: Mock, organisation: Organisation, start: number): Exchange[] {
  return mock.journal({ key: organisation.key }).filter(({ request }) => request.at >= start);
}

function named({ seq, kind, request }: Exchange): string {
  const path = request.url.replace(/\?.*$/s, '');
  return `exchange ${seq} (${kind === 'poll' ? 'a poll' : `${request.method} ${path}`})`;
}

function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 120_000) return `${ms / 1_000} s`;
  return `${Math.round(ms / 600) / 100} min`;
}

import type { RequirementId } from '../../../spec/generated/documents.js';
import { RESULT_CODES, type ResultCode, type TaskEvent } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { Probe, Probing } from '../cases/test-case.js';
import { textFor } from '../cases/texts.js';
import type { Answer } from '../http-client/response.js';
import { codeOf, eventsOf, idOf, isActive, isDisguisedCall, said } from './player-read.js';
import type { Played } from './player-types.js';

/** What probes that play the client's side have in common: steps that say at once what they show. */

/** Cancels what the probe has left active, however it ended. */
export function played(probe: Probe): Probe {
  const run = async (probing: Probing) => {
    try {
      await probe.run(probing);
    } finally {
      await probing.player.end();
    }
  };
  return { ...probe, run };
}

/** A service may hold a poll that has no news: from here on fewer polls have to do, ms. */
export const LONG_MS = 5000;

/** For messages about what did not come. */
export const IN_TIME = 'in time (--timeout gives it longer)';

/** How a tool answers. */
export interface Reply {
  code: ResultCode;
  output: unknown;
}

/** Creates a task; `requirement` says that a request like this one is taken. */
export async function taken(
  probing: Probing,
  request: Readonly<Record<string, unknown>>,
  requirement: RequirementId,
): Promise<Played> {
  const created = await probing.send('createTask', { body: request });
  const id = idOf(created);
  if (id === undefined && [401, 403, 429].includes(created.status))
    return probing.inconclusive(`POST /task was answered with ${said(created)}`);
  const message = `POST /task with ${show(request)}: expected a task, got ${said(created)}`;
  probing.expect(requirement, id !== undefined, message, created);
  return id === undefined ? probing.inconclusive(message) : probing.player.adopt(created, id);
}

/** A one-shot task that nobody keeps waiting has to come to its end. */
export async function ended(probing: Probing, task: Played): Promise<boolean> {
  const over = await probing.player.untilEnd(task);
  const message = `expected the task to come to an end ${IN_TIME}; the last poll was answered with ${said(task.last)}`;
  if (!probing.expect('SERVICE-01', over, message, task.created, task.last)) return false;
  await stillKnown(probing, task);
  return true;
}

/** What is over can be asked for a moment later as well. */
export async function stillKnown(probing: Probing, task: Played): Promise<void> {
  await probing.sleep(probing.settings.poll_interval_ms);
  const { answer } = await read(probing, task, { event_t: task.event_t });
  const gone = answer.status === 404 || answer.status === 410;
  const message = `the task was ${task.status} a moment ago: expected the id ${show(task.id)} to be known still, got ${said(answer)}`;
  if (gone) probing.broke('TASK-01', message, task.last, answer);
}

/**
 * An event that was sent has to be confirmed with an id; `also` is what its acceptance shows beside that. False, and
 * nothing shown, where the task was over before it came.
 */
export async function confirmed(
  probing: Probing,
  task: Played,
  answer: Answer,
  what: string,
  ...also: RequirementId[]
): Promise<boolean> {
  if (!answer.ok) {
    await probing.player.poll(task);
    if (!isActive(task.status)) return false;
    if (answer.status === 429) probing.inconclusive(`${what} was answered with ${said(answer)}`);
    if (answer.status === 404) {
      const message = `${what}: expected the id ${show(task.id)} to be known, as polls find it, got ${said(answer)}`;
      probing.broke('TASK-01', message, task.last, answer);
    }
  }
  const message = `${what}: expected it to be accepted, got ${said(answer)}`;
  for (const requirement of also) probing.expect(requirement, answer.ok, message, answer);
  const id = field(answer.r, 'id');
  const good = answer.ok && typeof id === 'string' && id !== '';
  const expected = `${what}: expected success with {"r": {"id": a text}}, got ${said(answer)}`;
  probing.expect('EVENT-03', good, expected, answer);
  return answer.ok;
}

/** Reads all events again where one is missing that had to come: it may be there, and the increments passed over it. */
async function missedOne(probing: Probing, task: Played): Promise<boolean> {
  const { last } = task;
  const known = task.events.length;
  const answer = await probing.player.poll(task, 0);
  const missed = task.events[known];
  if (!missed) return false;
  const message = `polls that went on from event to event never showed ${show(missed.id)} of ${show(missed.timestamp)}, which is there with event_t=0`;
  for (const requirement of ['POLL-03', 'POLL-04'] as const)
    probing.broke(requirement, message, last, answer);
  return true;
}

/** The first call of a tool. Ends the probe where none comes. */
export async function firstCall(
  probing: Probing,
  task: Played,
  tools: readonly string[] = ['get_weather'],
): Promise<TaskEvent> {
  let call = await probing.player.nextCall(task);
  if (!call && isActive(task.status) && (await missedOne(probing, task)))
    call = await probing.player.nextCall(task);
  if (call) return call;
  const disguised = task.events.find((event) => isDisguisedCall(event, tools));
  if (disguised) {
    const message = `a call of a tool is an event named tool_call; got ${show(disguised)}`;
    probing.broke('TOOL-01', message, task.last);
  }
  return probing.inconclusive(
    isActive(task.status)
      ? `the agent called no tool ${IN_TIME} (texts in the configuration make it clearer)`
      : `the agent ended the task as ${task.status} without calling a tool (texts in the configuration make it clearer)`,
  );
}

export interface Work {
  calls: TaskEvent[];
  /** Nothing came after the last reply, neither a call nor an end. */
  stuck: boolean;
}

/** Replies to every call until the task is over, or to so many. */
export async function work(
  probing: Probing,
  task: Played,
  reply: (call: TaskEvent, nth: number) => Reply,
  most = 20,
): Promise<Work> {
  const calls: TaskEvent[] = [];
  while (calls.length < most) {
    const call = await probing.player.nextCall(task);
    if (!call && isActive(task.status) && (await missedOne(probing, task))) continue;
    if (!call) return { calls, stuck: isActive(task.status) };
    calls.push(call);
    await give(probing, task, call, reply(call, calls.length));
  }
  return { calls, stuck: false };
}

/** Replies to one call, which has to be confirmed. */
export async function give(
  probing: Probing,
  task: Played,
  call: TaskEvent,
  { code, output }: Reply,
  ...also: RequirementId[]
): Promise<boolean> {
  const answer = await probing.player.reply(task, call.id, code, output);
  return confirmed(probing, task, answer, `a reply of ${code} with output ${show(output)}`, ...also);
}

/** A session at the page of the settings, as soon as it runs. */
export async function openSession(
  probing: Probing,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Played> {
  const url = textFor(probing.settings, 'page');
  const session = await probing.player.create({ task: null, url, ...more });
  // It may queue first. A session that never runs shows itself in what is done with it.
  await probing.player.pollUntil(session, ({ status }) => status === 'running');
  return session;
}

/** An action that has to be confirmed and to get a result of its own, under its id and name. Undefined where it got none. */
export async function actedOn(
  probing: Probing,
  session: Played,
  name: string,
  input: Record<string, unknown> | undefined,
  requirement: RequirementId,
): Promise<TaskEvent | undefined> {
  const { id, answer } = await probing.player.act(session, name, input);
  const what = `${name} ${input === undefined ? '' : show(input)}`.trim();
  const refused = answer.ok ? [] : [requirement];
  if (!(await confirmed(probing, session, answer, what, ...refused))) return undefined;
  return resultOf(probing, session, { id, what, name, sent: answer }, requirement);
}

/** Waits for the result of an action and holds it against what was sent. */
export async function resultOf(
  probing: Probing,
  session: Played,
  action: { id: string; what: string; name: string; sent: Answer },
  requirement: RequirementId,
): Promise<TaskEvent | undefined> {
  const { id, what, name, sent } = action;
  let result = await probing.player.result(session, id);
  if (!result && isActive(session.status) && (await missedOne(probing, session)))
    result = await probing.player.result(session, id);
  if (!result) {
    if (!isActive(session.status)) return undefined;
    const expected = `${what}: expected a result with the id ${show(id)} ${IN_TIME}`;
    const message = `${expected}, got ${show(session.events.map((event) => event.id))}`;
    probing.broke('EVENT-08', message, sent, session.last);
    if (field(session.last.r, 'events') === undefined) {
      const empty = `${what} was confirmed: expected polls to carry events in time, got ${said(session.last)}`;
      probing.broke('TASK-09', empty, sent, session.last);
    }
    probing.broke(requirement, message, sent, session.last);
    return undefined;
  }
  const event = name === 'run_task' || name === 'close' ? 'session_action' : 'browser_action';
  const message = `${what}: expected its result to be named ${event}, got ${show(result.name)}`;
  probing.expect('EVENT-08', result.name === event, message, sent, session.last);
  const code = codeOf(result);
  // 500 is trouble of the page or the network, which nobody here can tell.
  if (code === 200 || code === 400) {
    const got = `got ${show(result.payload)}`;
    probing.expect(requirement, code === 200, `${what}: expected code 200, ${got}`, sent, session.last);
  }
  return result;
}

/** True where the code of a result says that it failed. */
export function failedResult(result: TaskEvent): boolean {
  const code = codeOf(result);
  return code !== 200 && RESULT_CODES.some((known) => known === code);
}

/** A read that the player does not take up: with exactly this query. */
export async function read(
  probing: Probing,
  task: Played,
  query: { event_t?: number; downloads?: boolean },
): Promise<{ answer: Answer; events: TaskEvent[] }> {
  const answer = await probing.send('getTask', { path: { task_id: task.id }, query, key: task.key });
  return { answer, events: eventsOf(answer) };
}

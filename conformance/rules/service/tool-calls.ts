import { isTerminal, RESULT_CODES } from '../../../spec/vocabulary.js';
import { asFields, field, show } from '../../conversation/json.js';
import type { Moment, ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import type { Complaint, Rule, Watcher } from '../rule.js';
import { Held } from './checking.js';
import { misfit } from './schema.js';
import { toolsOf } from './tools.js';

const COMMON = { side: 'service', level: 'must', scope: 'task' } as const;

/** An agent may give up on a call that nobody answers, but not so soon, ms. */
const PATIENCE_MS = 10_000;

/** The agent's calls. Section "Events", rules 3 and 4. */
export const toolCallRules: readonly Rule[] = [
  {
    ...COMMON,
    id: 'calls/payload',
    requirements: ['TOOL-01'],
    title: 'A call holds the name of the tool and its input.',
    start: (task) =>
      eachCall(task, ({ id, payload }) => {
        const { name, input } = payload;
        const lacking =
          typeof name !== 'string' || name === ''
            ? `its name is ${show(name)}`
            : asFields(input)
              ? undefined
              : `its input is ${show(input)}`;
        return (
          lacking && `The payload of the call ${show(id)} has to hold a name and an input, and ${lacking}.`
        );
      }),
  },
  {
    ...COMMON,
    id: 'calls/registered',
    requirements: ['TOOL-11'],
    title: 'Only tools that were registered with the task are called.',
    start: (task) =>
      eachCall(task, ({ id, payload: { name } }, { creation }) => {
        const tools = creation && toolsOf(creation.request);
        if (tools === undefined || typeof name !== 'string') return 'unknown';
        if (tools.has(name)) return undefined;
        const there =
          tools.size === 0 ? 'has none' : `has ${[...tools.keys()].slice(0, 5).map(show).join(', ')}`;
        return `The call ${show(id)} is for the tool ${show(name)}, and the task ${there}.`;
      }),
  },
  {
    ...COMMON,
    id: 'calls/input',
    requirements: ['TOOL-02'],
    title: 'The input of a call fits the schema of the tool.',
    start: (task) =>
      eachCall(task, ({ id, payload: { name, input } }, { creation }) => {
        const schema = creation && toolsOf(creation.request)?.get(String(name));
        if (schema === undefined || input === undefined) return 'unknown';
        const wrong = asFields(input) ? misfit(schema, input) : 'unknown';
        if (wrong === undefined || wrong === 'unknown') return wrong;
        return `The input of the call ${show(id)} does not fit the schema of ${show(name)}: ${wrong}.`;
      }),
  },
  {
    ...COMMON,
    id: 'calls/after-the-end',
    requirements: ['TOOL-11'],
    title: 'A task that is over calls no tools.',
    start: afterTheEnd,
  },
  {
    ...COMMON,
    id: 'calls/waited-for',
    requirements: ['TOOL-01'],
    title: 'The agent waits for the answer to a call before it is done.',
    start: waitedFor,
  },
  {
    ...COMMON,
    id: 'calls/reply-taken',
    requirements: ['TOOL-09'],
    title: 'A reply of any output is taken while its call is open.',
    start: (task) => replyTaken(task, (code) => code === 200, false),
  },
  {
    ...COMMON,
    id: 'calls/error-reply-taken',
    requirements: ['TOOL-05'],
    title: 'A reply that tells of an error is taken, and the task goes on.',
    start: (task) => replyTaken(task, (code) => code === 400 || code === 500, true),
  },
];

/** Shows each call to `look` the first time it is read: words of what is wrong, undefined when it is right. */
function eachCall(
  task: TaskConversation,
  look: (call: WholeEvent, task: TaskConversation) => string | 'unknown' | undefined,
): Watcher {
  const held = new Held();
  return {
    held: held.seqs,
    see(exchange) {
      const complaints: Complaint[] = [];
      for (const event of exchange.wholeEvents) {
        if (event.shape !== 'call' || task.calls.has(event.id)) continue;
        const message = look(event, task);
        if (message === undefined) held.add(exchange.seq);
        else if (message !== 'unknown')
          complaints.push({ message, evidence: [exchange.seq], about: event.id });
      }
      return complaints;
    },
  };
}

/** A call that is read after the end, in a response that lists more than the one with the end did. */
function afterTheEnd(task: TaskConversation): Watcher {
  const held = new Held();
  let end: (Moment & { from: number; status: string }) | undefined;
  return {
    held: held.seqs,
    see(exchange) {
      const { readFrom, status } = exchange;
      if (readFrom === undefined) return [];
      if (end && exchange.couldKnow(end)) {
        const { from } = end;
        const fresh = exchange.wholeEvents.find(
          ({ id, shape, timestamp }) => shape === 'call' && !task.calls.has(id) && timestamp > from,
        );
        if (!fresh) {
          held.add(exchange.seq);
          return [];
        }
        const message = `The task was "${end.status}" in the answer to exchange ${end.seq}, and the call ${show(fresh.id)} came afterwards.`;
        return [{ message, evidence: [end.seq, exchange.seq], about: fresh.id }];
      }
      if (!task.end && status && isTerminal(status)) end = { ...exchange.moment, from: readFrom, status };
      return [];
    },
  };
}

/** A task is done although a call that was read before has no reply, not even one on its way. */
function waitedFor(task: TaskConversation): Watcher {
  const held = new Held();
  const passed = new Map<string, { since: Moment; end: Moment }>();
  /** A reply was under way, or its response had come, by then. */
  const isRepliedBefore = (id: string, { answeredAt }: Moment) =>
    task.replies.get(id)?.some(({ at }) => at <= answeredAt);
  return {
    held: held.seqs,
    see(exchange) {
      if (!exchange.is('getTask') || !task.creation || task.stop) return [];
      const open = [...task.calls].filter(([id, call]) => !task.replies.has(id) && exchange.couldKnow(call));
      if (open.length === 0) return [];
      if (exchange.status === 'running') held.add(exchange.seq);
      if (task.end || exchange.status !== 'done') return [];
      for (const [id, call] of open) {
        const waited_ms = exchange.at - call.answeredAt;
        if (waited_ms < PATIENCE_MS) passed.set(id, { since: call, end: exchange.moment });
      }
      return [];
    },
    end: () =>
      [...passed]
        .filter(([id, { end }]) => !isRepliedBefore(id, end))
        .map(([id, { since, end }]) => ({
          message: `The task was done while the call ${show(id)} had no reply: the agent has to wait for it.`,
          evidence: [since.seq, end.seq],
          about: id,
        })),
  };
}

type Refused = Moment & { status: number; code: unknown; id: string };

/** A whole reply to an open call is refused, and the task is still at work afterwards. */
function replyTaken(task: TaskConversation, isMeant: (code: unknown) => boolean, goesOn: boolean): Watcher {
  const held = new Held();
  const refused: Refused[] = [];
  const taken: Moment[] = [];
  function note(exchange: ReadExchange): void {
    const { sent } = exchange;
    const payload = asFields(sent?.payload);
    const id = sent?.id;
    const isWhole =
      payload !== undefined && Object.hasOwn(payload, 'output') && Number.isInteger(sent?.timestamp);
    if (sent?.name !== 'tool_call' || typeof id !== 'string' || !isWhole) return;
    if (
      !task.calls.has(id) ||
      task.replies.has(id) ||
      !isMeant(payload.code) ||
      !RESULT_CODES.some((code) => code === payload.code)
    )
      return;
    if (exchange.ok) {
      if (!goesOn) held.add(exchange.seq);
      else if (taken.length < 100) taken.push(exchange.moment);
    } else if (exchange.isRefused && task.wasActive(exchange) && refused.length < 100)
      refused.push({ ...exchange.moment, status: exchange.httpStatus, code: payload.code, id });
  }
  function check(exchange: ReadExchange): Complaint[] {
    const { status } = exchange;
    if (!exchange.is('getTask') || !status) return [];
    const calls = exchange.wholeEvents.some(({ shape, id }) => shape === 'call' && !task.calls.has(id));
    if (calls || status === 'done' || status === 'failed') {
      for (const each of taken) if (exchange.couldKnow(each)) held.add(each.seq);
    }
    if (status !== 'running') return [];
    return refused
      .filter((each) => exchange.couldKnow(each))
      .map((each) => ({
        message: `The reply to the open call ${show(each.id)} with code ${show(each.code)} was refused with ${each.status}, and the task is running afterwards: it has to be taken.`,
        evidence: [each.seq, exchange.seq],
        about: each.id,
      }));
  }
  return {
    held: held.seqs,
    see(exchange) {
      if (field(exchange.sent?.payload, 'code') !== undefined) note(exchange);
      return check(exchange);
    },
  };
}

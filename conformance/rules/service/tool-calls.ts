import { isTerminal, RESULT_CODES } from '../../../spec/vocabulary.js';
import { asFields, field, show } from '../../conversation/json.js';
import type { Moment, ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import { type Complaint, defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';
import { misfit } from './schema.js';
import { toolsOf } from './tools.js';

/** An agent may give up on a call that nobody answers, but not so soon, ms. */
const PATIENCE_MS = 10_000;

/** The agent's calls. Section "Events", rules 3 and 4. */
export const toolCallRules = defineRules({ side: 'service', level: 'must', scope: 'task' }, [
  {
    id: 'calls/payload',
    requirements: ['TOOL-01'],
    title: 'A call holds the name of the tool and its input.',
    check: (exchange, task) =>
      eachCall(exchange, task, ({ id, payload }) => {
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
    id: 'calls/registered',
    requirements: ['TOOL-11'],
    title: 'Only tools that were registered with the task are called.',
    check: (exchange, task) =>
      eachCall(exchange, task, ({ id, payload: { name } }, { creation }) => {
        const tools = creation && toolsOf(creation.request);
        if (tools === undefined || typeof name !== 'string') return 'unknown';
        if (tools.has(name)) return undefined;
        const there =
          tools.size === 0 ? 'has none' : `has ${[...tools.keys()].slice(0, 5).map(show).join(', ')}`;
        return `The call ${show(id)} is for the tool ${show(name)}, and the task ${there}.`;
      }),
  },
  {
    id: 'calls/input',
    requirements: ['TOOL-02'],
    title: 'The input of a call fits the schema of the tool.',
    check: (exchange, task) =>
      eachCall(exchange, task, ({ id, payload: { name, input } }, { creation }) => {
        const schema = creation && toolsOf(creation.request)?.get(String(name));
        if (schema === undefined || input === undefined) return 'unknown';
        const wrong = asFields(input) ? misfit(schema, input) : 'unknown';
        if (wrong === undefined || wrong === 'unknown') return wrong;
        return `The input of the call ${show(id)} does not fit the schema of ${show(name)}: ${wrong}.`;
      }),
  },
  {
    id: 'calls/after-the-end',
    requirements: ['TOOL-11'],
    title: 'A task that is over calls no tools.',
    start: afterTheEnd,
  },
  {
    id: 'calls/waited-for',
    requirements: ['TOOL-01'],
    title: 'The agent waits for the answer to a call before it is done.',
    start: waitedFor,
  },
  {
    id: 'calls/reply-taken',
    requirements: ['TOOL-09'],
    title: 'A reply of any output is taken while its call is open.',
    start: (context) => replyTaken(context, (code) => code === 200, false),
  },
  {
    id: 'calls/error-reply-taken',
    requirements: ['TOOL-05'],
    title: 'A reply that reports an error is taken, and the task goes on.',
    start: (context) => replyTaken(context, (code) => code === 400 || code === 500, true),
  },
]);

/** Shows each call to `look` the first time it is read: a message about what is wrong, undefined when it is right. */
function eachCall(
  exchange: ReadExchange,
  task: TaskConversation,
  look: (call: WholeEvent, task: TaskConversation) => string | 'unknown' | undefined,
): Judgement {
  const calls = exchange.wholeEvents.filter(({ shape, id }) => shape === 'call' && !task.calls.has(id));
  const looks = calls.map((call) => ({ message: look(call, task), about: call.id }));
  const complaints = looks.filter(
    (each): each is Complaint & typeof each => each.message !== undefined && each.message !== 'unknown',
  );
  if (complaints.length > 0) return complaints;
  return looks.some(({ message }) => message === undefined) ? 'kept' : undefined;
}

/** A call that is read after the end, in a response that lists more than the one with the end did. */
function afterTheEnd({ task }: RuleContext): Watcher {
  let end: (Moment & { from: number; status: string }) | undefined;
  return {
    see(exchange) {
      const { readFrom, status } = exchange;
      if (readFrom === undefined) return undefined;
      if (end && exchange.couldKnow(end)) {
        const { from } = end;
        const fresh = exchange.wholeEvents.find(
          ({ id, shape, timestamp }) => shape === 'call' && !task.calls.has(id) && timestamp > from,
        );
        if (!fresh) return 'kept';
        const message = `The task was "${end.status}" in the response to exchange ${end.seq}, and the call ${show(fresh.id)} came afterwards.`;
        return { message, evidence: [end.seq, exchange.seq], about: fresh.id };
      }
      if (!task.end && status && isTerminal(status)) end = { ...exchange.moment, from: readFrom, status };
      return undefined;
    },
  };
}

/** A task is done although a call that was read before has no reply, not even one on its way. */
function waitedFor({ task, kept }: RuleContext): Watcher {
  const passed = new Map<string, { since: Moment; end: Moment }>();
  /** A reply was under way, or its response had come, by then. */
  const isRepliedBefore = (id: string, { respondedAt }: Moment) =>
    task.replies.get(id)?.some(({ at }) => at <= respondedAt);
  return {
    see(exchange) {
      if (!exchange.is('getTask') || !task.creation || task.stop) return undefined;
      const open = [...task.calls].filter(([id, call]) => !task.replies.has(id) && exchange.couldKnow(call));
      if (open.length === 0) return undefined;
      if (exchange.status === 'running') kept(exchange.seq);
      if (task.end || exchange.status !== 'done') return undefined;
      for (const [id, call] of open) {
        const waitedMs = exchange.at - call.respondedAt;
        if (waitedMs < PATIENCE_MS) passed.set(id, { since: call, end: exchange.moment });
      }
      return undefined;
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
function replyTaken(
  { task, kept }: RuleContext,
  isMeant: (code: unknown) => boolean,
  goesOn: boolean,
): Watcher {
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
      if (!goesOn) kept(exchange.seq);
      else if (taken.length < 100) taken.push(exchange.moment);
    } else if (exchange.isRefused && task.wasActive(exchange) && refused.length < 100)
      refused.push({ ...exchange.moment, status: exchange.httpStatus, code: payload.code, id });
  }
  function check(exchange: ReadExchange): Judgement {
    const { status } = exchange;
    if (!exchange.is('getTask') || !status) return undefined;
    const calls = exchange.wholeEvents.some(({ shape, id }) => shape === 'call' && !task.calls.has(id));
    if (calls || status === 'done' || status === 'failed') {
      for (const each of taken) if (exchange.couldKnow(each)) kept(each.seq);
    }
    if (status !== 'running') return undefined;
    return refused
      .filter((each) => exchange.couldKnow(each))
      .map((each) => ({
        message: `The reply to the open call ${show(each.id)} with code ${show(each.code)} was refused with ${each.status}, and the task is running afterwards: it has to be taken.`,
        evidence: [each.seq, exchange.seq],
        about: each.id,
      }));
  }
  return {
    see(exchange) {
      if (field(exchange.sent?.payload, 'code') !== undefined) note(exchange);
      return check(exchange);
    },
  };
}

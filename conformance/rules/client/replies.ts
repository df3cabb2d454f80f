import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { Moment, ReadExchange } from '../../conversation/read-exchange.js';
import { printOf, type Reply } from '../../conversation/reply.js';
import {
  isRefusalForGood,
  type ReplyAttempt,
  type TaskConversation,
  type ToolCall,
} from '../../conversation/task-conversation.js';
import { type Complaint, defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

/** Replies to tool calls. Section "Events", rule 4. */
export const replyRules = defineRules(
  { side: 'client', scope: 'task', only: ['sendTaskEvent', 'updateTask'], level: 'must' },
  [
    {
      id: 'replies/call-id',
      requirements: ['TOOL-04'],
      title: 'A reply carries the id of a call of its task.',
      check: (exchange, task) => onReply(exchange, task, unknownCall),
    },
    {
      id: 'replies/event-name',
      requirements: ['TOOL-04'],
      title: 'A reply is an event of the name tool_call.',
      check: (exchange, task) => onReply(exchange, task, wrongName),
    },
    {
      id: 'replies/complete',
      requirements: ['TOOL-04'],
      title: 'The payload of a reply holds code and output.',
      check: (exchange, task) => onReply(exchange, task, incomplete),
    },
    {
      id: 'replies/code',
      requirements: ['TOOL-03', 'TOOL-06'],
      title: 'The code of a reply is 200, 400 or 500.',
      check: (exchange, task) => onReply(exchange, task, oddCode),
    },
    {
      id: 'replies/same-again',
      requirements: ['CLIENT-02'],
      title: 'A reply that is repeated says the same as before.',
      check: (exchange, task) => onReply(exchange, task, contradiction),
    },
    {
      id: 'replies/after-refusal',
      requirements: ['CLIENT-02'],
      title: 'A reply that was refused is dropped, not turned into another.',
      check: (exchange, task) => onReply(exchange, task, anotherAfterRefusal),
    },
    {
      id: 'replies/once',
      requirements: ['POLL-06'],
      title: 'A call whose reply was confirmed gets no second one.',
      check: (exchange, task) => onReply(exchange, task, secondReply),
    },
    {
      id: 'replies/each-call',
      requirements: ['TOOL-10', 'CLIENT-06'],
      title: 'Each call that was read before the task ended gets a reply.',
      only: ['sendTaskEvent', 'deleteTask', 'deleteTaskData'],
      start: unanswered,
    },
    {
      id: 'replies/after-the-end',
      requirements: ['CLIENT-01'],
      title: 'A call that comes together with the end of its task gets no reply.',
      check: (exchange, task) => onReply(exchange, task, afterTheEnd),
    },
    {
      id: 'replies/after-cancel',
      requirements: ['CLIENT-01'],
      title: 'A client that has stopped the task with DELETE begins no more replies.',
      only: ['sendTaskEvent', 'updateTask', 'deleteTask'],
      start: afterCancel,
    },
  ],
);

type ReplyCheck = (
  reply: Reply,
  task: TaskConversation,
  exchange: ReadExchange,
) => Complaint | string | undefined;

/** A text is a complaint about this exchange. */
function onReply(exchange: ReadExchange, task: TaskConversation, check: ReplyCheck): Judgement {
  const { reply } = exchange;
  const found = reply && check(reply, task, exchange);
  return typeof found === 'string' ? { message: found, about: show(reply?.id) } : found;
}

const ITS_ID = 'A reply carries the id of the tool_call event that it answers; it gets no id of its own.';

function unknownCall({ id, name }: Reply, task: TaskConversation): string | undefined {
  // Under another name it may be anything; see `wrongName`.
  if (name !== 'tool_call') return undefined;
  if (typeof id !== 'string' || id === '') return `A reply has ${show(id)} for its id. ${ITS_ID}`;
  if (!task.hasWholeLog || task.calls.has(id)) return undefined;
  const open = [...task.calls.keys()].filter((each) => !task.replyTo(each));
  const meant = open.find((each) => id.includes(each));
  const there = meant
    ? `the call is ${show(meant)}`
    : open.length > 0
      ? `open: ${open.slice(0, 3).map(show).join(', ')}`
      : 'none is open';
  return `No call of this task has the id ${show(id)} of the reply (${there}). ${ITS_ID}`;
}

function wrongName({ id, name }: Reply, task: TaskConversation): string | undefined {
  if (name === 'tool_call' || typeof id !== 'string' || !task.calls.has(id)) return undefined;
  return `The reply to call ${show(id)} was sent under the name "${name}". Send it as "tool_call", the name of the event it answers.`;
}

function incomplete({ id, payload, name }: Reply): string | undefined {
  if (payload === undefined || name !== 'tool_call') return undefined;
  const missing = ['code', 'output'].filter((part) => !Object.hasOwn(payload, part));
  if (missing.length === 0) return undefined;
  const hint = missing.includes('output') ? ' Where a tool returns nothing, send null for its output.' : '';
  return `The payload of the reply to ${show(id)} has no ${missing.join(' and no ')}: it holds ${show(Object.keys(payload))}. Send {code, output}.${hint}`;
}

function oddCode({ id, payload }: Reply): string | undefined {
  const code = field(payload, 'code');
  if (code === undefined || RESULT_CODES.some((known) => known === code)) return undefined;
  const text = typeof code === 'string' && RESULT_CODES.some((known) => String(known) === code);
  const advice = text
    ? 'Send it as a number.'
    : 'Send 200 for a success, 400 for bad input, 500 for any other failure.';
  return `The reply to ${show(id)} has the code ${show(code)}. ${advice}`;
}

function callOf(id: unknown, task: TaskConversation): ToolCall | undefined {
  return typeof id === 'string' ? task.calls.get(id) : undefined;
}

/** The first reply to the call, where this one is another than that. */
function differing({ id, payload }: Reply, task: TaskConversation): ReplyAttempt | undefined {
  const first = callOf(id, task) && task.replyTo(id);
  return !first || first.httpStatus === 422 || first.content.print === printOf(payload) ? undefined : first;
}

function contradiction(reply: Reply, task: TaskConversation, exchange: ReadExchange): Complaint | undefined {
  const first = differing(reply, task);
  if (!first || isRefusalForGood(first)) return undefined;
  const message = `Call ${show(reply.id)} gets two different replies: ${codesOf(first, reply)}. A tool ran once and has one outcome: repeat that, and never report a failed request as a failed tool.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(reply.id) };
}

function anotherAfterRefusal(
  reply: Reply,
  task: TaskConversation,
  exchange: ReadExchange,
): Complaint | undefined {
  const first = differing(reply, task);
  if (!first || !isRefusalForGood(first)) return undefined;
  const message = `The reply to call ${show(reply.id)} was refused with ${first.httpStatus} in exchange ${first.seq}, and another reply follows: ${codesOf(first, reply)}. A refusal says nothing about the tool: drop the reply, the next poll shows why.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(reply.id) };
}

function codesOf(first: ReplyAttempt, { payload }: Reply): string {
  const codes = `code ${show(first.code)}, then code ${show(payload?.code)}`;
  return `${codes}${first.code === payload?.code ? ' with another output' : ''}`;
}

/** The same once more; where the service has asked again, the client may have thought that it has to. */
function secondReply(
  { id, payload }: Reply,
  task: TaskConversation,
  exchange: ReadExchange,
): Complaint | undefined {
  const call = callOf(id, task);
  const first = call && task.replyTo(id);
  if (!first?.isConfirmed || first.content.print !== printOf(payload) || !exchange.couldKnow(first))
    return undefined;
  if (call?.reissued !== undefined) return undefined;
  const message = `Call ${show(id)} was replied to in exchange ${first.seq}, which was confirmed, and gets the same reply again: its event was handled twice. Keep the ids of events that were dealt with, and pass over those that come again.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(id) };
}

function afterTheEnd({ id }: Reply, task: TaskConversation, exchange: ReadExchange): Complaint | undefined {
  const { polledEnd } = task;
  if (!polledEnd || !exchange.couldKnow(polledEnd)) return undefined;
  // The tool was still at work when the end came, or a reply that got no good response is tried again.
  if (callOf(id, task)?.isWithEnd === false) return undefined;
  const message = `A reply is sent although the task was "${polledEnd.status}" in the response to exchange ${polledEnd.seq}. Nothing can come of it any more: look at the status before you run the tool for a call in that answer.`;
  return { message, evidence: [polledEnd.seq, exchange.seq] };
}

function afterCancel({ task }: RuleContext): Watcher {
  let cancelled: Moment | undefined;
  return {
    see(exchange) {
      if (exchange.is('deleteTask') && exchange.ok) cancelled ??= exchange.moment;
      const id = cancelled && exchange.reply?.id;
      // A reply that was begun before may be tried again.
      if (!cancelled || !callOf(id, task) || task.replyTo(id) || !exchange.couldKnow(cancelled))
        return undefined;
      const message = `A reply to call ${show(id)} is sent although the client has stopped the task: its DELETE, exchange ${cancelled.seq}, was confirmed. Nothing can come of it any more: drop the calls of a task once you stop it.`;
      return { message, evidence: [cancelled.seq, exchange.seq], about: show(id) };
    },
  };
}

/**
 * Calls that had no reply by the time their task was over. Let pass: those that came with the end or after the client
 * itself stopped the task or closed the session, and all of a task whose beginning is not on record, since the replies
 * may not be either.
 */
function unanswered({ task }: RuleContext): Watcher {
  return {
    end() {
      const { polledEnd, stop, isFromStart, calls } = task;
      if (stop || !polledEnd || !isFromStart) return undefined;
      const complaints: Complaint[] = [];
      for (const [id, { tool, seq, isWithEnd }] of calls) {
        if (isWithEnd || task.replyTo(id)) continue;
        const message = `Call ${show(id)} of the tool ${show(tool)} never got a reply, and the task ended as "${polledEnd.status}". Answer each call, one for an unknown tool or a tool that failed with code 400 or 500 and a message.`;
        complaints.push({ message, evidence: [seq, polledEnd.seq], event: id });
      }
      return complaints;
    },
  };
}

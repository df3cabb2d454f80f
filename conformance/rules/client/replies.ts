import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { printOf, type Reply } from '../../conversation/reply.js';
import {
  isRefusalForGood,
  type ReplyAttempt,
  type TaskConversation,
  type ToolCall,
} from '../../conversation/task-conversation.js';
import type { Complaint, Judgement, Rule, RuleContext, Watcher } from '../rule.js';

const COMMON = { side: 'client', scope: 'task', only: ['sendTaskEvent', 'updateTask'] } as const;

/** Replies to tool calls. Section "Events", rule 4. */
export const replyRules: readonly Rule[] = [
  {
    ...COMMON,
    id: 'replies/call-id',
    requirements: ['TOOL-04'],
    level: 'must',
    title: 'A reply carries the id of a call of its task.',
    start: (context) => onEachReply(context, unknownCall),
  },
  {
    ...COMMON,
    id: 'replies/event-name',
    requirements: ['TOOL-04'],
    level: 'must',
    title: 'A reply is an event of the name tool_call.',
    start: (context) => onEachReply(context, wrongName),
  },
  {
    ...COMMON,
    id: 'replies/complete',
    requirements: ['TOOL-04'],
    level: 'must',
    title: 'The payload of a reply holds code and output.',
    check: (exchange) => onReply(exchange, incomplete),
  },
  {
    ...COMMON,
    id: 'replies/code',
    requirements: ['TOOL-03', 'TOOL-06'],
    level: 'must',
    title: 'The code of a reply is 200, 400 or 500.',
    check: (exchange) => onReply(exchange, oddCode),
  },
  {
    ...COMMON,
    id: 'replies/same-again',
    requirements: ['CLIENT-02'],
    level: 'must',
    title: 'A reply that is repeated says the same as before.',
    start: (context) => onEachReply(context, contradiction),
  },
  {
    ...COMMON,
    id: 'replies/after-refusal',
    requirements: ['CLIENT-02'],
    level: 'must',
    title: 'A reply that was refused is dropped, not turned into another.',
    start: (context) => onEachReply(context, anotherAfterRefusal),
  },
  {
    ...COMMON,
    id: 'replies/once',
    requirements: ['POLL-06'],
    level: 'must',
    title: 'A call whose reply was confirmed gets no second one.',
    start: (context) => onEachReply(context, secondReply),
  },
  {
    ...COMMON,
    id: 'replies/each-call',
    requirements: ['TOOL-10', 'CLIENT-06'],
    level: 'must',
    title: 'Each call that was read before the task ended gets a reply.',
    only: ['sendTaskEvent', 'deleteTask', 'deleteTaskData'],
    start: unanswered,
  },
  {
    ...COMMON,
    id: 'replies/after-the-end',
    requirements: ['CLIENT-01'],
    level: 'must',
    title: 'A call that comes together with the end of its task gets no reply.',
    start: afterTheEnd,
  },
  {
    ...COMMON,
    id: 'replies/after-cancel',
    requirements: ['CLIENT-01'],
    level: 'must',
    title: 'A client that has stopped the task with DELETE begins no more replies.',
    only: ['sendTaskEvent', 'updateTask', 'deleteTask'],
    start: afterCancel,
  },
];

type Check = (reply: Reply, exchange: ReadExchange, task: TaskConversation) => string | Complaint | undefined;

function onEachReply({ task }: RuleContext, check: Check): Watcher {
  return { see: (exchange) => onReply(exchange, (reply) => check(reply, exchange, task)) };
}

function onReply(exchange: ReadExchange, check: (reply: Reply) => ReturnType<Check>): Judgement {
  const { reply } = exchange;
  const found = reply && check(reply);
  if (found === undefined) return undefined;
  if (typeof found !== 'string') return [found];
  return { message: found, about: show(reply?.id) };
}

const ITS_ID = 'A reply carries the id of the tool_call event that it answers; it gets no id of its own.';

function unknownCall(
  { id, name }: Reply,
  _exchange: ReadExchange,
  task: TaskConversation,
): string | undefined {
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

function wrongName({ id, name }: Reply, _exchange: ReadExchange, task: TaskConversation): string | undefined {
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

function contradiction(reply: Reply, exchange: ReadExchange, task: TaskConversation): Complaint | undefined {
  const first = differing(reply, task);
  if (!first || isRefusalForGood(first)) return undefined;
  const message = `Call ${show(reply.id)} gets two different replies: ${codesOf(first, reply)}. A tool ran once and has one outcome: repeat that, and never report a failed request as a failed tool.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(reply.id) };
}

function anotherAfterRefusal(
  reply: Reply,
  exchange: ReadExchange,
  task: TaskConversation,
): Complaint | undefined {
  const first = differing(reply, task);
  if (!first || !isRefusalForGood(first)) return undefined;
  const message = `The reply to call ${show(reply.id)} was refused with ${first.httpStatus} in exchange ${first.seq}, and another reply follows: ${codesOf(first, reply)}. A refusal says nothing about the tool: drop the reply, the next poll tells why.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(reply.id) };
}

function codesOf(first: ReplyAttempt, { payload }: Reply): string {
  const codes = `code ${show(first.code)}, then code ${show(payload?.code)}`;
  return `${codes}${first.code === payload?.code ? ' with another output' : ''}`;
}

/** The same once more; where the service has asked again, the client may have thought that it has to. */
function secondReply(
  { id, payload }: Reply,
  exchange: ReadExchange,
  task: TaskConversation,
): Complaint | undefined {
  const call = callOf(id, task);
  const first = call && task.replyTo(id);
  if (!first?.isConfirmed || first.content.print !== printOf(payload) || !exchange.couldKnow(first))
    return undefined;
  if (call?.reissued !== undefined) return undefined;
  const message = `Call ${show(id)} was replied to in exchange ${first.seq}, which was confirmed, and gets the same reply again: its event was handled twice. Keep the ids of events that were dealt with, and pass over those that come again.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(id) };
}

function afterTheEnd({ task }: RuleContext): Watcher {
  function see(exchange: ReadExchange): Judgement {
    const { reply } = exchange;
    if (!reply || !task.isEndKnownTo(exchange) || isExcused(reply)) return undefined;
    const message = `A reply is sent although the task was "${task.polledEnd?.status}" in the answer to exchange ${task.polledEnd?.seq}. Nothing can come of it any more: look at the status before you run the tool for a call in that answer.`;
    return { message, evidence: [task.polledEnd!.seq, exchange.seq] };
  }
  /** The tool was still at work when the end came, or a reply that got no good answer is tried again. */
  function isExcused({ id }: Reply): boolean {
    return callOf(id, task)?.isWithEnd === false;
  }
  return { see };
}

function afterCancel({ task }: RuleContext): Watcher {
  let cancelled: { seq: number; answeredAt: number } | undefined;
  return {
    see(exchange) {
      if (exchange.is('deleteTask') && exchange.ok) cancelled ??= exchange;
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
    see: () => [],
    end() {
      const { polledEnd, stop, isFromStart, calls } = task;
      if (stop || !polledEnd || !isFromStart) return undefined;
      const complaints: Complaint[] = [];
      for (const [id, { tool, seq, isWithEnd }] of calls) {
        if (isWithEnd || task.replyTo(id)) continue;
        const message = `Call ${show(id)} of the tool ${show(tool)} never got a reply, and the task ended as "${polledEnd.status}". Answer each call, one for an unknown tool or a tool that failed with code 400 or 500 and a message.`;
        complaints.push({ message, evidence: [seq, polledEnd.seq], about: id });
      }
      return complaints;
    },
  };
}

import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { printOf, type Reply, replyOf } from '../../conversation/reply.js';
import type { Books } from '../books.js';
import { type Complaint, type Rule, type Watcher, watching } from '../rule.js';
import { type Attempt, Calls } from './calls.js';
import { Ending } from './ending.js';
import { unanswered } from './unanswered.js';

const COMMON = { side: 'client', scope: 'task', only: ['sendTaskEvent', 'updateTask'] } as const;

/** Replies to tool calls. Section "Events", rule 4. */
export const replyRules: readonly Rule[] = [
  {
    ...COMMON,
    id: 'replies/call-id',
    requirements: ['TOOL-04'],
    level: 'must',
    title: 'A reply carries the id of a call of its task.',
    start: (books) => withCalls(books, unknownCall),
  },
  {
    ...COMMON,
    id: 'replies/event-name',
    requirements: ['TOOL-04'],
    level: 'must',
    title: 'A reply is an event of the name tool_call.',
    start: (books) => withCalls(books, wrongName),
  },
  {
    ...COMMON,
    id: 'replies/complete',
    requirements: ['TOOL-04'],
    level: 'must',
    title: 'The payload of a reply holds code and output.',
    start: watching((exchange) => onReply(exchange, incomplete)),
  },
  {
    ...COMMON,
    id: 'replies/code',
    requirements: ['TOOL-03', 'TOOL-06'],
    level: 'must',
    title: 'The code of a reply is 200, 400 or 500.',
    start: watching((exchange) => onReply(exchange, oddCode)),
  },
  {
    ...COMMON,
    id: 'replies/same-again',
    requirements: ['CLIENT-02'],
    level: 'must',
    title: 'A reply that is repeated says the same as before.',
    start: (books) => withCalls(books, contradiction),
  },
  {
    ...COMMON,
    id: 'replies/after-refusal',
    requirements: ['CLIENT-02'],
    level: 'must',
    title: 'A reply that was refused is dropped, not turned into another.',
    start: (books) => withCalls(books, anotherAfterRefusal),
  },
  {
    ...COMMON,
    id: 'replies/once',
    requirements: ['POLL-06'],
    level: 'must',
    title: 'A call whose reply was confirmed gets no second one.',
    start: (books) => withCalls(books, secondReply),
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

type Check = (reply: Reply, exchange: ReadExchange, calls: Calls) => string | Complaint | undefined;

function withCalls(books: Books, check: Check): Watcher {
  const calls = books.of(Calls);
  return { see: (exchange) => onReply(exchange, (reply) => check(reply, exchange, calls)) };
}

function onReply(exchange: ReadExchange, check: (reply: Reply) => ReturnType<Check>): Complaint[] {
  const reply = replyOf(exchange);
  const found = reply && check(reply);
  if (found === undefined) return [];
  if (typeof found !== 'string') return [found];
  return [{ message: found, evidence: [exchange.seq], about: show(reply?.id) }];
}

const ITS_ID = 'A reply carries the id of the tool_call event that it answers; it gets no id of its own.';

function unknownCall({ id, name }: Reply, _exchange: ReadExchange, calls: Calls): string | undefined {
  // Under another name it may be anything; see `wrongName`.
  if (name !== 'tool_call') return undefined;
  if (typeof id !== 'string' || id === '') return `A reply has ${show(id)} for its id. ${ITS_ID}`;
  if (!calls.certain || calls.known.has(id)) return undefined;
  const open = [...calls.known].filter(([, call]) => !call.reply).map(([each]) => each);
  const meant = open.find((each) => id.includes(each));
  const there = meant
    ? `the call is ${show(meant)}`
    : open.length > 0
      ? `open: ${open.slice(0, 3).map(show).join(', ')}`
      : 'none is open';
  return `No call of this task has the id ${show(id)} of the reply (${there}). ${ITS_ID}`;
}

function wrongName({ id, name }: Reply, _exchange: ReadExchange, calls: Calls): string | undefined {
  if (name === 'tool_call' || typeof id !== 'string' || !calls.known.has(id)) return undefined;
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

/** The first reply to the call, where this one is another than that. */
function differing({ id, payload }: Reply, calls: Calls): Attempt | undefined {
  const first = typeof id === 'string' ? calls.known.get(id)?.reply : undefined;
  return !first || first.invalid || first.said.print === printOf(payload) ? undefined : first;
}

/** For good: to send it once more would not help. */
function isRefusal({ status = 0 }: Attempt): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function contradiction(reply: Reply, exchange: ReadExchange, calls: Calls): Complaint | undefined {
  const first = differing(reply, calls);
  if (!first || isRefusal(first)) return undefined;
  const message = `Call ${show(reply.id)} gets two different replies: ${codesOf(first, reply)}. A tool ran once and has one outcome: repeat that, and never report a failed request as a failed tool.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(reply.id) };
}

function anotherAfterRefusal(reply: Reply, exchange: ReadExchange, calls: Calls): Complaint | undefined {
  const first = differing(reply, calls);
  if (!first || !isRefusal(first)) return undefined;
  const message = `The reply to call ${show(reply.id)} was refused with ${first.status} in exchange ${first.seq}, and another reply follows: ${codesOf(first, reply)}. A refusal says nothing about the tool: drop the reply, the next poll tells why.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(reply.id) };
}

function codesOf(first: Attempt, { payload }: Reply): string {
  const codes = `code ${show(first.code)}, then code ${show(payload?.code)}`;
  return `${codes}${first.code === payload?.code ? ' with another output' : ''}`;
}

/** The same once more; where the service has asked again, the client may have thought that it has to. */
function secondReply({ id, payload }: Reply, exchange: ReadExchange, calls: Calls): Complaint | undefined {
  const call = typeof id === 'string' ? calls.known.get(id) : undefined;
  const first = call?.reply;
  if (!first?.confirmed || first.said.print !== printOf(payload) || !exchange.couldKnow(first))
    return undefined;
  if (call?.reissued !== undefined) return undefined;
  const message = `Call ${show(id)} was replied to in exchange ${first.seq}, which was confirmed, and gets the same reply again: its event was handled twice. Keep the ids of events that were dealt with, and pass over those that come again.`;
  return { message, evidence: [first.seq, exchange.seq], about: show(id) };
}

function afterTheEnd(books: Books): Watcher {
  const calls = books.of(Calls);
  const ending = books.of(Ending);
  function see(exchange: ReadExchange): Complaint[] {
    const reply = replyOf(exchange);
    if (!reply || !ending.isKnownTo(exchange) || isExcused(reply)) return [];
    const message = `A reply is sent although the task was "${ending.status}" in the answer to exchange ${ending.seq}. Nothing can come of it any more: look at the status before you run the tool for a call in that answer.`;
    return [{ message, evidence: [ending.seq, exchange.seq] }];
  }
  /** The tool was still at work when the end came, or a reply that got no good answer is tried again. */
  function isExcused({ id }: Reply): boolean {
    const call = typeof id === 'string' ? calls.known.get(id) : undefined;
    return call !== undefined && !call.withEnd;
  }
  return { see };
}

function afterCancel(books: Books): Watcher {
  const calls = books.of(Calls);
  let cancelled: { seq: number; answeredAt: number } | undefined;
  return {
    see(exchange) {
      if (exchange.is('deleteTask') && exchange.ok) cancelled ??= exchange;
      const id = cancelled && replyOf(exchange)?.id;
      const call = typeof id === 'string' ? calls.known.get(id) : undefined;
      // A reply that was begun before may be tried again.
      if (!cancelled || !call || call.reply || !exchange.couldKnow(cancelled)) return [];
      const message = `A reply to call ${show(id)} is sent although the client has stopped the task: its DELETE, exchange ${cancelled.seq}, was confirmed. Nothing can come of it any more: drop the calls of a task once you stop it.`;
      return [{ message, evidence: [cancelled.seq, exchange.seq], about: show(id) }];
    },
  };
}

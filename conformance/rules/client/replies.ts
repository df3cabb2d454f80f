import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { isOneOf, isText, show } from '../../conversation/json.js';
import {
  isReadBefore,
  isSameReply,
  type ReadExchange,
  type SentReply,
} from '../../conversation/read-exchange.js';
import {
  isPermanentRefusal,
  type TaskConversation,
  type ToolCall,
} from '../../conversation/task-conversation.js';
import { defineItemRules, defineRules, type RuleItems } from '../rule.js';

const ITS_ID = 'A reply carries the id of the tool_call event that it belongs to; it has no other id.';

const SENDING = ['sendTaskEvent', 'updateTask'] as const;
const REPLIES: RuleItems<SentReply> = {
  each: ({ reply }) => (reply ? [reply] : []),
  about: ({ id }) => show(id),
};

/** Replies to tool calls. Section "Events", rule 4. */
export const replyRules = [
  ...defineItemRules('client', 'task', SENDING, REPLIES, {
    'replies/call-id': {
      parts: ['tools'],
      requirements: ['TOOL-04'],
      title: 'A reply carries the id of a call of its task.',
      defect: 'A reply carried no id of a call',
      concerns: 'field',
      needs: ['events'],
      check: ({ id }, _exchange, task) => {
        const about = show(id);
        if (!isText(id))
          return { message: `A reply has ${about} for its id. ${ITS_ID}`, about, isShown: true };
        if (task.calls.has(id)) return undefined;
        const names = [...task.openCalls.keys()].slice(0, 3).map(show).join(', ') || 'none';
        return `No call of this task has the id ${show(id)} of the reply (open: ${names}). ${ITS_ID}`;
      },
    },
    'replies/event-name': {
      parts: ['tools'],
      requirements: ['TOOL-04'],
      title: 'A reply is an event of the name tool_call.',
      defect: 'A reply was sent as another event',
      concerns: 'field',
      check: ({ id, name }, _exchange, task) => {
        if (name === 'tool_call') return undefined;
        const what = findCall(id, task) ? `The reply to call ${show(id)}` : `The reply ${show(id)}`;
        return `${what} was sent under the name "${name}". Send it as "tool_call", the name of the event that it replies to.`;
      },
    },
    'replies/complete': {
      parts: ['tools'],
      requirements: ['TOOL-04'],
      title: 'The payload of a reply holds code and output.',
      defect: 'A reply had no code or no output',
      check: ({ id, payload, name }) => {
        if (payload === undefined || name !== 'tool_call') return undefined;
        const missing = ['code', 'output'].filter((part) => !Object.hasOwn(payload, part));
        if (missing.length === 0) return undefined;
        return `The payload of the reply to ${show(id)} has no ${missing.join(' and no ')}: it holds ${show(Object.keys(payload))}. Send {code, output}; where a tool returns nothing, null for its output.`;
      },
    },
    'replies/code': {
      parts: ['tools'],
      requirements: ['TOOL-03', 'TOOL-06'],
      title: 'The code of a reply is 200, 400 or 500.',
      defect: 'The code of a reply was not 200, 400 or 500',
      check: ({ id, payload }) => {
        const code = payload?.code;
        if (code === undefined || isOneOf(RESULT_CODES, code)) return undefined;
        return `The reply to ${show(id)} has the code ${show(code)}. Send the number 200 for a success, 400 for bad input, 500 for any other failure.`;
      },
    },
    'replies/same-again': {
      parts: ['tools'],
      requirements: ['CLIENT-02'],
      title: 'A reply that is repeated says the same as before.',
      defect: 'A call got two different replies',
      consequenceOf: ['line/tool-runs'],
      needs: ['responses', 'one-client'],
      check: ({ id }, exchange, task) => {
        const first = findDifferentReply(exchange, task);
        if (!first || isPermanentRefusal(first)) return undefined;
        const message = `Call ${show(id)} gets two different replies: ${describeCodes(first, exchange)}. A tool ran once and has one outcome: repeat that, and never report a failed request as a failed tool.`;
        return { message, evidence: [first.seq, exchange.seq], about: show(id) };
      },
    },
    'replies/after-refusal': {
      parts: ['tools'],
      requirements: ['CLIENT-02'],
      title: 'A reply that was refused is dropped, not turned into another.',
      defect: 'A refused reply was sent again',
      needs: ['one-client'],
      check: ({ id }, exchange, task) => {
        const first = findDifferentReply(exchange, task);
        if (!first || !isPermanentRefusal(first)) return undefined;
        const message = `The reply to call ${show(id)} was refused with the status ${first.httpStatus} in exchange ${first.seq}, and another reply follows: ${describeCodes(first, exchange)}. A refusal says nothing about the tool: drop the reply, the next poll shows why.`;
        return { message, evidence: [first.seq, exchange.seq], about: show(id) };
      },
    },
    'replies/once': {
      parts: ['tools'],
      requirements: ['POLL-06'],
      title: 'A call whose reply was confirmed gets no second one.',
      defect: 'A call was replied to twice',
      consequenceOf: ['line/tool-runs'],
      needs: ['events', 'one-client'],
      check: ({ id }, exchange, task) => {
        const call = findCall(id, task);
        const first = task.findReply(id);
        // If the service repeated the call, the client may conclude that it has to reply again.
        if (!call || call.isReissued || !first?.isConfirmed) return undefined;
        if (!isSameReply(first, exchange) || !exchange.canKnow(first)) return undefined;
        const message = `Call ${show(id)} was replied to in exchange ${first.seq}, which was confirmed, and gets the same reply again: its event was handled twice. Keep the ids of events that were dealt with, and pass over those that come again.`;
        return { message, evidence: [first.seq, exchange.seq], about: show(id) };
      },
    },
  }),
  ...defineRules('client', 'task', SENDING, {
    // Allowed: calls that arrived with the end, or after the client stopped the task or closed the session.
    'replies/each-call': {
      parts: ['tools'],
      requirements: ['TOOL-10', 'CLIENT-06'],
      title: 'Each call that was read before the task ended gets a reply.',
      defect: 'A call got no reply',
      onGivingUp: 'left undone',
      needs: ['requests'],
      only: [],
      start: ({ task }) => ({
        conclude() {
          const { polledEnd, stop, openCalls } = task;
          if (stop || !polledEnd) return [];
          const open = [...openCalls].filter(([, { isWithEnd }]) => !isWithEnd);
          return open.map(([id, { tool, seq }]) => ({
            // The tool may have run until then; a later reply would have been refused.
            level: 'advice',
            message: `Call ${show(id)} of the tool ${show(tool)} never got a reply, and the task ended as "${polledEnd.status}": unless its tool was at work until then, the reply is missing. Reply to each call, to one for an unknown tool or a tool that failed with code 400 or 500 and a message.`,
            evidence: [seq, polledEnd.seq],
            event: id,
          }));
        },
      }),
    },
    'replies/after-the-end': {
      parts: ['tools'],
      requirements: ['CLIENT-01'],
      title: 'A call that comes together with the end of its task gets no reply.',
      defect: 'A reply was sent after the end of the task',
      needs: ['events', 'one-client'],
      check: (exchange, task) => {
        const end = task.findKnownEnd(exchange);
        // The tool was still running at the end, or a reply without a good response is repeated.
        if (!exchange.reply || !end || findCall(exchange.reply.id, task)?.isWithEnd === false)
          return undefined;
        const message = `A reply is sent although the task was "${end.status}" in the response to exchange ${end.seq}. Nothing can come of it any more: check the status before you run the tool for a call in that response.`;
        return { message, evidence: [end.seq, exchange.seq] };
      },
    },
    'replies/after-cancel': {
      parts: ['cancel', 'tools'],
      requirements: ['CLIENT-01'],
      title: 'A client that has stopped the task with DELETE replies to no call that it reads afterwards.',
      defect: 'A reply was begun after the client had stopped the task',
      needs: ['requests'],
      check: (exchange, task) => {
        const { cancelled } = task;
        const id = exchange.reply?.id;
        const call = findCall(id, task);
        // A reply that was sent before may be repeated.
        if (
          !cancelled ||
          !exchange.canKnow(cancelled) ||
          // Within one millisecond the order of the two decisions is not known.
          exchange.at - cancelled.respondedAt < 1 ||
          // The tool may have been running since before the DELETE was confirmed.
          !call ||
          !isReadBefore(cancelled, call) ||
          task.replies.has(id as string)
        )
          return undefined;
        const message = `A reply to call ${show(id)} is sent although the client has stopped the task: its DELETE, exchange ${cancelled.seq}, was confirmed. Nothing can come of it any more: drop the calls of a task once you stop it.`;
        return { message, evidence: [cancelled.seq, exchange.seq], about: show(id) };
      },
    },
  }),
];

function findCall(id: unknown, task: TaskConversation): ToolCall | undefined {
  return task.calls.get(id as string);
}

/** The first reply to the call, if this reply differs from it. */
function findDifferentReply(exchange: ReadExchange, task: TaskConversation): ReadExchange | undefined {
  const id = exchange.reply?.id;
  const first = findCall(id, task) && task.findReply(id);
  return !first || first.httpStatus === 422 || isSameReply(first, exchange) ? undefined : first;
}

function describeCodes(...replies: readonly ReadExchange[]): string {
  const [one, other] = replies.map(({ reply }) => reply?.payload?.code);
  return `code ${show(one)}, then code ${show(other)}${one === other ? ' with another output' : ''}`;
}

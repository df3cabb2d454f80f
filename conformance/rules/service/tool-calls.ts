import { type Fields, isText, show, toFields } from '../../conversation/json.js';
import type { ReadExchange, WholeEvent } from '../../conversation/read-exchange.js';
import type { TaskConversation } from '../../conversation/task-conversation.js';
import {
  defineItemRules,
  defineRules,
  type ExchangeHandler,
  type RuleContext,
  type RuleItems,
  type Watcher,
} from '../rule.js';
import { findMisfit } from './outputs.js';
import { RefusedEvents } from './sessions.js';

/**
 * An agent may stop waiting for a reply, but not sooner than this after the call, ms: the longest polling interval that the API
 * recommends for a task. How long it waits is not stated.
 */
export const PATIENCE_MS = 2000;
/** How long an agent waits for a reply is not stated: a call may have been given up after this time, ms. */
export const LONGEST_CALL_MS = 60_000;
/** Most replies remembered of a task until a poll shows their effect. */
const MOST_REPLIES = 100;
/** Most calls remembered of a task. */
const MOST_CALLS = 1000;

const NEW_CALLS: RuleItems<WholeEvent> = { each: listNewCalls, about: ({ id }) => id };

/** The agent's calls. Section "Events", rules 3 and 4. */
export const toolCallRules = [
  ...defineItemRules('service', 'task', ['getTask'], NEW_CALLS, {
    'calls/payload': {
      requirements: ['TOOL-01'],
      title: 'A call holds the name of the tool and its input.',
      check: ({ id, payload: { name, input } }) => {
        if (isText(name) && toFields(input)) return 'kept';
        const lacking = isText(name) ? `its input is ${show(input)}` : `its name is ${show(name)}`;
        return `The payload of the call ${show(id)} has to hold a name and an input, and ${lacking}.`;
      },
    },
    'calls/registered': {
      requirements: ['TOOL-11'],
      title: 'Only tools that were registered with the task are called.',
      check: ({ id, payload: { name } }, _exchange, { request }) => {
        const tools = request && readTools(request);
        if (tools === undefined || typeof name !== 'string') return undefined;
        if (tools.has(name)) return 'kept';
        const names = [...tools.keys()].slice(0, 5).map(show).join(', ');
        return `The call ${show(id)} is for the tool ${show(name)}, and the task has ${names || 'none'}.`;
      },
    },
    'calls/input': {
      requirements: ['TOOL-02'],
      title: 'The input of a call fits the schema of the tool.',
      check: ({ id, payload: { name, input } }, _exchange, { request }) => {
        const schema = request && readTools(request)?.get(String(name));
        if (schema === undefined || !toFields(input)) return undefined;
        const wrong = findMisfit(schema, input);
        if (wrong === undefined) return 'kept';
        if (wrong === 'unknown') return undefined;
        return `The input of the call ${show(id)} does not fit the schema of ${show(name)}: ${wrong}.`;
      },
    },
  }),
  ...defineRules('service', 'task', ['getTask', 'sendTaskEvent'], {
    // A call that is read after the end, in a response that lists more than the response with the end.
    'calls/after-the-end': {
      requirements: ['TOOL-11'],
      title: 'A task that is over calls no tools.',
      check: (exchange, task) => {
        const { end } = task;
        const { readFrom: from } = end ?? {};
        if (!end || from === undefined || exchange.readFrom === undefined || !exchange.isAfter(end))
          return undefined;
        const fresh = listNewCalls(exchange, task).find(({ timestamp }) => timestamp > from);
        if (!fresh) return 'kept';
        const message = `The task was "${end.status}" in the response to exchange ${end.seq}, and the call ${show(fresh.id)} was listed afterwards.`;
        return { message, evidence: [end.seq, exchange.seq], about: fresh.id };
      },
    },
    // A task is done although an earlier call has no reply, not even a pending one.
    'calls/waited-for': {
      requirements: ['TOOL-01'],
      title: 'The agent waits for the reply to a call before it is done.',
      needs: ['requests'],
      only: ['getTask'],
      start: ({ task }) => {
        const passed: { id: string; since: number; end: ReadExchange }[] = [];
        const readEmissions = watchEmissions(task);
        return {
          observe(exchange) {
            const { status } = exchange;
            const emittedAfter = readEmissions(exchange);
            if (task.stop) return undefined;
            const isEnd = !task.end && status === 'done';
            const open = [...(isEnd ? task.calls : task.openCalls)].filter(([, call]) =>
              exchange.isAfter(call),
            );
            if (isEnd)
              for (const [id, call] of open) {
                const emitted = { respondedAt: emittedAfter.get(id) ?? call.respondedAt };
                // A long poll shows the end long after it was sent.
                if (exchange.measureMaxUntilResponse(emitted) < PATIENCE_MS)
                  passed.push({ id, since: call.seq, end: exchange });
              }
            return status === 'running' && open.length > 0 ? 'kept' : undefined;
          },
          conclude: () =>
            passed
              // A reply, or its response, was pending then. One that was refused has not reached the agent.
              .filter(({ id, end }) => {
                const sent = task.replies.get(id);
                const isLate = ({ at, isRefused }: ReadExchange) => isRefused || at > end.respondedAt;
                return !sent || (sent.length > 0 && sent.every(isLate));
              })
              .map(({ id, since, end }) => ({
                message: `The task was done while the call ${show(id)} had no reply: the agent has to wait for it.`,
                evidence: [since, end.seq],
                about: id,
              })),
        };
      },
    },
    'calls/reply-accepted': {
      requirements: ['TOOL-09'],
      title: 'A reply of any output is accepted while its call is open.',
      needs: ['requests'],
      start: (context) => watchReplies(context, [200], false),
    },
    'calls/error-reply-accepted': {
      requirements: ['TOOL-05'],
      title: 'A reply that reports an error is accepted, and the task continues.',
      needs: ['requests'],
      start: (context) => watchReplies(context, [400, 500], true),
    },
  }),
];

/** For each call, the arrival of the last request that would have listed it, ms: the agent made the call after that. */
function watchEmissions(task: TaskConversation): (exchange: ReadExchange) => ReadonlyMap<string, number> {
  const emittedAfter = new Map<string, number>();
  let readAt: number | undefined;
  let readTo = 0;
  return (exchange) => {
    const earliest = readAt ?? task.creation?.at;
    for (const { id } of listNewCalls(exchange, task))
      if (earliest !== undefined && emittedAfter.size < MOST_CALLS) emittedAfter.set(id, earliest);
    // A poll for events after one that no response has listed may have passed over a call.
    if (exchange.readFrom !== undefined && exchange.readFrom <= readTo) readAt = exchange.at;
    for (const { timestamp } of exchange.wholeEvents) readTo = Math.max(readTo, timestamp);
    return emittedAfter;
  };
}

function listNewCalls({ wholeEvents }: ReadExchange, { calls }: TaskConversation): WholeEvent[] {
  return wholeEvents.filter(({ shape, id }) => shape === 'call' && !calls.has(id));
}

/** A valid reply to an open call is refused, and the task is still running afterwards. */
function watchReplies(
  { task, reportKept: kept }: RuleContext,
  codes: readonly number[],
  isContinued: boolean,
): Watcher {
  const accepted: ReadExchange[] = [];
  const refused = new RefusedEvents(MOST_REPLIES);
  const readEmissions = watchEmissions(task);
  const observe: ExchangeHandler = (exchange) => {
    const { sent, status, httpStatus, at } = exchange;
    const emittedAfter = readEmissions(exchange);
    const id = sent?.id as string;
    const payload = toFields(sent?.payload) ?? {};
    const isWhole = Object.hasOwn(payload, 'output') && Number.isInteger(sent?.timestamp);
    const isMeant = sent?.name === 'tool_call' && isWhole && codes.includes(payload.code as number);
    if (isMeant && task.calls.has(id) && !task.replies.has(id)) {
      if (exchange.ok && !isContinued) return 'kept';
      if (exchange.ok && accepted.length < MOST_REPLIES) accepted.push(exchange);
      const message = `The reply to the open call ${show(id)} with code ${payload.code} was refused with ${httpStatus}, and the task is running afterwards: it has to be accepted.`;
      const isLate = at - (emittedAfter.get(id) ?? at) >= LONGEST_CALL_MS;
      const isRefused = exchange.isRefused && !exchange.mayBeRefused && !isLate;
      if (isRefused && task.wasActive(exchange)) refused.add({ exchange, message, about: id });
    }
    refused.observe(exchange);
    if (!exchange.is('getTask')) return undefined;
    if (status === 'done' || status === 'failed' || (status && listNewCalls(exchange, task).length > 0))
      for (const each of accepted) if (exchange.isAfter(each)) kept(each.seq);
    return undefined;
  };
  return {
    observe,
    conclude: () => refused.list((id) => task.replies.get(id)?.some(({ ok }) => ok) === true),
  };
}

/**
 * The schemas of the tools of the created task, by name. Undefined if others may exist, or if two share a name. Section
 * "Custom tool definition".
 */
function readTools({ custom_tools, additional_tools }: Fields): ReadonlyMap<string, unknown> | undefined {
  const given = custom_tools ?? [];
  if ((additional_tools ?? null) !== null || !Array.isArray(given)) return undefined;
  const tools = new Map<string, unknown>();
  for (const tool of given) {
    const { name, inputs } = toFields(tool) ?? {};
    if (typeof name !== 'string' || tools.has(name)) return undefined;
    tools.set(name, inputs);
  }
  return tools;
}

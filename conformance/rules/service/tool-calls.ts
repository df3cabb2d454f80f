import { RESULT_CODES } from '../../../spec/vocabulary.js';
import { asFields, field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import type { Complaint, Rule, Watcher } from '../rule.js';
import { CallBook } from './call-book.js';
import { Held, isOwnAnswer, isRefused, type Moment, momentOf, statusOf } from './checking.js';
import { misfit } from './schema.js';
import { eventsIn, type FollowedEvent } from './seen-events.js';
import { Story } from './story.js';
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
    start: () =>
      eachCall(({ id, payload }) => {
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
    start: () =>
      eachCall(({ id, payload: { name } }, { beginning }) => {
        const tools = beginning && toolsOf(beginning.request);
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
    start: () =>
      eachCall(({ id, payload: { name, input } }, { beginning }) => {
        const schema = beginning && toolsOf(beginning.request)?.get(String(name));
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
    start: () => replyTaken((code) => code === 200, false),
  },
  {
    ...COMMON,
    id: 'calls/error-reply-taken',
    requirements: ['TOOL-05'],
    title: 'A reply that tells of an error is taken, and the task goes on.',
    start: () => replyTaken((code) => code === 400 || code === 500, true),
  },
];

/** Shows each call to `look` the first time it is read: words of what is wrong, undefined when it is right. */
function eachCall(look: (call: FollowedEvent, story: Story) => string | 'unknown' | undefined): Watcher {
  const held = new Held();
  const story = new Story();
  const seen = new Set<string>();
  return {
    held: held.seqs,
    see(exchange) {
      story.see(exchange);
      const complaints: Complaint[] = [];
      if (!isOwnAnswer(exchange)) return [];
      for (const event of eventsIn(exchange)) {
        if (event.shape !== 'call' || seen.has(event.id)) continue;
        if (seen.size < 10_000) seen.add(event.id);
        const message = look(event, story);
        if (message === undefined) held.add(exchange.seq);
        else if (message !== 'unknown')
          complaints.push({ message, evidence: [exchange.seq], about: event.id });
      }
      return complaints;
    },
  };
}

/** A call that is read after the end, in an answer that lists more than the one with the end did. */
function afterTheEnd(): Watcher {
  const held = new Held();
  const book = new CallBook();
  let end: (Moment & { from: number; status: string }) | undefined;
  return {
    held: held.seqs,
    see(exchange) {
      const complaints: Complaint[] = [];
      const known = new Set(book.calls.keys());
      book.see(exchange);
      const { story } = book;
      const cursor = book.readFrom(exchange);
      if (cursor === undefined) return [];
      if (end && exchange.couldKnow(end)) {
        const fresh = eventsIn(exchange).find(
          ({ id, shape, timestamp }) => shape === 'call' && !known.has(id) && timestamp > end!.from,
        );
        if (!fresh) held.add(exchange.seq);
        else {
          const message = `The task was "${end.status}" in the answer to exchange ${end.seq}, and the call ${show(fresh.id)} came afterwards.`;
          complaints.push({ message, evidence: [end.seq, exchange.seq], about: fresh.id });
        }
      } else if (story.end?.seq === exchange.seq)
        end = { ...momentOf(exchange), from: cursor, status: story.end.status };
      return complaints;
    },
  };
}

/** A task is done although a call that was read before has no reply, not even one on its way. */
function waitedFor(): Watcher {
  const held = new Held();
  const book = new CallBook();
  const passed = new Map<string, { since: Moment; end: Moment }>();
  return {
    held: held.seqs,
    see(exchange) {
      const open = [...book.calls].filter(([, call]) => !call.tried && exchange.couldKnow(call));
      book.see(exchange);
      const { story } = book;
      if (!isOwnAnswer(exchange) || !story.beginning || story.stopped || open.length === 0) return [];
      if (exchange.is('getTask') && exchange.status === 'running') held.add(exchange.seq);
      if (story.end?.seq !== exchange.seq || exchange.status !== 'done') return [];
      for (const [id, call] of open) {
        const waited_ms = exchange.at - call.answeredAt;
        if (waited_ms < PATIENCE_MS) passed.set(id, { since: call, end: story.end });
      }
      return [];
    },
    end: () =>
      [...passed]
        .filter(([id]) => !book.triedBefore(id, passed.get(id)!.end))
        .map(([id, { since, end }]) => ({
          message: `The task was done while the call ${show(id)} had no reply: the agent has to wait for it.`,
          evidence: [since.seq, end.seq],
          about: id,
        })),
  };
}

type Refused = Moment & { status: number; code: unknown; id: string };

/** A whole reply to an open call is refused, and the task is still at work afterwards. */
function replyTaken(isMeant: (code: unknown) => boolean, goesOn: boolean): Watcher {
  const held = new Held();
  const book = new CallBook();
  const refused: Refused[] = [];
  const taken: Moment[] = [];
  function note(exchange: ReadExchange): void {
    const { sent } = exchange;
    const payload = asFields(sent?.payload);
    const id = sent?.id;
    const isWhole =
      payload !== undefined && Object.hasOwn(payload, 'output') && Number.isInteger(sent?.timestamp);
    if (sent?.name !== 'tool_call' || typeof id !== 'string' || !isWhole) return;
    const call = book.calls.get(id);
    if (!call || call.tried || !isMeant(payload.code) || !RESULT_CODES.some((code) => code === payload.code))
      return;
    if (exchange.ok) {
      if (!goesOn) held.add(exchange.seq);
      else if (taken.length < 100) taken.push(momentOf(exchange));
    } else if (isRefused(exchange) && book.story.wasActive(exchange) && refused.length < 100)
      refused.push({ ...momentOf(exchange), status: statusOf(exchange), code: payload.code, id });
  }
  function check(exchange: ReadExchange): Complaint[] {
    const { status } = exchange;
    if (!exchange.is('getTask') || !status) return [];
    const calls = eventsIn(exchange).some(({ shape, id }) => shape === 'call' && !book.calls.has(id));
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
      const complaints: Complaint[] = [];
      if (isOwnAnswer(exchange)) {
        if (field(exchange.sent?.payload, 'code') !== undefined) note(exchange);
        complaints.push(...check(exchange));
      }
      book.see(exchange);
      return complaints;
    },
  };
}

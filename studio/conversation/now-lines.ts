import type { Wire } from '../../mock/admin/admin-request.js';
import type { MissingCondition, MissingReply } from '../../mock/control/missing-conditions.js';
import type { HeldExchange } from '../../mock/network/pending-requests.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { formatCount, formatDuration, formatInline, formatOffset } from '../parts/format.js';
import { isPending, readExchange } from '../sequence/exchange-row.js';
import type { Waiting } from './waiting-steps.js';

/** A heading of the page `why-does-my-client-hang`. */
type Symptom = 'the-client-hangs' | 'a-session-is-stuck';

/** One thing that a conversation waits for. */
export interface NowLine {
  text: string;
  /** The step of the service that follows. */
  next?: string;
  /** `seq` of the exchange that shows it. */
  exchange?: number;
  gate?: string;
  /** The call that the client has to reply to. */
  call?: { id: string; tool: string };
  symptom?: Symptom;
}

/** What the service of a mock waits for, requests that are held first. `now`: ms. */
export function listNowLines(
  { steps, held }: Waiting,
  exchanges: readonly Exchange[],
  now: number,
): NowLine[] {
  // What is loaded is a little old: a wait may be over.
  const isOver = (due: number | undefined) => due !== undefined && due <= now;
  const heldLines = held
    .filter(({ gate, latest }) => gate !== undefined || !isOver(latest))
    .flatMap((each) => formatHeld(each, exchanges, now) ?? []);
  // A step without a condition waits for an earlier timeline.
  const stepLines = steps
    .map((each) => ({
      ...each,
      missing: each.missing.filter((one) => !('due' in one && isOver(one.due))),
    }))
    .filter(({ missing }) => missing.length > 0)
    .map(({ step, missing, since }) => {
      const parts = missing.map((each) => describeMissing(each, exchanges, now));
      const from = parts.find((part) => part.since !== undefined)?.since ?? since;
      // Next to a time that is left, the time that has passed confuses.
      const isTimed = missing.some((each) => 'due' in each);
      const what = parts.map(({ text }) => text).join(' and ');
      const line: NowLine = { text: formatWait(isTimed ? 0 : now - from, what) };
      for (const { line: more } of parts) Object.assign(line, more);
      if (step.startsWith('service ')) line.next = step;
      return line;
    });
  return [...heldLines, ...stepLines];
}

/** The same from the exchanges alone, for a service whose state is unknown. */
export function listOpenLines(exchanges: readonly Exchange[], now: number): NowLine[] {
  const pending = exchanges.filter(isPending).map((exchange): NowLine => {
    const age = now - exchange.request.at;
    return {
      text: `${formatSubject(exchange, exchanges)} has no response yet${age < 1000 ? '' : ` after ${formatDuration(age)}`}`,
      exchange: exchange.seq,
    };
  });
  const calls = listOpenCalls(exchanges).map((missing): NowLine => {
    const { text, since = now, line } = describeMissing(missing, exchanges, now);
    return { text: formatWait(now - since, text), ...line };
  });
  return [...pending, ...calls];
}

function listOpenCalls(exchanges: readonly Exchange[]): MissingReply[] {
  const open = new Map<string, MissingReply>();
  const replied = new Set<unknown>();
  for (const exchange of exchanges) {
    const { events, reply } = readExchange(exchange);
    if (reply) replied.add(reply.id);
    for (const { shape, id, payload } of events)
      if (shape === 'call' && id !== undefined)
        open.set(id, { kind: 'reply', call: id, tool: String(payload?.name), input: payload?.input });
  }
  return [...open.values()].filter(({ call }) => !replied.has(call));
}

/** Under a second, the time says nothing. */
function formatWait(ms: number, what: string): string {
  return `Waiting ${ms < 1000 ? '' : `${formatDuration(ms)} `}for ${what}`;
}

interface DescribedCondition {
  /** After "Waiting for". */
  text: string;
  /** If it is not the time at which the step was reached, ms. */
  since?: number;
  line?: Partial<NowLine>;
}

function describeMissing(
  missing: Wire<MissingCondition>,
  exchanges: readonly Exchange[],
  now: number,
): DescribedCondition {
  switch (missing.kind) {
    case 'queue':
      return { text: `${formatDuration(missing.due - now)} more in the queue` };
    case 'time':
      return { text: `${formatDuration(missing.due - now)} more` };
    case 'polls':
      return {
        text: `the client: ${formatCount(missing.left, 'more poll')}`,
        line: { symptom: 'the-client-hangs' },
      };
    case 'gate':
      return { text: `gate ${missing.gate}`, line: { gate: missing.gate } };
    case 'reply':
      return describeMissingReply(missing, exchanges);
    case 'action':
      return { text: `the client: send ${missing.action}`, line: { symptom: 'a-session-is-stuck' } };
    case 'close':
      return { text: 'the client: close the session', line: { symptom: 'a-session-is-stuck' } };
    case 'cancel':
      return { text: 'the client: stop the task', line: { symptom: 'the-client-hangs' } };
    case 'step':
      return { text: `step ${missing.step}` };
    case 'last-event':
      return { text: 'the client: read the last event on a 202' };
    case 'held':
      return { text: `${missing.until} (held by a network rule)` };
  }
}

function describeMissingReply(
  { call, tool, input, step }: Wire<MissingReply>,
  exchanges: readonly Exchange[],
): DescribedCondition {
  if (call === undefined || tool === undefined) return { text: `the call of step ${step}` };
  const line: Partial<NowLine> = { call: { id: call, tool }, symptom: 'the-client-hangs' };
  const what = `the client: reply to ${[tool, formatInline(input)].join(' ')}`;
  const at = exchanges.findIndex((each) =>
    readExchange(each).events.some(({ shape, id }) => shape === 'call' && id === call),
  );
  const listed = exchanges[at];
  if (!listed) return { text: `${what}, which no response has listed yet`, line };
  const { seq, request, response } = listed;
  const polls = exchanges.slice(at + 1).filter(({ kind }) => kind === 'poll').length;
  const offset = formatOffset(request.at - exchanges[0]!.request.at);
  const since = polls === 0 ? 'not polled since' : `polled ${polls === 1 ? 'once' : `${polls} times`} since`;
  return {
    text: `${what}, listed at ${offset}, ${since}`,
    since: response?.at ?? request.at,
    line: { ...line, exchange: seq },
  };
}

function formatHeld(
  { exchange: seq, gate, latest }: Wire<HeldExchange>,
  exchanges: readonly Exchange[],
  now: number,
): NowLine | undefined {
  const exchange = exchanges.find((each) => each.seq === seq);
  if (!exchange) return undefined;
  const until =
    gate === undefined
      ? `by the network, at most ${formatDuration(Math.max(0, latest - now))} more`
      : `at gate ${gate}`;
  return {
    text: `${formatSubject(exchange, exchanges)} is held ${until}`,
    exchange: seq,
    symptom: 'the-client-hangs',
    ...(gate !== undefined && { gate }),
  };
}

const SUBJECTS: Readonly<Record<string, string>> = {
  create: 'The creation of the task',
  reply: 'The reply',
  action: 'The action',
  cancel: 'The cancellation',
};

/** `Poll 2 (+1.20 s)`: the time stands in the diagram. */
function formatSubject({ seq, kind, request }: Exchange, exchanges: readonly Exchange[]): string {
  const number = exchanges.filter((each) => each.kind === 'poll' && each.seq <= seq).length;
  const name = kind === 'poll' ? `Poll ${number}` : (SUBJECTS[kind] ?? 'The request');
  return `${name} (${formatOffset(request.at - exchanges[0]!.request.at)})`;
}

import { toFields } from '../../conformance/conversation/json.js';
import { ReadExchange } from '../../conformance/conversation/read-exchange.js';
import { shortenUrl } from '../../conformance/conversation/sequence-lines.js';
import { toVisible } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { formatDuration, formatInline, formatOffset } from '../parts/format.js';
import type { Detail, ExchangeRow, Tone } from './rows.js';

/** Events of one response that are drawn; the inspector shows all. */
const MOST_DETAILS = 40;

/** A response may still arrive. */
export function isPending({ response, network = [] }: Exchange): boolean {
  return response === undefined && !network.some(({ effect }) => effect === 'lost');
}

/** Avoids parsing again: each new exchange lays out all exchanges of the conversation. */
const readExchanges = new WeakMap<Exchange, ReadExchange>();

export function readExchange(exchange: Exchange): ReadExchange {
  const read = readExchanges.get(exchange) ?? new ReadExchange(exchange);
  readExchanges.set(exchange, read);
  return read;
}

/** The row without its position, height and findings. `known`: keys of what earlier rows have shown. */
export function createRow(exchange: Exchange, start: number, known: Set<string>): ExchangeRow {
  const read = readExchange(exchange);
  const { seq, request, response, network = [] } = exchange;
  const details: Detail[] = [];
  const events = read.events.slice(0, MOST_DETAILS);
  const left = read.events.length - events.length;
  const here = new Set<string>();
  for (const event of events) {
    const key = `${event.key} ${event.timestamp}`;
    const isAgain = known.has(key);
    known.add(key);
    const isTwice = here.has(key);
    here.add(key);
    const again = isAgain ? ' (again)' : '';
    const payload = event.payload ?? {};
    const label =
      event.shape === 'call'
        ? `${event.name} ${payload.name} ${formatInline(payload.input)}`
        : event.shape === 'result'
          ? `result ${payload.code ?? ''} ${formatInline(payload.output)}`
          : `${event.name} as it was sent`;
    // Each poll from the start of a session lists all actions and results again.
    if (!isAgain || isTwice || read.cursor.value !== 0)
      details.push({
        tone: event.shape === 'call' ? 'call' : 'result',
        text: toVisible(label + again, 120),
        id: event.id,
      });
  }
  if (left > 0) details.push({ tone: 'plain', text: `and ${left} more events`, id: undefined });
  const sent = describeSent(read);
  const isStatusNew = read.status !== undefined && !known.has(`status ${read.status}`);
  if (read.status !== undefined) known.add(`status ${read.status}`);
  const isEnd = isStatusNew && read.status !== 'waiting' && read.status !== 'running';
  if (isEnd)
    details.push({
      tone: 'end',
      text: toVisible(`${read.status}: ${formatInline(read.record?.output, 100)}`, 120),
      id: undefined,
    });
  const lost = network.find(({ effect }) => effect === 'lost');
  const row: ExchangeRow = {
    kind: 'exchange',
    seq,
    exchange,
    y: 0,
    height: 0,
    time: formatOffset(request.at - start),
    request: toVisible(`${request.method} ${shortenUrl(request.url)}`, 90),
    response: response && { text: formatResponse(read), tone: chooseTone(response.status) },
    took: response && response.at > request.at ? formatDuration(response.at - request.at) : undefined,
    effects: network,
    lost: lost && (lost.side ?? 'response'),
    isOpen: isPending(exchange),
    sent,
    details,
    findings: [],
    sentences: [],
  };
  return row;
}

function describeSent(read: ReadExchange): Detail | undefined {
  const { reply, action } = read;
  if (reply) {
    const text = `reply ${formatInline(reply.payload?.code, 10)} ${formatInline(reply.payload?.output)}`;
    return {
      tone: 'reply',
      text: toVisible(text, 110),
      id: typeof reply.id === 'string' ? reply.id : undefined,
    };
  }
  if (action) {
    const { name, input } = toFields(action.payload) ?? {};
    const id = typeof action.id === 'string' ? action.id : undefined;
    return { tone: 'reply', text: toVisible(`${name} ${formatInline(input)}`, 110), id };
  }
  if (read.is('createTask'))
    return { tone: 'plain', text: formatInline(toFields(read.requestJson)?.task, 110), id: undefined };
  return undefined;
}

/** The HTTP status with the status of the task or the `detail` of an error. */
function formatResponse(read: ReadExchange): string {
  const { httpStatus, status, ok, responseJson } = read;
  const detail = ok ? undefined : toFields(responseJson)?.detail;
  const words =
    status ?? (typeof detail === 'string' ? detail : detail === undefined ? '' : formatInline(detail));
  return toVisible(`${httpStatus} ${words}`.trim(), 90);
}

export function chooseTone(status: number): Tone {
  if (status >= 500 || status === 0) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

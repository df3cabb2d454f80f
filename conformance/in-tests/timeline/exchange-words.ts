import { API_PREFIX } from '../../../spec/vocabulary.js';
import { asFields, field } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { replyOf } from '../../conversation/reply.js';
import { type Brief, since } from './brief.js';
import type { Names } from './names.js';

/** What words are made with. */
export interface Wording {
  brief: Brief;
  names: Names;
  /** Where the timeline begins, ms. */
  start: number;
}

/** `GET /task/d394c682?event_t=0 → 202 running, tool_call get_weather (weather)`. */
export function wordsOf(seen: ReadExchange, wording: Wording): string {
  const { network = [], notes = [] } = seen.exchange;
  const asides = [...network.map(({ note }) => `network: ${note}`), ...notes];
  const aside = asides.length === 0 ? '' : ` [${wording.brief.text(asides.join('; '), 160)}]`;
  return `${asked(seen, wording)} → ${answered(seen, wording)}${aside}`;
}

function asked(seen: ReadExchange, wording: Wording): string {
  const { method, url } = seen.exchange.request;
  const below = url.startsWith(`${API_PREFIX}/`) ? url.slice(API_PREFIX.length) : url;
  const address = wording.brief.text(below.replace(/(?<=[?&]event_t=)\d{13}\b/, (at) => timeIn(at, wording)));
  const sent = sentIn(seen, wording);
  return `${method} ${address}${sent === '' ? '' : `, ${sent}`}`;
}

/** Times are easier to find in a timeline when they are counted as it counts them. */
function timeIn(at: string, { start }: Wording): string {
  return Number(at) < start ? at : since(start, Number(at)).replace(' ', '');
}

function sentIn(seen: ReadExchange, { brief, names }: Wording): string {
  const reply = replyOf(seen);
  if (reply) {
    const { code, output } = reply.payload ?? {};
    return `reply to ${names.of(reply.id)}: ${brief.json(code)} ${brief.json(output)}`.trimEnd();
  }
  const { sent } = seen;
  if (!sent) return '';
  const payload = asFields(sent.payload);
  const action = typeof payload?.name === 'string' ? payload.name : names.of(sent.id);
  return `${brief.json(sent.name).replaceAll('"', '')} ${brief.text(action)} ${brief.json(payload?.input)}`.trimEnd();
}

function answered(seen: ReadExchange, wording: Wording): string {
  const { response, request } = seen.exchange;
  if (!response) return 'no answer';
  const late = response.at > request.at ? ` (${since(request.at, response.at)})` : '';
  const learnt = learntFrom(seen, wording);
  return `${response.status}${learnt === '' ? '' : ` ${learnt}`}${late}`;
}

function learntFrom(seen: ReadExchange, { brief, names }: Wording): string {
  if (!seen.ok) return brief.text(problemIn(seen), 120);
  if (seen.unclear) return 'an answer that is not all JSON';
  if (seen.is('createTask'))
    return `task ${brief.json(seen.record?.id).replaceAll('"', '')} is ${seen.status}`;
  if (!seen.is('getTask')) return '';
  const events = seen.events.map(({ id, name, payload }) =>
    field(payload, 'code') === undefined ? `${name} ${names.of(id)}` : `result ${names.of(id)}`,
  );
  return [seen.status ?? 'no status', ...few(events)].join(', ');
}

/** The envelope's `detail`, else the body. */
function problemIn({ responseBody, exchange }: ReadExchange): string {
  const detail = responseBody.state === 'json' ? field(responseBody.value, 'detail') : undefined;
  if (typeof detail === 'string') return detail;
  return detail === undefined ? (exchange.response?.body ?? '') : JSON.stringify(detail);
}

function few(names: readonly string[], most = 4): string[] {
  return names.length <= most
    ? [...names]
    : [...names.slice(0, most - 1), `and ${names.length - most + 1} more events`];
}

import type { TaskView } from '../../../mock/control/task-view.js';
import { redactBody, redactSecrets } from '../../../spec/redact.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';
import { asFields, field } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { oneLine } from '../../report/text.js';

const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** Keys that are shorter may be part of any word: they are not looked for. */
const SHORTEST_SECRET = 8;

/** Events of one response that are named. */
const MOST_EVENTS = 4;

/** Writes the lines of one timeline: short, without the keys of the mock, events by the names that the scenario gives them. */
export class Wording {
  readonly #secrets: readonly string[];
  /** `get_weather (weather)` for a call that a step of the scenario made, `goto` for an action. */
  readonly #names = new Map<string, string>();

  constructor(
    keys: Iterable<string>,
    tasks: readonly TaskView[],
    /** Where the timeline begins, ms. */
    private readonly start: number,
  ) {
    this.#secrets = [...keys].filter((key) => key.length >= SHORTEST_SECRET);
    for (const { calls, actions } of tasks) {
      for (const { id, tool, step } of calls) this.#names.set(id, `${tool} (${step ?? this.text(id)})`);
      for (const { id, name, step } of actions)
        this.#names.set(id, step === undefined || step === name ? name : `${name} (${step})`);
    }
  }

  /** On one line, ids by their first eight digits, at most `longest` characters, no secrets. */
  text(given: string, longest = 80): string {
    const shown = redactSecrets(redactBody(given), this.#secrets);
    return cut(oneLine(shown).replace(UUID, '$1'), longest);
  }

  /** A value as JSON, likewise. Empty for what is no JSON. */
  json(value: unknown, longest?: number): string {
    const text = JSON.stringify(value);
    return text === undefined ? '' : this.text(text, longest);
  }

  eventName(id: unknown): string {
    if (typeof id !== 'string') return this.json(id) || 'no id';
    return this.#names.get(id) ?? this.text(id, 40);
  }

  /** `GET /task/d394c682?event_t=0 → 202 running, tool_call get_weather (weather)`. */
  exchange(exchange: ReadExchange): string {
    const { network = [], notes = [] } = exchange.exchange;
    const asides = [...network.map(({ note }) => `network: ${note}`), ...notes];
    const aside = asides.length === 0 ? '' : ` [${this.text(asides.join('; '), 160)}]`;
    return `${this.#request(exchange)} → ${this.#response(exchange)}${aside}`;
  }

  #request(exchange: ReadExchange): string {
    const { method, url } = exchange.exchange.request;
    const below = url.startsWith(`${API_PREFIX}/`) ? url.slice(API_PREFIX.length) : url;
    // Times are easier to find in a timeline when they are counted as it counts them.
    const address = this.text(
      below.replace(/(?<=[?&]event_t=)\d{13}\b/, (at) =>
        Number(at) < this.start ? at : since(this.start, Number(at)).replace(' ', ''),
      ),
    );
    const sent = this.#sent(exchange);
    return `${method} ${address}${sent === '' ? '' : `, ${sent}`}`;
  }

  #sent({ reply, sent }: ReadExchange): string {
    if (reply) {
      const { code, output } = reply.payload ?? {};
      return `reply to ${this.eventName(reply.id)}: ${this.json(code)} ${this.json(output)}`.trimEnd();
    }
    if (!sent) return '';
    const payload = asFields(sent.payload);
    const action = typeof payload?.name === 'string' ? payload.name : this.eventName(sent.id);
    const name = this.json(sent.name).replaceAll('"', '');
    return `${name} ${this.text(action)} ${this.json(payload?.input)}`.trimEnd();
  }

  #response(exchange: ReadExchange): string {
    const { response, request } = exchange.exchange;
    if (!response) return 'no answer';
    const late = response.at > request.at ? ` (${since(request.at, response.at)})` : '';
    const content = this.#content(exchange);
    return `${response.status}${content === '' ? '' : ` ${content}`}${late}`;
  }

  /** What the client learns from the response. */
  #content(exchange: ReadExchange): string {
    const { record, status, events } = exchange;
    if (!exchange.ok) return this.text(problemIn(exchange), 120);
    if (exchange.unclear) return 'an answer that is not all JSON';
    if (exchange.is('createTask')) return `task ${this.json(record?.id).replaceAll('"', '')} is ${status}`;
    if (!exchange.is('getTask')) return '';
    const names = events.map(({ id, name, payload }) =>
      field(payload, 'code') === undefined ? `${name} ${this.eventName(id)}` : `result ${this.eventName(id)}`,
    );
    if (names.length > MOST_EVENTS) {
      const more = names.length - MOST_EVENTS + 1;
      names.splice(MOST_EVENTS - 1, more, `and ${more} more events`);
    }
    return [status ?? 'no status', ...names].join(', ');
  }
}

/** The envelope's `detail`, else the body. */
function problemIn({ responseBody, exchange }: ReadExchange): string {
  const detail = responseBody.state === 'json' ? field(responseBody.value, 'detail') : undefined;
  if (typeof detail === 'string') return detail;
  return detail === undefined ? (exchange.response?.body ?? '') : JSON.stringify(detail);
}

export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** `+1.300 s`: from `start` to `at`, both ms. */
export function since(start: number, at: number): string {
  const ms = at - start;
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(3)} s`;
}

import type { TaskView } from '../../../mock/control/views.js';
import { redactBody, redactSecrets } from '../../../spec/redact.js';
import { truncateText } from '../../../spec/show.js';
import { toOneLine } from '../../../spec/visible.js';
import { API_PREFIX } from '../../../spec/vocabulary.js';
import type { WholeEvent } from '../../conversation/body.js';
import { readField, toFields } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';

const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** Shorter keys may be part of any word: they are not redacted. */
const SHORTEST_SECRET = 8;

/** Ids of calls and actions with their names, and with the steps that sent them if they are known. */
interface NamedEvents {
  calls: readonly Pick<TaskView['calls'][number], 'id' | 'tool' | 'step'>[];
  actions: readonly Pick<TaskView['actions'][number], 'id' | 'name' | 'step'>[];
}

/** Formats the lines of one timeline: short, without the keys of the mock, with events named as in the scenario. */
export class TimelineFormatter {
  readonly #secrets: readonly string[];
  /** `get_weather (weather)` for a call that a step of the scenario made, `goto` for an action. */
  readonly #names = new Map<string, string>();

  constructor(
    keys: Iterable<string>,
    tasks: readonly NamedEvents[],
    /** Start of the timeline, ms. */
    private readonly start: number,
  ) {
    this.#secrets = [...keys].filter((key) => key.length >= SHORTEST_SECRET);
    for (const { calls, actions } of tasks) {
      for (const { id, tool, step } of calls) this.#names.set(id, `${tool} (${step ?? this.formatText(id)})`);
      for (const { id, name, step } of actions)
        this.#names.set(id, step === undefined || step === name ? name : `${name} (${step})`);
    }
  }

  /** On one line, at most `longest` characters; ids are cut to eight digits, secrets removed. */
  formatText(given: string, longest = 80): string {
    const shown = redactSecrets(redactBody(given), this.#secrets);
    return truncateText(toOneLine(shown).replace(UUID, '$1'), longest);
  }

  /** A value as JSON, formatted likewise; empty if it is not JSON. */
  formatJson(value: unknown): string {
    const text = JSON.stringify(value);
    return text === undefined ? '' : this.formatText(text);
  }

  formatEventName(id: unknown): string {
    if (typeof id !== 'string') return this.formatJson(id) || 'no id';
    return this.#names.get(id) ?? this.formatText(id, 40);
  }

  /** `tool_call get_weather (weather) {"city":"Paris"}`, `result goto 200 {"title":"Tea"}`. */
  formatEvent({ id, name, payload, shape }: Pick<WholeEvent, 'id' | 'name' | 'payload' | 'shape'>): string {
    const content = shape === 'result' ? [payload.code, payload.output] : [payload.input];
    const words = [shape === 'result' ? shape : name, this.formatEventName(id)];
    return [...words, ...content.map((each) => this.formatJson(each))].join(' ').trimEnd();
  }

  /** `GET /task/d394c682?event_t=0 → 202 running, tool_call get_weather (weather)`. */
  formatExchange(exchange: ReadExchange): string {
    const { request, response, network = [], notes = [] } = exchange.exchange;
    // Shown as an offset, like the times of the timeline.
    const url = request.url.replace(/(?<=[?&]event_t=)\d{13}\b/, (at) =>
      Number(at) < this.start ? at : formatOffset(this.start, Number(at)).replace(' ', ''),
    );
    const path = this.formatText(url.startsWith(`${API_PREFIX}/`) ? url.slice(API_PREFIX.length) : url);
    const sent = this.#formatSent(exchange);
    const isLate = response !== undefined && response.at > request.at;
    const allNotes = [...network.map(({ note }) => `network: ${note}`), ...notes].join('; ');
    return [
      `${request.method} ${path}${sent && `, ${sent}`} →`,
      response ? String(response.status) : 'no response',
      this.#formatContent(exchange),
      isLate ? `(${formatOffset(request.at, response.at)})` : '',
      allNotes && `[${this.formatText(allNotes, 160)}]`,
    ]
      .filter((part) => part !== '')
      .join(' ');
  }

  #formatSent({ reply, sent }: ReadExchange): string {
    if (reply) {
      const { code, output } = reply.payload ?? {};
      return `reply to ${this.formatEventName(reply.id)}: ${this.formatJson(code)} ${this.formatJson(output)}`.trimEnd();
    }
    if (!sent) return '';
    const { name = this.formatEventName(sent.id), input } = toFields(sent.payload) ?? {};
    return `${this.formatText(String(sent.name))} ${this.formatText(String(name))} ${this.formatJson(input)}`.trimEnd();
  }

  /** The data in the response. */
  #formatContent(exchange: ReadExchange): string {
    const { record, status, events, responseJson } = exchange;
    if (exchange.httpStatus === 0) return '';
    if (!exchange.ok) {
      const detail = readField(responseJson, 'detail') ?? exchange.exchange.response?.body ?? '';
      return this.formatText(typeof detail === 'string' ? detail : JSON.stringify(detail), 120);
    }
    if (exchange.unclear) return 'a response that is not all JSON';
    if (exchange.is('createTask'))
      return `task ${this.formatText(String(record?.id ?? 'without an id'))} is ${status ?? 'without a status'}`;
    if (!exchange.is('getTask')) return '';
    const names = events.map(
      ({ id, name, shape }) => `${shape === 'call' ? name : shape} ${this.formatEventName(id)}`,
    );
    return [status ?? 'no status', ...names].join(', ');
  }
}

/** `+1.300 s`: from `start` to `at`, both ms. */
export function formatOffset(start: number, at: number): string {
  const ms = at - start;
  return `${ms < 0 ? '-' : '+'}${(Math.abs(ms) / 1000).toFixed(3)} s`;
}

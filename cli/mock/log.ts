import { stripVTControlCharacters } from 'node:util';
import { type Palette, paint } from '../../conformance/report/palette.js';
import { MARKS_OF_LEVELS } from '../../spec/signs.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { createStyles } from '../print.js';

/** Maximum number of lines per second; further lines are counted and reported later. */
const LINES_PER_S = 20;
/** Maximum number of tasks whose completion is still to be logged. */
const MOST_FOLLOWED = 10_000;

const LABELS = { must: 'finding', advice: 'advice ' };

/** Request kinds that create tasks. */
const MAKES_TASKS = new Set(['create', 'createChatTask', 'createMessage', 'triggerWebhook']);

export interface LogOptions {
  /** Log every request, not only refused ones and those that the network changed. */
  isVerbose?: boolean | undefined;
  /** Write JSON lines. */
  isJson?: boolean | undefined;
  /** The log of a proxy, where both sides are judged. */
  isProxy?: boolean | undefined;
}

/** The log on stderr: tasks, requests, notes of the mock, findings about the client. */
export class MockLog {
  /** Tasks created here whose completion has not been logged. */
  readonly #followed = new Set<string>();
  #second = 0;
  #written = 0;
  #leftOut = 0;

  constructor(
    private readonly write: (label: string, text: string) => void,
    private readonly now: () => number,
    private readonly options: LogOptions = {},
    private readonly style: Palette = createStyles(process.stderr),
  ) {}

  /** Logs a request if it is relevant, and that a task was created, ended or refused. */
  logExchange(exchange: Exchange): void {
    const { kind, task, response, network = [] } = exchange;
    const { isVerbose, isJson } = this.options;
    const makesTask = MAKES_TASKS.has(kind);
    const matters = network.length > 0 || (response?.status ?? 0) >= 400;
    if (isVerbose || (matters && !makesTask)) this.#logRequest(exchange);
    if (isJson && isVerbose) return;
    if (makesTask) this.#logCreated(exchange);
    else if (task === undefined || response?.status !== 200) return;
    else if (kind === 'cancel') this.#logEnded(exchange, 'stopped by the client');
    // A poll response is 200 only when the task has ended.
    else if (kind === 'poll') this.#logEnded(exchange, readField(response.body, 'r', 'status'));
  }

  logFinding({ rule, requirement, side, level, message, task = '' }: Finding): void {
    const label = paint(MARKS_OF_LEVELS[level], this.style, LABELS[level]);
    const about = this.options.isProxy ? `${side} ` : '';
    this.logLine(label, () => `${about}${rule} (${requirement}) ${task}: ${message}`, {
      rule,
      requirement,
      level,
      task,
    });
  }

  /** `text` is not called if the line is skipped. `fields` are for JSON. */
  logLine(label: string, text: () => string, fields: object = {}): void {
    const second = Math.floor(this.now() / 1000);
    if (second !== this.#second) {
      if (this.#leftOut > 0) this.#put(this.style.dim('…'), `${this.#leftOut} more lines left out`, {});
      this.#second = second;
      this.#written = this.#leftOut = 0;
    }
    // JSON lines are never skipped: programs need all of them.
    if (this.#written >= LINES_PER_S && !this.options.isJson) this.#leftOut++;
    else {
      this.#written++;
      this.#put(label, text(), fields);
    }
  }

  #put(label: string, text: string, fields: object): void {
    if (!this.options.isJson) {
      this.write(label, text);
      return;
    }
    const event = stripVTControlCharacters(label).trim();
    this.write('', JSON.stringify({ time: new Date(this.now()).toISOString(), event, text, ...fields }));
  }

  /** `POST /api/v1/task/…/event → 404 There is no such call (network: …)`. */
  #logRequest(exchange: Exchange): void {
    const { request, response, task, organisation, network = [], notes } = exchange;
    const { method, url } = request;
    const status = response?.status ?? 0;
    const label = status === 0 || status >= 400 ? this.style.red('request') : 'request';
    const fields = {
      method,
      url,
      status,
      task,
      organisation,
      network: network.map(({ note }) => note),
      notes,
    };
    const formatText = () => {
      const outcome = response ? (status >= 400 ? formatOutcome(response) : String(status)) : 'no response';
      return `${method} ${url} → ${outcome}${formatFaults(exchange)}${formatNotes(exchange)} ${organisation}`;
    };
    this.logLine(label, formatText, fields);
  }

  #logCreated(exchange: Exchange): void {
    const { response, task, organisation, notes = [], scenario } = exchange;
    const { green, red } = this.style;
    const faults = formatFaults(exchange);
    if (task !== undefined) {
      this.#followed.add(task);
      if (this.#followed.size > MOST_FOLLOWED) this.#followed.delete(this.#followed.values().next().value!);
      this.logLine(green('created'), () => {
        const isImprovised = scenario === undefined && !this.options.isProxy;
        const what = [...(isImprovised ? ['improvises'] : []), ...notes, ...listFailureNotes(response)];
        return `${task} ${what.join('; ')}${faults} ${organisation}`;
      });
    } else if (!response) {
      const what = 'a request for a new task was lost: it was not handled and got no response';
      this.logLine(`${red('lost')}   `, () => `${what}${faults} ${organisation}`);
    } else this.logLine(red('refused'), () => `a task: ${formatOutcome(response)}${faults} ${organisation}`);
  }

  #logEnded({ task, organisation }: Exchange, how: string): void {
    if (this.#followed.delete(task!))
      this.logLine(`${this.style.cyan('ended')}  `, () => `${task} ${how} ${organisation}`);
  }
}

function formatFaults({ network = [] }: Exchange): string {
  return network.length === 0 ? '' : ` (network: ${network.map(({ note }) => note).join(', ')})`;
}

function formatNotes({ kind, notes = [] }: Exchange): string {
  // The line about a new task has its notes already.
  return notes.length === 0 || MAKES_TASKS.has(kind) ? '' : ` (${notes.join('; ')})`;
}

/** Notes if the client did not get the response about the new task. */
function listFailureNotes(response: Exchange['response']): string[] {
  if (!response) return ['the client got no response'];
  return response.status === 200 ? [] : [`the client got ${formatOutcome(response)}`];
}

function formatOutcome({ status, body }: NonNullable<Exchange['response']>): string {
  return `${status} ${readField(body, 'detail')}`.trim();
}

/** A field of a JSON body as text; empty if it is missing. */
function readField(body: string, ...path: string[]): string {
  try {
    const value = path.reduce((outer, name) => outer?.[name], JSON.parse(body)) ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return '';
  }
}

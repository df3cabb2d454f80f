import type { Exchange } from '../../spec/vocabulary.js';
import { styles } from '../print.js';

/** Lines a second at most; further lines are counted and reported later. */
const LINES_PER_S = 20;
/** Tasks whose completion is still to be logged, at most. */
const MOST_FOLLOWED = 10_000;

/** Kinds of exchange that make tasks. */
const MAKES_TASKS = new Set(['create', 'createChatTask', 'createMessage', 'triggerWebhook']);

/** What happens to tasks, a line each, on stderr. */
export class TaskLog {
  readonly #style = styles(process.stderr);
  /** Tasks created here whose completion has not been logged. */
  readonly #followed = new Set<string>();
  #second = 0;
  #written = 0;
  #leftOut = 0;

  constructor(
    private readonly write: (label: string, text: string) => void,
    private readonly now: () => number,
  ) {}

  /** Logs that a task was created, ended or refused. */
  exchange(exchange: Exchange): void {
    const { kind, task, response } = exchange;
    if (MAKES_TASKS.has(kind)) this.#created(exchange);
    else if (task === undefined || response?.status !== 200) return;
    else if (kind === 'cancel') this.#ended(exchange, 'stopped by the client');
    // A poll response is 200 only when the task has ended.
    else if (kind === 'poll') this.#ended(exchange, fieldOf(response.body, 'r', 'status'));
  }

  /** `text` is not called where the line is left out. */
  line(label: string, text: () => string): void {
    const second = Math.floor(this.now() / 1000);
    if (second !== this.#second) {
      if (this.#leftOut > 0) this.write(this.#style.dim('…'), `${this.#leftOut} more lines left out`);
      this.#second = second;
      this.#written = this.#leftOut = 0;
    }
    if (this.#written >= LINES_PER_S) this.#leftOut++;
    else {
      this.#written++;
      this.write(label, text());
    }
  }

  #created(exchange: Exchange): void {
    const { response, task, organisation, network = [], notes = [], scenario } = exchange;
    const { green, red } = this.#style;
    const faults = network.length === 0 ? '' : ` (network: ${network.map(({ note }) => note).join(', ')})`;
    if (task !== undefined) {
      this.#followed.add(task);
      if (this.#followed.size > MOST_FOLLOWED) this.#followed.delete(this.#followed.values().next().value!);
      this.line(green('created'), () => {
        const what = [...(scenario === undefined ? ['improvises'] : []), ...notes, ...failureIn(response)];
        return `${task} ${what.join('; ')}${faults} ${organisation}`;
      });
    } else if (!response) {
      const what = 'a request for a new task was lost: it was not handled and got no response';
      this.line(`${red('lost')}   `, () => `${what}${faults} ${organisation}`);
    } else this.line(red('refused'), () => `a task: ${outcomeOf(response)}${faults} ${organisation}`);
  }

  #ended({ task, organisation }: Exchange, how: string): void {
    if (this.#followed.delete(task!))
      this.line(`${this.#style.cyan('ended')}  `, () => `${task} ${how} ${organisation}`);
  }
}

/** What the client does not know of the task that it has made. */
function failureIn(response: Exchange['response']): string[] {
  if (!response) return ['the client got no response'];
  return response.status === 200 ? [] : [`the client got ${outcomeOf(response)}`];
}

function outcomeOf({ status, body }: NonNullable<Exchange['response']>): string {
  return `${status} ${fieldOf(body, 'detail')}`.trim();
}

/** A text in a body; JSON of what is no text, empty where there is none. */
function fieldOf(body: string, ...path: string[]): string {
  try {
    const value = path.reduce((outer, name) => outer?.[name], JSON.parse(body)) ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return '';
  }
}

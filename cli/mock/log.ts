import type { Exchange } from '../../spec/vocabulary.js';
import { styles } from '../styles.js';

/** Lines a second at most; what is beyond is counted and told later. */
const LINES_PER_S = 20;
/** Tasks whose end is still to be told, at most. */
const MOST_FOLLOWED = 10_000;

/** Other operations that make tasks. */
const MAKES_TASKS = new Set(['createChatTask', 'createMessage', 'triggerWebhook']);

/** What happens to tasks, a line each, on stderr. */
export class TaskLog {
  readonly #style = styles(process.stderr);
  /** Tasks that have been created here and whose end has not been told. */
  readonly #followed = new Set<string>();
  #second = 0;
  #written = 0;
  #swallowed = 0;

  constructor(
    private readonly write: (line: string) => void,
    private readonly now: () => number,
  ) {}

  /** Tells of a task that was created, ended or refused. */
  exchange(exchange: Exchange): void {
    if (exchange.kind === 'create' || (MAKES_TASKS.has(exchange.kind) && exchange.task))
      this.#created(exchange);
    else if (exchange.task !== undefined && this.#followed.has(exchange.task))
      this.#ended(exchange, exchange.task);
  }

  line(text: string): void {
    const second = Math.floor(this.now() / 1000);
    if (second !== this.#second) this.#nextSecond(second);
    if (this.#written >= LINES_PER_S) {
      this.#swallowed++;
      return;
    }
    this.#written++;
    this.write(text);
  }

  #nextSecond(second: number): void {
    this.#second = second;
    this.#written = 0;
    if (this.#swallowed > 0) this.write(this.#style.dim(`… ${this.#swallowed} more lines left out`));
    this.#swallowed = 0;
  }

  #created(exchange: Exchange): void {
    const { response, task, organisation, notes = [], network = [] } = exchange;
    const { dim, green, red } = this.#style;
    const faults = network.length === 0 ? '' : ` (network: ${network.join(', ')})`;
    if (task !== undefined) {
      this.#follow(task);
      const follows = notes.some((note) => note.startsWith('follows ')) ? [] : ['improvises'];
      const told = toldOf(response);
      this.line(
        `${green('created')} ${task} ${[...follows, ...notes, ...told].join('; ')}${faults} ${dim(organisation)}`,
      );
    } else if (!response) {
      this.line(
        `${red('lost')}    a request for a new task was not handled, and got no answer${faults} ${dim(organisation)}`,
      );
    } else {
      const why = `${response.status} ${detailOf(response.body)}`.trim();
      this.line(`${red('refused')} a task: ${why}${faults} ${dim(organisation)}`);
    }
  }

  #ended(exchange: Exchange, task: string): void {
    const { response, kind } = exchange;
    const terminal = kind === 'poll' && response?.status === 200;
    if (!terminal && !(kind === 'cancel' && response?.status === 200)) return;
    this.#followed.delete(task);
    const status = terminal ? /"status":"(\w+)"/.exec(response.body)?.[1] : 'stopped by the client';
    this.line(`${this.#style.cyan('ended')}   ${task} ${status} ${this.#style.dim(exchange.organisation)}`);
  }

  #follow(task: string): void {
    this.#followed.add(task);
    if (this.#followed.size > MOST_FOLLOWED) this.#followed.delete(this.#followed.values().next().value!);
  }
}

/** What the client does not know of the task that it has made. */
function toldOf(response: Exchange['response']): string[] {
  if (!response) return ['the client got no answer'];
  return response.status === 200
    ? []
    : [`the client got ${response.status} ${detailOf(response.body)}`.trim()];
}

function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(body);
    return typeof detail === 'string' ? detail : JSON.stringify(detail);
  } catch {
    return '';
  }
}

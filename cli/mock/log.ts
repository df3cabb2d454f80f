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
  #swallowed = 0;

  constructor(
    private readonly write: (label: string, text: string) => void,
    private readonly now: () => number,
  ) {}

  /** Logs that a task was created, ended or refused. */
  exchange(exchange: Exchange): void {
    if (MAKES_TASKS.has(exchange.kind)) this.#created(exchange);
    else if (this.#followed.size > 0) this.#seen(exchange);
  }

  /** A text that costs something to make comes as a function: not called where the line is left out. */
  line(label: string, text: string | (() => string)): void {
    const second = Math.floor(this.now() / 1000);
    if (second !== this.#second) this.#nextSecond(second);
    if (this.#written >= LINES_PER_S) {
      this.#swallowed++;
      return;
    }
    this.#written++;
    this.write(label, typeof text === 'string' ? text : text());
  }

  #nextSecond(second: number): void {
    this.#second = second;
    this.#written = 0;
    if (this.#swallowed > 0) this.write(this.#style.dim('…'), `${this.#swallowed} more lines left out`);
    this.#swallowed = 0;
  }

  #created(exchange: Exchange): void {
    const { response, task, organisation, network = [] } = exchange;
    const { green, red } = this.#style;
    const faults = network.length === 0 ? '' : ` (network: ${network.map(({ note }) => note).join(', ')})`;
    if (task !== undefined) {
      this.#follow(task);
      this.line(green('created'), () => {
        const { notes = [], scenario } = exchange;
        const what = [
          ...(scenario === undefined ? ['improvises'] : []),
          ...notes,
          ...outcomeFor(response),
        ].join('; ');
        return `${task} ${what}${faults} ${organisation}`;
      });
    } else if (!response) {
      this.line(
        `${red('lost')}   `,
        `a request for a new task was lost: it was not handled and got no response${faults} ${organisation}`,
      );
    } else {
      const why = `${response.status} ${detailOf(response.body)}`.trim();
      this.line(red('refused'), `a task: ${why}${faults} ${organisation}`);
    }
  }

  /** Logs the completion of a task when a client causes or sees it. */
  #seen({ kind, task, response, organisation }: Exchange): void {
    if (response?.status !== 200) return;
    if (kind === 'cancel') this.#ended(task, 'stopped by the client', organisation);
    // A poll response is 200 only when the task has ended.
    else if (kind === 'poll') this.#ended(task, /"status":"(\w+)"/.exec(response.body)?.[1], organisation);
    else if (kind === 'getChat') this.#ended(idleTask(response.body), 'as its chat shows', organisation);
  }

  #ended(task: string | undefined, how: string | undefined, organisation: string): void {
    if (task === undefined || !this.#followed.delete(task)) return;
    this.line(`${this.#style.cyan('ended')}  `, `${task} ${how} ${organisation}`);
  }

  #follow(task: string): void {
    this.#followed.add(task);
    if (this.#followed.size > MOST_FOLLOWED) this.#followed.delete(this.#followed.values().next().value!);
  }
}

/** What the client does not know of the task that it has made. */
function outcomeFor(response: Exchange['response']): string[] {
  if (!response) return ['the client got no response'];
  return response.status === 200
    ? []
    : [`the client got ${response.status} ${detailOf(response.body)}`.trim()];
}

/** The last task of a chat that waits for its user again. */
function idleTask(chat: string): string | undefined {
  try {
    const { status, task_id } = JSON.parse(chat);
    return status === 'idle' ? task_id : undefined;
  } catch {
    return undefined;
  }
}

function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(body);
    return typeof detail === 'string' ? detail : JSON.stringify(detail);
  } catch {
    return '';
  }
}

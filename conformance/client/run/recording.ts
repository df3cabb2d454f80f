import type { Organisation } from '../../../mock/engine/organisation.js';
import type { TraceEntry } from '../../../mock/network/trace.js';
import type { Exchange } from '../../../spec/vocabulary.js';

interface Times {
  arrived: number;
  left: number | undefined;
}

/** What was written down of a run, all keys together, numbered in the order in which the requests arrived. */
export interface Recorded {
  exchanges: Exchange[];
  trace: TraceEntry[];
  /** Real times by `seq`, ms. */
  wall: Map<number, Times>;
}

/** Stands for the organisation in the exchanges of a run: what a client did under another key than its own is told apart. */
export type Whose = 'client' | 'another key' | 'no key';

/** Characters of bodies in one run from which on it is a flood: no scenario makes a client send or read a tenth of it. */
const MOST_OF_A_RUN = 64 * 1024 * 1024;

/** Writes down what passes between one client and the mock. */
export class RunRecording {
  readonly #under = new Map<string, { organisation: Organisation; whose: Whose }>();
  readonly #ended: Exchange[] = [];
  readonly #trace: TraceEntry[] = [];
  /** Names of the organisations, one for each entry of the trace. */
  readonly #traced: string[] = [];
  readonly #wall = new Map<string, Times>();
  #characters = 0;
  /** Called when there is more than a run may send and read. */
  onFull: () => void = () => {};

  /** `now`: the real time in ms, where it matters. */
  constructor(private readonly now?: () => number) {}

  opened(organisation: Organisation, whose: Whose): void {
    this.#under.set(organisation.name, { organisation, whose });
  }

  /** What an earlier run has left behind is none of ours, here and below. */
  traced(entry: TraceEntry, name: string): void {
    if (!this.#under.has(name)) return;
    this.#trace.push(entry);
    this.#traced.push(name);
    if (!this.now || entry.what === 'step') return;
    const key = `${name} ${entry.seq}`;
    if (entry.what === 'arrive') this.#wall.set(key, { arrived: this.now(), left: undefined });
    else if (entry.status !== 0 && this.#wall.has(key)) this.#wall.get(key)!.left = this.now();
  }

  exchanged(exchange: Exchange, name: string): void {
    if (!this.#under.has(name)) return;
    this.#ended.push(exchange);
    this.#characters += (exchange.request.body?.length ?? 0) + (exchange.response?.body.length ?? 0);
    if (this.isFull) this.onFull();
  }

  get isFull(): boolean {
    return this.#characters > MOST_OF_A_RUN;
  }

  /** `seq`s of requests that wait for their answer now; none where several keys were used, whose numbers are not settled. */
  pending(): number[] {
    return this.#under.size > 1 ? [] : this.#open().map(({ seq }) => seq);
  }

  /** Everything so far, requests that are still under way included. To be asked once, at the end. */
  read(): Recorded {
    const ended = [...this.#ended, ...this.#open()];
    const number = this.#numbers(ended);
    const wall = new Map<number, Times>();
    for (const [key, times] of this.#wall) {
      const space = key.lastIndexOf(' ');
      wall.set(number(key.slice(0, space), Number(key.slice(space + 1))), times);
    }
    // Under one key the numbers are what they are.
    const trace =
      this.#under.size <= 1
        ? [...this.#trace]
        : this.#trace.map((entry, index) =>
            entry.what === 'step' ? entry : { ...entry, seq: number(this.#traced[index]!, entry.seq) },
          );
    // The mock made these for us alone.
    for (const exchange of ended) {
      exchange.seq = number(exchange.organisation, exchange.seq);
      exchange.organisation = this.#under.get(exchange.organisation)!.whose;
    }
    return { exchanges: ended.sort((one, other) => one.seq - other.seq), trace, wall };
  }

  #open(): Exchange[] {
    return [...this.#under].flatMap(([name, { organisation }]) => {
      const ended = this.#ended.filter((each) => each.organisation === name);
      if (organisation.journal.size <= ended.length) return [];
      const done = new Set(ended.map(({ seq }) => seq));
      return organisation.journal.read().filter(({ seq }) => !done.has(seq));
    });
  }

  /** Each organisation counts its own requests; here they are counted together. */
  #numbers(ended: readonly Exchange[]): (name: string, seq: number) => number {
    if (this.#under.size <= 1) return (_name, seq) => seq;
    const arrivals = this.#trace.flatMap((entry, index) =>
      entry.what === 'arrive' ? [`${this.#traced[index]} ${entry.seq}`] : [],
    );
    const others = ended.map(({ organisation, seq }) => `${organisation} ${seq}`);
    const order = new Map<string, number>();
    for (const key of [...arrivals, ...others]) if (!order.has(key)) order.set(key, order.size + 1);
    return (name, seq) => order.get(`${name} ${seq}`) ?? seq;
  }
}

import type { Organisation } from '../../../mock/engine/organisation.js';
import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { ClientRun } from '../types.js';

/** Characters of bodies in one run from which on it is a flood: no scenario makes a client send or read a tenth of it. */
const MOST_OF_A_RUN = 64 * 1024 * 1024;

/** Records the exchanges of one client with the mock, under all API keys that it uses. */
export class RunRecording {
  /** By name. `label` replaces the name in the exchanges. */
  readonly #organisations = new Map<string, { organisation: Organisation; label: string }>();
  readonly #ended: Exchange[] = [];
  /** `wall`: real time, ms. */
  readonly #traced: { entry: TraceEntry; organisation: string; wall: number | undefined }[] = [];
  #characters = 0;

  /** `now`: the real time in ms, where the mock's clock is another. `onFull` is called when the run becomes a flood. */
  constructor(
    private readonly now?: () => number,
    private readonly onFull?: () => void,
  ) {}

  open(organisation: Organisation, label: string): void {
    this.#organisations.set(organisation.name, { organisation, label });
  }

  /** Organisations that are not open belong to an earlier run. */
  trace(entry: TraceEntry, organisation: string): void {
    if (this.#organisations.has(organisation)) this.#traced.push({ entry, organisation, wall: this.now?.() });
  }

  add(exchange: Exchange): void {
    if (!this.#organisations.has(exchange.organisation)) return;
    this.#ended.push(exchange);
    this.#characters += (exchange.request.body?.length ?? 0) + (exchange.response?.body.length ?? 0);
    if (this.#characters > MOST_OF_A_RUN) this.onFull?.();
  }

  /** `seq` of the requests without a response; none where several keys were used, whose numbers are not settled. */
  pending(): number[] {
    return this.#organisations.size > 1 ? [] : this.#open().map(({ seq }) => seq);
  }

  /** Everything so far, including requests without a response. Call it once: it changes the exchanges. */
  read(): Required<Pick<ClientRun, 'exchanges' | 'trace' | 'wall'>> {
    const exchanges = [...this.#ended, ...this.#open()];
    const numberOf = this.#numbering(exchanges);
    const wall = new Map<number, { arrived: number; left: number | undefined }>();
    const trace = this.#traced.map(({ entry, organisation, wall: at }) => {
      if (entry.what === 'step') return entry;
      const seq = numberOf(organisation, entry.seq);
      const times = wall.get(seq);
      if (at !== undefined && entry.what === 'arrive') wall.set(seq, { arrived: at, left: undefined });
      else if (times && entry.what === 'answer' && entry.status !== 0) times.left = at;
      return seq === entry.seq ? entry : { ...entry, seq };
    });
    for (const exchange of exchanges) {
      exchange.seq = numberOf(exchange.organisation, exchange.seq);
      exchange.organisation = this.#organisations.get(exchange.organisation)!.label;
    }
    exchanges.sort((one, other) => one.seq - other.seq);
    return { exchanges, trace, wall: wall.size > 0 ? wall : undefined };
  }

  #open(): Exchange[] {
    return [...this.#organisations].flatMap(([name, { organisation }]) => {
      if (organisation.inFlight === 0) return [];
      const ended = new Set(this.#ended.flatMap((each) => (each.organisation === name ? each.seq : [])));
      return organisation.journal.read().filter(({ seq }) => !ended.has(seq));
    });
  }

  /** Each organisation numbers its own requests; a run numbers all of them in the order in which they arrived. */
  #numbering(exchanges: readonly Exchange[]): (organisation: string, seq: number) => number {
    if (this.#organisations.size <= 1) return (_, seq) => seq;
    const numbers = new Map<string, number>();
    const arrivals = this.#traced.flatMap(({ entry, organisation }) =>
      entry.what === 'arrive' ? { organisation, seq: entry.seq } : [],
    );
    for (const { organisation, seq } of [...arrivals, ...exchanges]) {
      const key = `${organisation} ${seq}`;
      if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
    }
    return (organisation, seq) => numbers.get(`${organisation} ${seq}`) ?? seq;
  }
}

/**
 * The run with its exchanges numbered from `before` + 1: a report holds the exchanges of many runs. Renumber a run before
 * it is judged, so that messages have these numbers too.
 */
export function renumber(run: ClientRun, before: number): ClientRun {
  if (before === 0) return run;
  return {
    ...run,
    exchanges: run.exchanges.map((exchange) => ({ ...exchange, seq: exchange.seq + before })),
    pending: run.pending.map((seq) => seq + before),
    wall: run.wall && new Map([...run.wall].map(([seq, times]) => [seq + before, times])),
    trace: run.trace.map((entry) => (entry.what === 'step' ? entry : { ...entry, seq: entry.seq + before })),
  };
}

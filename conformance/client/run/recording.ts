import type { Organisation } from '../../../mock/engine/organisation.js';
import type { TraceEntry } from '../../../mock/network/tracer.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { ClientRun, WallTimes } from '../types.js';

/** Characters of bodies in one run that count as a flood: no scenario needs a tenth of it. */
const MOST_OF_A_RUN = 64 * 1024 * 1024;

/**
 * Records the exchanges of one client with the mock, under all API keys that it uses. Each organisation numbers its own requests. A run
 * renumbers all of them in the order of arrival.
 */
export class RunRecording {
  /** By name. `label` replaces the name in the exchanges. `numbers`: `seq` in the run by `seq` in the organisation. */
  readonly #organisations = new Map<
    string,
    { organisation: Organisation; label: string; numbers: number[] }
  >();
  readonly #ended: Exchange[] = [];
  readonly #trace: TraceEntry[] = [];
  /** Real times by `seq`, ms. */
  readonly #wall = new Map<number, WallTimes>();
  #requests = 0;
  #characters = 0;

  /** `now`: real time in ms, if the mock has another clock. `onFull` is called for a flood, `onRequest` for every request. */
  constructor(
    private readonly now?: () => number,
    private readonly onFull?: () => void,
    private readonly onRequest?: () => void,
  ) {}

  open(organisation: Organisation, label: string): void {
    this.#organisations.set(organisation.name, { organisation, label, numbers: [] });
  }

  /** Organisations that are not open belong to an earlier run. */
  addTrace(entry: TraceEntry, organisation: string): void {
    if (!this.#organisations.has(organisation)) return;
    if (entry.what === 'step') {
      this.#trace.push(entry);
      return;
    }
    if (entry.what === 'arrive') this.onRequest?.();
    const seq = this.#assignNumber(organisation, entry.seq);
    this.#trace.push(seq === entry.seq ? entry : { ...entry, seq });
    if (!this.now) return;
    const times = this.#wall.get(seq);
    if (entry.what === 'arrive') this.#wall.set(seq, { arrived: this.now(), left: undefined });
    else if (times && entry.what === 'response' && entry.status !== 0) times.left = this.now();
  }

  add(exchange: Exchange): void {
    if (!this.#organisations.has(exchange.organisation)) return;
    this.#ended.push(exchange);
    this.#characters += (exchange.request.body?.length ?? 0) + (exchange.response?.body.length ?? 0);
    if (this.#characters > MOST_OF_A_RUN) this.onFull?.();
  }

  /** `seq` of the requests without a response. */
  listPending(): number[] {
    return this.#listOpenExchanges().map(({ organisation, seq }) => this.#assignNumber(organisation, seq));
  }

  /** Everything so far, including requests without a response. Call it once: it renumbers the exchanges in place. */
  read(): Required<Pick<ClientRun, 'exchanges' | 'trace' | 'wall'>> {
    const exchanges = [...this.#ended, ...this.#listOpenExchanges()];
    for (const exchange of exchanges) {
      const { organisation: name, seq } = exchange;
      exchange.seq = this.#assignNumber(name, seq);
      exchange.organisation = this.#organisations.get(name)!.label;
      // On virtual time the order is exact, and the number differs from run to run.
      if (!this.now) delete exchange.connection;
    }
    exchanges.sort((one, other) => one.seq - other.seq);
    return { exchanges, trace: this.#trace, wall: this.#wall.size > 0 ? this.#wall : undefined };
  }

  #listOpenExchanges(): Exchange[] {
    return [...this.#organisations].flatMap(([name, { organisation }]) => {
      if (organisation.inFlight === 0) return [];
      const ended = new Set(this.#ended.flatMap((each) => (each.organisation === name ? each.seq : [])));
      return organisation.journal.read().filter(({ seq }) => !ended.has(seq));
    });
  }

  #assignNumber(organisation: string, seq: number): number {
    const { numbers } = this.#organisations.get(organisation)!;
    numbers[seq] ??= ++this.#requests;
    return numbers[seq];
  }
}

/**
 * Numbers the exchanges of several runs one after the other: `seq` is unique in a report. Renumber a run before it is judged, so that
 * messages have these numbers too.
 */
export class RunNumbers {
  #last = 0;

  renumber(run: ClientRun): ClientRun {
    const before = this.#last;
    this.#last += listExchanges(run).at(-1)?.seq ?? 0;
    return before === 0 ? run : shiftNumbers(run, before);
  }
}

export function shiftNumbers(run: ClientRun, by: number): ClientRun {
  const { exchanges, pending, late, wall, trace, other } = run;
  return {
    ...run,
    exchanges: exchanges.map((exchange) => ({ ...exchange, seq: exchange.seq + by })),
    pending: pending.map((seq) => seq + by),
    ...(late && { late: late.map((seq) => seq + by) }),
    wall: wall && new Map([...wall].map(([seq, times]) => [seq + by, times])),
    trace: trace.map((entry) => (entry.what === 'step' ? entry : { ...entry, seq: entry.seq + by })),
    ...(other && { other: shiftNumbers(other, by) }),
  };
}

/** Those of the other job too, which have the higher numbers. */
export function listExchanges({ exchanges, other }: ClientRun): Exchange[] {
  return other ? [...exchanges, ...other.exchanges] : exchanges;
}

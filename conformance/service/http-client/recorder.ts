import type { Exchange } from '../../../spec/vocabulary.js';
import { KeptBodies } from '../../common/kept-bodies.js';
import { Judge } from '../../rules/judge.js';
import type { Rule } from '../../rules/rule.js';

/** Numbers the exchanges of a run and keeps them in the order of their start. */
export class ExchangeRecorder {
  readonly exchanges: Exchange[] = [];
  readonly bodies = new KeptBodies();

  /** `onEnd` is called with each completed exchange. */
  constructor(readonly onEnd: (exchange: Exchange) => void = () => {}) {}

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    const begun: Exchange = { seq: this.exchanges.length + 1, ...exchange };
    this.exchanges.push(begun);
    return begun;
  }
}

/** A shared list, since compiled rules are cached per list. */
const NO_RULES: readonly Rule[] = [];

/** The exchanges of one case. Rules observe them as they complete. */
export class ExchangeStream {
  readonly judge: Judge;
  readonly #ended: Exchange[] = [];
  /** Server errors to reads that got another response in a retry, grouped by read. Rules do not observe them. */
  readonly resent: (readonly Exchange[])[] = [];
  #isClosed = false;

  constructor(
    private readonly recorder: ExchangeRecorder,
    rules: readonly Rule[] = NO_RULES,
  ) {
    this.judge = new Judge(rules);
  }

  /** Exchanges that completed before the end of the case. */
  get ended(): readonly Exchange[] {
    return this.#ended;
  }

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    return this.recorder.begin(exchange);
  }

  end(exchange: Exchange): void {
    this.recorder.onEnd(exchange);
    if (this.#isClosed) this.#keep(exchange, 'passed');
    else {
      this.#ended.push(exchange);
      this.judge.observe(exchange);
    }
  }

  /** Excludes server errors to one read that finally got another response. */
  setAside(errors: readonly Exchange[]): void {
    this.resent.push(errors);
  }

  /** Ends the case. `failed`: exchanges that show a failure. Cleanup requests are not judged. */
  close(failed: ReadonlySet<number>): void {
    for (const exchange of [...this.#ended.splice(0), ...this.resent.flat()])
      this.#keep(exchange, failed.has(exchange.seq) ? 'failed' : 'passed');
    this.#isClosed = true;
  }

  #keep(exchange: Exchange, interest: 'passed' | 'failed'): void {
    this.recorder.bodies.add(this.recorder.exchanges, exchange.seq - 1, interest);
  }
}

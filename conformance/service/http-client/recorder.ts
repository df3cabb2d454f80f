import type { Exchange } from '../../../spec/vocabulary.js';
import { KeptBodies } from '../../report/kept-bodies.js';
import { Judge } from '../../rules/judge.js';
import type { Rule } from '../../rules/rule.js';

/** Numbers the exchanges of a run and keeps them in the order in which they began. */
export class ExchangeRecorder {
  readonly exchanges: Exchange[] = [];
  readonly bodies = new KeptBodies();

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    const begun: Exchange = { seq: this.exchanges.length + 1, ...exchange };
    this.exchanges.push(begun);
    return begun;
  }
}

/** The exchanges of one case, shown to rules as they end. */
export class Stream {
  judge: Judge;
  readonly #begun: Exchange[] = [];
  #isClosed = false;

  constructor(
    private readonly recorder: ExchangeRecorder,
    rules: readonly Rule[],
  ) {
    this.judge = new Judge(rules);
  }

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    const begun = this.recorder.begin(exchange);
    if (!this.#isClosed) this.#begun.push(begun);
    return begun;
  }

  end(exchange: Exchange): void {
    this.judge.see(exchange);
    this.recorder.bodies.add(
      this.recorder.exchanges,
      exchange.seq - 1,
      this.#isClosed ? 'passed' : 'under way',
    );
  }

  /** The case is over, and these exchanges show a failure. What it leaves to be removed from the target is not judged. */
  close(failed: ReadonlySet<number>): void {
    for (const exchange of this.#begun)
      this.recorder.bodies.settle(exchange, failed.has(exchange.seq) ? 'failed' : 'passed');
    this.#begun.length = 0;
    this.#isClosed = true;
    this.judge = new Judge([]);
  }
}

import type { Exchange } from '../../../spec/vocabulary.js';
import { KeptBodies } from '../../common/kept-bodies.js';
import { Judge } from '../../rules/judge.js';
import type { Rule } from '../../rules/rule.js';

/** Numbers the exchanges of a run and keeps them in the order in which they began. */
export class ExchangeRecorder {
  readonly exchanges: Exchange[] = [];
  readonly bodies = new KeptBodies();

  /** `onEnd` is called with each exchange that is over. */
  constructor(readonly onEnd: (exchange: Exchange) => void = () => {}) {}

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    const begun: Exchange = { seq: this.exchanges.length + 1, ...exchange };
    this.exchanges.push(begun);
    return begun;
  }
}

/** One list, as what is made of the rules is kept for each list. */
const NO_RULES: readonly Rule[] = [];

/** The exchanges of one case, shown to rules as they end. */
export class ExchangeStream {
  readonly judge: Judge;
  readonly #ended: Exchange[] = [];
  /** Server errors to reads that got another response when they were sent again, by read. Rules are not shown them. */
  readonly resent: (readonly Exchange[])[] = [];
  #isClosed = false;

  constructor(
    private readonly recorder: ExchangeRecorder,
    rules: readonly Rule[] = NO_RULES,
  ) {
    this.judge = new Judge(rules);
  }

  /** The exchanges that have ended before the case was over. */
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

  /** Server errors to one read, which got another response in the end. */
  setAside(errors: readonly Exchange[]): void {
    this.resent.push(errors);
  }

  /** The case is over, and these exchanges show a failure. What it leaves to be removed from the target is not judged. */
  close(failed: ReadonlySet<number>): void {
    for (const exchange of [...this.#ended.splice(0), ...this.resent.flat()])
      this.#keep(exchange, failed.has(exchange.seq) ? 'failed' : 'passed');
    this.#isClosed = true;
  }

  #keep(exchange: Exchange, interest: 'passed' | 'failed'): void {
    this.recorder.bodies.add(this.recorder.exchanges, exchange.seq - 1, interest);
  }
}

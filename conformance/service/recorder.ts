import type { Exchange } from '../../spec/vocabulary.js';
import { Judge } from '../rules/judge.js';
import type { Rule } from '../rules/rule.js';

/** Numbers the exchanges of a run and keeps them in the order in which they began. */
export class Recorder {
  readonly exchanges: Exchange[] = [];

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    const begun: Exchange = { seq: this.exchanges.length + 1, ...exchange };
    this.exchanges.push(begun);
    return begun;
  }
}

/** The exchanges of one probe, shown to rules as they end. */
export class Stream {
  readonly judge: Judge;

  constructor(
    private readonly recorder: Recorder,
    rules: readonly Rule[],
  ) {
    this.judge = new Judge(rules, { tasks: Number.POSITIVE_INFINITY });
  }

  begin(exchange: Omit<Exchange, 'seq'>): Exchange {
    return this.recorder.begin(exchange);
  }

  end(exchange: Exchange): void {
    this.judge.see(exchange);
  }
}

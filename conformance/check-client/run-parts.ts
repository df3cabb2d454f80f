import type { Exchange } from '../../spec/vocabulary.js';
import type { Advice, CheckResult } from '../causes/check-result.js';
import { KeptBodies } from '../common/kept-bodies.js';
import type { ConformReport } from '../service/runner/result.js';

/** What one run adds to the report. */
export interface RunPart {
  checks: CheckResult[];
  advice?: Advice[];
  exchanges?: Exchange[];
}

/** Exchanges that a report keeps of one run: its beginning, its end, and the evidence of its checks. */
const MOST_OF_A_RUN = 200;

/** Collects the parts in the order of the scenarios. */
export class RunParts {
  readonly #parts: RunPart[] = [];
  readonly #bodies = new KeptBodies();

  add(part: RunPart): void {
    const exchanges = selectExchanges(part);
    const failed = new Set(
      part.checks.flatMap(({ outcome, evidence }) => (outcome === 'failed' ? evidence : [])),
    );
    for (const [index, { seq }] of exchanges.entries())
      this.#bodies.add(exchanges, index, failed.has(seq) ? 'failed' : 'passed');
    this.#parts.push({ ...part, exchanges });
  }

  read(): Pick<ConformReport, 'checks' | 'exchanges' | 'shortened'> & { advice: Advice[] } {
    const { shortened } = this.#bodies;
    return {
      checks: this.#parts.flatMap(({ checks }) => checks),
      advice: this.#parts.flatMap(({ advice = [] }) => advice),
      exchanges: this.#parts
        .flatMap(({ exchanges = [] }) => exchanges)
        .sort((one, other) => one.seq - other.seq),
      ...(shortened > 0 && { shortened }),
    };
  }
}

function selectExchanges({ checks, advice = [], exchanges = [] }: RunPart): Exchange[] {
  if (exchanges.length <= MOST_OF_A_RUN) return exchanges;
  const shown = new Set([...checks, ...advice].flatMap(({ evidence }) => evidence));
  const half = MOST_OF_A_RUN / 2;
  return exchanges.filter(({ seq }, at) => at < half || at >= exchanges.length - half || shown.has(seq));
}

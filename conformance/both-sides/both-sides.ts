import type { OnProgress } from '../../mock/exchange/readers/read-recording.js';
import type { Side } from '../../spec/requirement-types.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { findCauses } from '../causes/causes.js';
import { VERSION } from '../common/version.js';
import { compareByEnd, ReadExchange } from '../conversation/read-exchange.js';
import { allRules } from '../rules/all-rules.js';
import { Judge } from '../rules/judge.js';
import {
  type Advice,
  type CheckResult,
  type ConformReport,
  summarizeChecks,
} from '../service/runner/result.js';
import { collectAdvice, createClientChecks, createServiceChecks, mergeSideCoverage } from './checks.js';
import { createFollowedCheck } from './followed-check.js';
import { KeptExchanges } from './kept-exchanges.js';
import { Occasions } from './occasions.js';

/** A response takes at least so long to reach a client in another process, and to be acted on, ms. */
const LATENCY_MS = 5;

/** What a report on recorded exchanges says beside the checks. */
export interface RecordedRun {
  /** Of the service. */
  baseUrl: string;
  started: Date;
  duration_ms: number;
  seed?: number;
  /** When no more could come, ms of the clock of the exchanges; absent for what was recorded at another time. */
  endedAt?: number;
  /** Judged sides; both unless given. */
  sides?: readonly Side[] | undefined;
  /** Of the judged checks those that are wanted; all unless given. */
  isWanted?: ((check: Pick<CheckResult, 'id'>) => boolean) | undefined;
  /** What the sides do not have, as `--lacks` names it: checks of that are skipped. */
  lacks?: readonly string[] | undefined;
  /** Why no more came than this. */
  stopped?: string | undefined;
}

/**
 * Judges client and service by what passed between them, exchange by exchange. What it remembers is bounded, however many there
 * are.
 */
export class BothSidesJudge {
  readonly #judge: Judge;
  readonly #occasions = new Occasions();
  readonly #kept = new KeptExchanges();
  #exchangeCount = 0;

  /** `onFinding` is called with each new finding that needs no further exchange. */
  constructor(onFinding: (finding: Finding) => void = () => {}) {
    this.#judge = new Judge(allRules, (finding) => {
      this.#kept.pin(finding.evidence);
      onFinding(finding);
    });
  }

  /** Exchanges of the API that were seen. */
  get exchangeCount(): number {
    return this.#exchangeCount;
  }

  /** To be called in the order in which exchanges ended. */
  observe(given: Exchange | ReadExchange): void {
    const exchange = given instanceof ReadExchange ? given : new ReadExchange(given, LATENCY_MS);
    this.#kept.add(exchange.exchange);
    if (exchange.operation) this.#exchangeCount++;
    this.#occasions.observe(exchange);
    this.#judge.observe(exchange);
  }

  /** All there is to say so far; what holds only if nothing more comes is last. */
  findings(): Finding[] {
    return this.#judge.findings();
  }

  createReport(run: RecordedRun): ConformReport {
    const { sides = ['client', 'service'], isWanted = () => true, lacks = [], stopped } = run;
    const findings = this.findings();
    const checks = sides
      .flatMap((side): CheckResult[] =>
        side === 'client'
          ? [
              ...createClientChecks(this.#judge, this.#occasions, lacks),
              ...(run.endedAt === undefined ? [] : [createFollowedCheck(this.#judge, run.endedAt)]),
            ]
          : createServiceChecks(this.#judge, lacks),
      )
      .filter(isWanted);
    const advice: Advice[] = sides.includes('client') ? collectAdvice(findings).filter(isWanted) : [];
    this.#kept.pin([...checks, ...advice].flatMap(({ evidence }) => evidence));
    const exchanges = this.#kept.read();
    const { shortened } = this.#kept;
    return {
      taskdouble: VERSION,
      target: { base_url: run.baseUrl },
      seed: run.seed ?? 1,
      started: run.started.toISOString(),
      duration_ms: run.duration_ms,
      summary: summarizeChecks(checks),
      checks,
      causes: findCauses(checks, exchanges),
      advice,
      exchanges,
      dialect: {},
      requirements: mergeSideCoverage(sides, checks, run.isWanted !== undefined),
      ...(shortened > 0 && { shortened }),
      ...(stopped !== undefined && { stopped }),
    };
  }
}

/** Judges exchanges that are all there, in whatever order. Changes nothing in them. */
export function judgeBothSides(exchanges: readonly Exchange[], onProgress?: OnProgress): BothSidesJudge {
  const both = new BothSidesJudge();
  const left = exchanges
    .map((each) => new ReadExchange(each, LATENCY_MS))
    .sort((one, other) => compareByEnd(other, one));
  // One that was judged is let go: its bodies, once parsed, take several times their size.
  for (let each = left.pop(); each; each = left.pop()) {
    both.observe(each);
    onProgress?.(() => `${exchanges.length - left.length} of ${exchanges.length} exchanges judged`);
  }
  return both;
}

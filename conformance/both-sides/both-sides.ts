import type { OnProgress } from '../../mock/exchange/readers/read-recording.js';
import type { Side } from '../../spec/requirement-types.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { type CheckResult, summarizeAdvice } from '../causes/check-result.js';
import { shortenBodies } from '../common/kept-bodies.js';
import { RealTimeReader } from '../conversation/latency.js';
import { compareByEnd, ReadExchange } from '../conversation/read-exchange.js';
import { allRules } from '../rules/all-rules.js';
import { Judge } from '../rules/judge.js';
import { type ConformReport, createReport } from '../service/runner/result.js';

import {
  createClientChecks,
  createFollowedCheck,
  createServiceChecks,
  mergeSideCoverage,
  Occasions,
} from './checks.js';

/** Data of a report on recorded exchanges besides the checks. */
interface RecordedRun {
  /** Of the service. */
  baseUrl: string;
  started: Date;
  duration_ms: number;
  seed?: number;
  /** When the recording ended, ms on the clock of the exchanges; absent for exchanges recorded earlier. */
  endedAt?: number;
  /** Judged sides. Default: both. */
  sides?: readonly Side[] | undefined;
  /** Selects checks. Default: all. */
  isWanted?: ((check: Pick<CheckResult, 'id'>) => boolean) | undefined;
  /** What the sides do not have, as `--lacks` names it: its checks are skipped. */
  lacks?: readonly string[] | undefined;
  /** Why the exchanges end early. */
  stopped?: string | undefined;
}

/** Judges client and service exchange by exchange. Memory is bounded, whatever the number of exchanges. */
export class BothSidesJudge {
  readonly #judge: Judge;
  readonly #occasions = new Occasions();
  readonly #kept = new KeptExchanges();
  readonly #reader = new RealTimeReader({ isRecording: true });
  #exchangeCount = 0;

  /** `onFinding` is called with each new finding that needs no further exchange. */
  constructor(onFinding: (finding: Finding) => void = () => {}) {
    this.#judge = new Judge(allRules, (finding) => {
      this.#kept.pin(finding.evidence);
      onFinding(finding);
    });
  }

  get exchangeCount(): number {
    return this.#exchangeCount;
  }

  /** Call it in the order in which the exchanges ended. */
  observe(given: Exchange | ReadExchange): void {
    const exchange = given instanceof ReadExchange ? given : this.#reader.readNext(given);
    this.#kept.add(exchange.exchange);
    if (exchange.operation) this.#exchangeCount++;
    this.#occasions.observe(exchange);
    this.#judge.observe(exchange);
  }

  /** All findings so far. Those that hold only if no further exchange follows come last. */
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
    const ofClient = findings.filter(({ side }) => side === 'client');
    const advice = sides.includes('client') ? summarizeAdvice('client', ofClient).filter(isWanted) : [];
    this.#kept.pin([...checks, ...advice].flatMap(({ evidence }) => evidence));
    const exchanges = this.#kept.read();
    const { shortened } = this.#kept;
    return createReport({
      target: { base_url: run.baseUrl },
      seed: run.seed ?? 1,
      started: run.started,
      duration_ms: run.duration_ms,
      checks,
      advice,
      exchanges,
      requirements: mergeSideCoverage(sides, checks, run.isWanted !== undefined),
      ...(shortened > 0 && { shortened }),
      ...(stopped !== undefined && { stopped }),
    });
  }
}

/** Judges a complete list of exchanges, in any order, without changing them. */
export function judgeBothSides(exchanges: readonly Exchange[], onProgress?: OnProgress): BothSidesJudge {
  const both = new BothSidesJudge();
  const reader = new RealTimeReader({ isRecording: true });
  const left = reader.readAll(exchanges).sort((one, other) => compareByEnd(other, one));
  // Judged exchanges are released: parsed bodies take several times their size in memory.
  for (let each = left.pop(); each; each = left.pop()) {
    both.observe(each);
    onProgress?.(() => `${exchanges.length - left.length} of ${exchanges.length} exchanges judged`);
  }
  return both;
}

/** Most exchanges kept: the first, the latest, and those that are evidence. */
const MOST_FIRST = 500;
const MOST_LATEST = 1000;
const MOST_PINNED = 2000;
/** Most characters of a body. */
const LONGEST_BODY = 32 * 1024;

/** The exchanges of a report: the first, the latest, and those that are evidence. */
class KeptExchanges {
  readonly #first: Exchange[] = [];
  readonly #pinned = new Map<number, Exchange>();
  /** By `seq`, in order of arrival. */
  readonly #latest = new Map<number, Exchange>();
  shortened = 0;

  add(given: Exchange): void {
    const exchange = shortenBodies(given, LONGEST_BODY);
    if (exchange !== given) this.shortened++;
    if (this.#first.length < MOST_FIRST) {
      this.#first.push(exchange);
      return;
    }
    this.#latest.set(exchange.seq, exchange);
    if (this.#latest.size > MOST_LATEST) this.#latest.delete(this.#latest.keys().next().value!);
  }

  /** Keeps these exchanges if they are among the latest. */
  pin(seqs: readonly number[]): void {
    for (const seq of seqs) {
      const exchange = this.#latest.get(seq);
      if (exchange && this.#pinned.size < MOST_PINNED) this.#pinned.set(seq, exchange);
    }
  }

  /** In the order of the requests. */
  read(): Exchange[] {
    const kept = [...this.#first, ...this.#pinned.values(), ...this.#latest.values()];
    return [...new Set(kept)].sort((one, other) => one.seq - other.seq);
  }
}

import { listNeeds } from '../../scenarios/format/needs.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { readRuleDefect } from '../causes/causes.js';
import type { Advice, Cause, CheckResult } from '../causes/check-result.js';
import { formatClientName } from '../client/run/client-options.js';
import type { Client } from '../client/types.js';
import { KeptBodies } from '../common/kept-bodies.js';
import type { Shard } from '../common/shard.js';
import {
  type ConformReport,
  createReport,
  describeRunTime,
  measureCoverage,
} from '../service/runner/result.js';

/** Each run has its own mock, on its own port. */
export const BASE_URL = 'http://127.0.0.1';

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

/**
 * Adds to causes what the client may lack: all their scenarios need it, no scenario that needs it passed, and others passed. This is a
 * guess, which the author of the client confirms or not.
 */
export function addLacks(
  causes: readonly Cause[],
  scenarios: readonly Scenario[],
  checks: readonly CheckResult[],
): Cause[] {
  const failed = new Set(checks.filter(({ outcome }) => outcome === 'failed').map((check) => check.case));
  const passed = new Set(checks.flatMap((check) => (check.outcome === 'passed' ? check.case : [])));
  const needs = new Map(scenarios.map((scenario) => [scenario.name, listNeeds(scenario)]));
  const isLacking = (need: string) =>
    scenarios.every(({ name }) => !needs.get(name)!.includes(need) || failed.has(name) || !passed.has(name));
  const caseById = new Map(checks.map((check) => [check.id, check.case]));
  const isWhole = scenarios.some(({ name }) => passed.has(name) && !failed.has(name));
  return causes.map((cause) => {
    if (!isWhole || !readRuleDefect(cause.rule).onLack) return cause;
    const [first = [], ...others] = cause.checks.map((id) => needs.get(caseById.get(id)!) ?? []);
    const lacks = first.find((need) => others.every((each) => each.includes(need)) && isLacking(need));
    return lacks === undefined ? cause : { ...cause, lacks };
  });
}

interface ReportFacts {
  seed: number;
  shard?: Shard;
  started: Date;
  duration_ms: number;
  scenarios: readonly Scenario[];
  /** The caller selected the scenarios. */
  isPartial: boolean;
  stopped?: string;
}

export function createClientReport(
  { client, adapter }: { client: Client; adapter: string | undefined },
  collected: RunParts,
  { scenarios, isPartial, ...facts }: ReportFacts,
): ConformReport {
  const parts = collected.read();
  const { checks } = parts;
  const report = createReport({
    target: {
      base_url: BASE_URL,
      client: formatClientName(client),
      time: describeRunTime(client.kind),
      ...(adapter !== undefined && { adapter }),
    },
    ...facts,
    ...parts,
    requirements: measureCoverage('client', checks, () => 'no scenario that was played gave the occasion', {
      isPartial,
    }),
  });
  return { ...report, causes: addLacks(report.causes, scenarios, checks) };
}

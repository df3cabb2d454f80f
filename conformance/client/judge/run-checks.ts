import type { Exposure, Scenario } from '../../../scenarios/format/types.js';
import { formatDuration } from '../../../spec/duration.js';
import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import { groupBy } from '../../../spec/lists.js';
import type { Finding } from '../../../spec/vocabulary.js';
import {
  type Advice,
  type CheckResult,
  readSuite,
  summarizeAdvice,
  summarizeFindings,
} from '../../causes/check-result.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { collectOccasions } from '../../rules/client-rules.js';
import { RUN_EVIDENCE, type RunEvidence } from '../../rules/run-rules.js';
import { estimateDeadline } from '../run/job.js';
import type { ClientRun } from '../types.js';
import { listUnreportedAsks } from './asks.js';
import { classifyEvidence } from './findings.js';

/** Number of checks of a run without findings. */
export const CHECKS_OF_A_RUN = RUN_EVIDENCE.length;

/** Creates a failed check for each broken rule, and a passed check for each kind of evidence without one. */
export function createRunChecks(
  run: ClientRun,
  findings: readonly Finding[],
  again?: string,
): { checks: CheckResult[]; advice: Advice[] } {
  const { scenario } = run;
  const broken = findings.filter(({ level }) => level === 'must');
  const checks = RUN_EVIDENCE.flatMap((evidence) => {
    const found = broken.filter((finding) => classifyEvidence(finding) === evidence);
    return found.length > 0 ? createFailedChecks(scenario, found, again) : [createPassedCheck(run, evidence)];
  });
  return { checks, advice: summarizeAdvice(scenario.name, findings, scenario.name) };
}

/** Whether another run of the scenario passed with the evidence by which a check failed. */
export function hasPassedEvidence(
  { case: name, rule = '' }: CheckResult,
  { checks }: { checks: readonly CheckResult[] },
): boolean {
  return checks.some(
    ({ id, outcome }) => outcome === 'passed' && id === `${name}#${classifyEvidence({ rule })}`,
  );
}

/** The check of a scenario that was not played to its end. `error` is a fault of taskdouble. */
export function createUnplayedCheck(
  scenario: Scenario,
  outcome: 'skipped' | 'inconclusive' | 'error',
  message: string,
): CheckResult {
  const what = outcome === 'skipped' ? 'playable' : 'end';
  return { ...createCheckHead(scenario, what), covers: [], outcome, message, evidence: [] };
}

function createFailedChecks(scenario: Scenario, found: readonly Finding[], again?: string): CheckResult[] {
  return [...groupBy(found, ({ rule }) => rule)].map(([rule, group]) => ({
    ...createCheckHead(scenario, rule),
    rule,
    covers: [...new Set(group.map(({ requirement }) => requirement as RequirementId))],
    outcome: 'failed' as const,
    ...summarizeFindings(group),
    ...(group[0]!.situation && { situation: group[0]!.situation }),
    ...(group[0]!.change !== undefined && { change: group[0]!.change }),
    ...(again === undefined ? {} : { again }),
  }));
}

interface PassEvidence {
  /** Undefined if the evidence proves nothing. */
  covers?: RequirementId[];
  message: string;
  /** `seq` of exchanges. */
  evidence?: number[];
}

function createPassedCheck(run: ClientRun, kind: RunEvidence): CheckResult {
  const { covers, message, evidence = [] } = findPassEvidence(run, kind);
  const outcome = covers ? 'passed' : 'inconclusive';
  return { ...createCheckHead(run.scenario, kind), covers: covers ?? [], outcome, message, evidence };
}

/** A check passes on positive evidence only: a client that exits with 0 but creates no task has proved nothing. */
function findPassEvidence(run: ClientRun, kind: RunEvidence): PassEvidence {
  const missing = listUnreportedAsks(run);
  if (missing.length > 0) {
    const message = `This scenario is about ${missing.join(' and ')}, which the result line does not report: an adapter that can puts it into "asked".`;
    return { message };
  }
  if (run.hasSkippedWaits && run.scenario.exposes) {
    const message = `This scenario is about ${run.scenario.exposes.map((each) => EXPOSURE_NAMES[each]).join(' and ')}, and the clock of this run skipped the wait: --time virtual keeps it, and in real time --timeout ${formatDuration(estimateDeadline(run.scenario))}.`;
    return { message };
  }
  const exchanges = run.exchanges.map((exchange) => new ReadExchange(exchange));
  return exchanges.some((each) => each.is('createTask'))
    ? PASS_EVIDENCE[kind](run, exchanges)
    : { message: 'The client never sent POST /task: a client that does nothing has shown nothing.' };
}

const EXPOSURE_NAMES: Readonly<Record<Exposure, string>> = {
  'long-wait': 'a long wait',
  'client-time-out': "a client's time-out",
};

const PASS_EVIDENCE: Readonly<
  Record<RunEvidence, (run: ClientRun, exchanges: readonly ReadExchange[]) => PassEvidence>
> = {
  exchanges({ scenario }, all) {
    const exchanges = all.filter(({ operation }) => operation);
    return {
      message: `${exchanges.length} exchanges, and no rule is broken.`,
      covers: collectRequirements(exchanges, scenario),
      evidence: [exchanges[0]!.seq, exchanges.at(-1)!.seq],
    };
  },
  line({ line, error, kind }) {
    if (line === undefined) {
      return kind === 'function' && error !== undefined
        ? { message: `The function threw: ${error}.`, covers: ['CLIENT-11'] }
        : { message: 'There is no line.' };
    }
    const what = line.error === undefined ? `the status ${JSON.stringify(line.status)}` : 'that it gave up';
    return { message: `The line reports ${what}, and the exchanges confirm it.`, covers: ['CLIENT-10'] };
  },
  exit({ exitCode, end, kind, line }) {
    if (line === undefined && kind !== 'function')
      return { message: 'There is no line to compare the exit code with.' };
    if (exitCode === null || end !== 'by-itself') return { message: 'The client did not exit by itself.' };
    const returned = exitCode === 0 ? 'returned' : 'gave an error';
    const how = kind === 'function' ? returned : `exited with ${exitCode}`;
    return { message: `It ${how}, as it should.`, covers: ['CLIENT-10'] };
  },
  end({ end, durationMs }) {
    if (end !== 'by-itself') return { message: 'The client did not end by itself.' };
    const message = `It ended by itself after ${Math.round(durationMs / 100) / 10} s.`;
    return { message, covers: ['CLIENT-09'] };
  },
};

/** Requirements that these exchanges could have violated. */
function collectRequirements(exchanges: readonly ReadExchange[], { covers }: Scenario): RequirementId[] {
  const isClientRequirement = (id: string) =>
    requirements.some((each) => each.id === id && each.side === 'client');
  const shown = new Set<string>(['AUTH-01', ...covers.filter(isClientRequirement)]);
  for (const each of exchanges) for (const id of collectOccasions(each)) shown.add(id);
  return [...shown] as RequirementId[];
}

function createCheckHead(
  { name, title, file }: Scenario,
  what: string,
): Pick<CheckResult, 'id' | 'case' | 'suite' | 'title' | 'file'> {
  const isOwn = file !== undefined && !file.startsWith('scenarios/');
  return { id: `${name}#${what}`, case: name, suite: readSuite(name), title, ...(isOwn && { file }) };
}

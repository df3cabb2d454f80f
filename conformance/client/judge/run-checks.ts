import { SUITES } from '../../../scenarios/format/library/folders.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import { asFields } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import type { Advice, CheckResult, CheckSuite } from '../../service/runner/result.js';
import type { ClientRun } from '../types.js';
import type { RunFinding } from './verdict.js';

/** What a run is judged by. */
const WITNESSES = ['exchanges', 'line', 'exit', 'end'] as const;
type Witness = (typeof WITNESSES)[number];

/** `seq`s that are given for a check. */
const MOST_EVIDENCE = 20;

/** What comes of one run: a check for each witness that has nothing against the client, and one for each rule that has. */
export interface RunChecks {
  checks: CheckResult[];
  advice: Advice[];
}

export function checksOf(run: ClientRun, findings: readonly RunFinding[], again?: string): RunChecks {
  const { scenario } = run;
  const broken = findings.filter(({ level }) => level === 'must');
  const checks = WITNESSES.flatMap((witness) => {
    const found = broken.filter(({ rule }) => witnessOf(rule) === witness);
    return found.length > 0 ? failed(scenario, found, again) : [heard(run, witness)];
  });
  const advice = groups(findings.filter(({ level }) => level === 'advice')).map((group) => ({
    id: `${scenario.name}#${group[0]!.rule}`,
    message: messageOf(group),
    evidence: evidenceOf(group),
  }));
  return { checks, advice };
}

/** A scenario that such a client cannot play. */
export function skipped(scenario: Scenario, why: string): CheckResult {
  return { ...about(scenario, 'playable'), covers: [], outcome: 'skipped', message: why, evidence: [] };
}

/** A scenario that could not be tried. */
export function untried(scenario: Scenario, why: string): CheckResult {
  return { ...about(scenario, 'end'), covers: [], outcome: 'inconclusive', message: why, evidence: [] };
}

/** A scenario in which taskdouble itself failed. */
export function crashed(scenario: Scenario, why: string): CheckResult {
  return { ...about(scenario, 'end'), covers: [], outcome: 'error', message: why, evidence: [] };
}

/** How many checks a run has as long as nothing is found. */
export const CHECKS_OF_A_RUN = WITNESSES.length;

function witnessOf(rule: string): Witness {
  if (rule.startsWith('line/')) return 'line';
  if (rule.startsWith('exit/')) return 'exit';
  return rule.startsWith('run/') && rule !== 'run/requests' ? 'end' : 'exchanges';
}

function failed(scenario: Scenario, found: readonly RunFinding[], again: string | undefined): CheckResult[] {
  return groups(found).map((group) => ({
    ...about(scenario, group[0]!.rule),
    covers: [...new Set(group.map(({ requirement }) => requirement as RequirementId))],
    outcome: 'failed' as const,
    message: messageOf(group),
    evidence: evidenceOf(group),
    ...(again === undefined ? {} : { again }),
  }));
}

/** What the witness says for the client. Nobody passes by having nothing to show: to end well without a task is nothing. */
function heard(run: ClientRun, witness: Witness): CheckResult {
  const hasBegun = run.exchanges.some((exchange) => new ReadExchange(exchange).is('createTask'));
  const said = hasBegun
    ? SAYS[witness](run)
    : { passed: false, message: 'The client never sent POST /task: that it did nothing shows nothing.' };
  return {
    ...about(run.scenario, witness),
    covers: said.covers ?? [],
    outcome: said.passed ? 'passed' : 'inconclusive',
    message: said.message,
    evidence: (said.evidence ?? []).slice(0, MOST_EVIDENCE),
  };
}

interface Says {
  passed: boolean;
  message: string;
  covers?: RequirementId[];
  evidence?: number[];
}

const SAYS: Readonly<Record<Witness, (run: ClientRun) => Says>> = {
  exchanges({ exchanges, scenario }) {
    const seen = exchanges.map((exchange) => new ReadExchange(exchange)).filter(({ operation }) => operation);
    if (seen.length === 0) return { passed: false, message: 'There was no request to look at.' };
    return {
      passed: true,
      message: `${seen.length} exchanges, and no rule has anything against them.`,
      covers: shown(seen, scenario),
      evidence: [seen[0]!.seq, seen.at(-1)!.seq],
    };
  },
  line({ line, error, way }) {
    if (line === undefined) {
      if (way === 'function' && error !== undefined)
        return { passed: true, message: `The function threw: ${error}.`, covers: ['CLIENT-11'] };
      return { passed: false, message: 'There is no line to look at.' };
    }
    const what = line.error === undefined ? `the status ${JSON.stringify(line.status)}` : 'that it gave up';
    return {
      passed: true,
      message: `The line tells ${what}, and what passed bears it out.`,
      covers: ['CLIENT-10'],
    };
  },
  exit({ exit_code, end, way, line }) {
    if (line === undefined && way !== 'function')
      return { passed: false, message: 'There is no line to hold the exit code against.' };
    if (exit_code === null || end !== 'by-itself')
      return { passed: false, message: 'The client did not exit by itself.' };
    const how =
      way === 'function' ? (exit_code === 0 ? 'returned' : 'gave an error') : `exited with ${exit_code}`;
    return { passed: true, message: `It ${how}, as it should.`, covers: ['CLIENT-10'] };
  },
  end({ end, duration_ms }) {
    if (end !== 'by-itself') return { passed: false, message: 'The client did not end by itself.' };
    return {
      passed: true,
      message: `It ended by itself after ${Math.round(duration_ms / 100) / 10} s.`,
      covers: ['CLIENT-09'],
    };
  },
};

const OF_CLIENTS: ReadonlySet<string> = new Set(
  requirements.filter(({ side }) => side === 'client').map(({ id }) => id),
);

/** Rules that these exchanges gave the occasion to break. */
function shown(seen: readonly ReadExchange[], { covers }: Scenario): RequirementId[] {
  const found = new Set<string>(['AUTH-01', ...covers.filter((id) => OF_CLIENTS.has(id))]);
  const add = (...ids: RequirementId[]) => {
    for (const id of ids) found.add(id);
  };
  for (const each of seen) {
    if (each.is('createTask')) add('CLIENT-03');
    if (each.is('getTask')) add('POLL-01', 'CLIENT-01');
    if (each.is('getTask') && each.events.length > 0) add('POLL-05', 'POLL-06');
    const status = each.exchange.response?.status ?? 0;
    if (status === 0 || status >= 400) add('CLIENT-08', 'CLIENT-11');
    if (status === 429) add('POLL-11');
    if (each.sent?.name === 'tool_call') {
      const code = asFields(each.sent.payload)?.code;
      add('EVENT-04', 'EVENT-07', 'TOOL-04', 'TOOL-10', code === 200 ? 'TOOL-06' : 'TOOL-03');
    } else if (each.sent) {
      add('CLIENT-12');
      const isClose = asFields(each.sent.payload)?.name === 'close';
      add(
        'EVENT-04',
        'EVENT-06',
        'EVENT-07',
        'SESSION-02',
        'SESSION-05',
        isClose ? 'SESSION-04' : 'SESSION-03',
      );
    }
  }
  return [...found] as RequirementId[];
}

function about({ name, title }: Scenario, what: string): Pick<CheckResult, 'id' | 'suite' | 'title'> {
  return { id: `${name}#${what}`, suite: suiteOf(name), title };
}

function suiteOf(name: string): CheckSuite {
  const folder = name.split('/')[0]!;
  return folder === 'races' ? 'races' : (SUITES.find((suite) => suite === folder) ?? 'own');
}

/** Findings by their rule. */
function groups(found: readonly RunFinding[]): RunFinding[][] {
  const byRule = new Map<string, RunFinding[]>();
  for (const finding of found) byRule.set(finding.rule, [...(byRule.get(finding.rule) ?? []), finding]);
  return [...byRule.values()];
}

function messageOf([first, ...more]: readonly RunFinding[]): string {
  return more.length === 0 ? first!.message : `${first!.message} (And ${more.length} more of this kind.)`;
}

function evidenceOf(group: readonly RunFinding[]): number[] {
  return [...new Set(group.flatMap(({ evidence }) => evidence))]
    .sort((one, other) => one - other)
    .slice(-MOST_EVIDENCE);
}

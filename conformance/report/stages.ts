import type { CheckResult, CheckSuite } from '../causes/check-result.js';
import type { ConformReport } from '../service/runner/result.js';

/** The recommended order of implementation: later stages need earlier ones. */
const STAGES: readonly { name: string; suites: readonly CheckSuite[] }[] = [
  { name: 'create and poll', suites: ['polling', 'status-codes'] },
  { name: 'tools', suites: ['tool-calls'] },
  { name: 'sessions', suites: ['sessions'] },
  { name: 'errors', suites: ['errors', 'limits', 'auth'] },
  { name: 'resources', suites: ['resources'] },
];

/** How far the implementation of a service is; undefined if nothing fails, and for other kinds of reports. */
export function describeStages({ checks, target, searched }: ConformReport): string | undefined {
  const isOfService = target.client === undefined && searched === undefined;
  if (!isOfService || checks.some(({ side }) => side !== undefined)) return undefined;
  const stages = STAGES.map(({ name, suites }) => {
    const own = checks.filter(({ suite }) => suites.includes(suite));
    return { name, suites, passed: countOutcome(own, 'passed'), failed: countOutcome(own, 'failed') };
  }).filter(({ passed, failed }) => passed + failed > 0);
  const next = stages.find(({ failed }) => failed > 0);
  if (!next || stages.length < 2) return undefined;
  const shown = stages.map(({ name, passed, failed }) => {
    const state = failed === 0 ? 'done' : `${passed} of ${passed + failed} passed`;
    return `${name} ${state}`;
  });
  const flags = next.suites.map((suite) => `--suite ${suite}`).join(' ');
  return `${shown.join(', ')}. Next: ${next.name} (${flags}).`;
}

function countOutcome(checks: readonly CheckResult[], wanted: CheckResult['outcome']): number {
  return checks.filter(({ outcome, known }) => outcome === wanted && known === undefined).length;
}

/** Changes since an earlier report: checks that pass now, and checks that passed and fail now. Undefined without changes. */
export function describeChanges(before: ConformReport, report: ConformReport): string | undefined {
  const outcomes = new Map(before.checks.map(({ id, outcome }) => [id, outcome]));
  const hasFailedBefore = (id: string) => outcomes.has(id) && outcomes.get(id) !== 'passed';
  const gained = report.checks.filter(({ id, outcome }) => outcome === 'passed' && hasFailedBefore(id));
  const lost = report.checks.filter(
    ({ id, outcome }) => outcome === 'failed' && outcomes.get(id) === 'passed',
  );
  if (gained.length + lost.length === 0) return undefined;
  const names = lost.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = lost.length > names.length ? `, and ${lost.length - names.length} more` : '';
  const broken =
    lost.length === 0 ? '' : `; ${lost.length} passed then and fail now: ${names.join(', ')}${more}`;
  return `${gained.length} more pass${broken}`;
}

const MOST_NAMED = 5;

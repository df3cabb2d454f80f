import { afterAll, describe, it, type TestContext } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import type { CheckResult } from '../causes/check-result.js';
import { type ConformOptions, type ConformResult, conform, listCaseChecks, planRun } from '../conform.js';
import { redactReport } from '../report/redact-report.js';
import { formatExchange } from '../report/view.js';

export interface DescribeOptions extends Omit<ConformOptions, 'baseUrl' | 'apiKey' | 'signal'> {
  /** `{base_url}` of the service, or a function that returns it when the tests run. */
  baseUrl: string | (() => string | Promise<string>);
  apiKey: string | (() => string | Promise<string>);
  /** Title of the test block. Default `conformance`. */
  title?: string;
  /** Inconclusive and flaky checks fail. By default, inconclusive checks are skipped with their reason and flaky ones pass. */
  strict?: boolean;
}

/** Most characters of a body in a message. */
const LONGEST_BODY = 400;

const RULES: ReadonlyMap<string, string> = new Map(requirements.map(({ id, rule }) => [id, rule]));

/**
 * Registers a vitest test for each check of the suite. The selected checks (`-t`, `.only`) run together when the first of
 * these tests runs. Throws TypeError if the options leave no check.
 */
export function describeConformance(options: DescribeOptions): void {
  const { title = 'conformance', strict = false } = options;
  const checks = listCaseChecks(planRun(options).cases);
  if (checks.length === 0)
    throw new TypeError('expected at least one check, found none; check suites, only and lacks');
  const byTitle = new Map(checks.map((check) => [formatTitle(check), check.id]));
  const stop = new AbortController();
  let running: Promise<ConformResult> | undefined;
  const runOnce = (context: TestContext): Promise<ConformResult> => {
    context.signal.addEventListener('abort', () => stop.abort(), { once: true });
    running ??= runChecks(options, listSelectedChecks(context, byTitle), stop.signal);
    return running;
  };

  describe(title, () => {
    for (const [name, id] of byTitle) {
      // The run has its own time limits.
      it(name, { timeout: 0 }, async (context) => {
        const report = await runOnce(context);
        const result = report.checks.find((check) => check.id === id);
        if (!result) throw new Error(`The run ended without a result for ${id}.`);
        if (result.outcome === 'passed' || (result.outcome === 'flaky' && !strict)) return;
        const problem = describeProblem(result, report, strict);
        if (problem !== undefined) throw new Error(problem);
        context.skip(`${result.outcome}: ${result.message}`);
      });
    }

    it('something was tested, and nothing else was broken', { timeout: 0 }, async (context) => {
      const problem = describeOtherProblem(await runOnce(context), [...byTitle.values()]);
      if (problem !== undefined) throw new Error(problem);
    });

    // Waits until all resources created on the target are removed.
    afterAll(() => running?.then(() => {}).catch(() => {}), 0);
  });
}

async function runChecks(
  { baseUrl, apiKey, title: _, strict: __, ...rest }: DescribeOptions,
  only: readonly string[],
  signal: AbortSignal,
): Promise<ConformResult> {
  const target = { baseUrl: await resolveValue(baseUrl), apiKey: await resolveValue(apiKey) };
  const report = await conform({ ...rest, ...target, only, signal });
  const { other, free, exhausted } = rest.keys ?? {};
  const keys = [target.apiKey, other, free, exhausted].filter((key) => key !== undefined);
  return { ...report, ...redactReport(report, keys) };
}

function describeProblem(
  { outcome, message, evidence }: CheckResult,
  { stopped, exchanges }: ConformResult,
  strict: boolean,
): string | undefined {
  if (outcome === 'failed' || outcome === 'flaky') {
    const shown = exchanges.filter(({ seq }) => evidence.includes(seq));
    return [message, ...shown.flatMap((exchange) => formatExchange(exchange, LONGEST_BODY))].join('\n  ');
  }
  if (outcome === 'error') return message;
  if (outcome !== 'inconclusive') return undefined;
  if (stopped !== undefined) return `could not be tested: ${stopped}`;
  return strict ? `inconclusive: ${message}` : undefined;
}

/** Failures that no registered test reports: nothing was tested, or a rule failed that no case expects. */
function describeOtherProblem(
  { stopped, summary, checks }: ConformResult,
  registered: readonly string[],
): string | undefined {
  if (stopped !== undefined) return `could not be tested: ${stopped}`;
  if (summary.passed + summary.failed + (summary.flaky ?? 0) === 0)
    return 'no check passed or failed: nothing was tested';
  const others = checks.filter(({ id, outcome }) => outcome === 'failed' && !registered.includes(id));
  return others.length === 0 ? undefined : others.map(({ id, message }) => `${id}: ${message}`).join('\n');
}

/** Contains check id and rule: filters match either. */
function formatTitle({ id, requirement }: ReturnType<typeof listCaseChecks>[number]): string {
  return `${id}: ${RULES.get(requirement) ?? ''}`;
}

/** The checks of this block that vitest will run. */
function listSelectedChecks({ task }: TestContext, byTitle: ReadonlyMap<string, string>): string[] {
  const siblings = task.suite?.tasks ?? [];
  const selected = siblings.filter(({ mode }) => mode !== 'skip' && mode !== 'todo');
  return selected.flatMap(({ name }) => byTitle.get(name) ?? []);
}

async function resolveValue(value: string | (() => string | Promise<string>)): Promise<string> {
  return typeof value === 'string' ? value : value();
}

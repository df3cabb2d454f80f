import { afterAll, describe, it, type TestContext } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import { type ConformOptions, type ConformResult, conform, listCaseChecks, planRun } from '../conform.js';
import { formatExchange } from '../report/exchange-text.js';
import { redactReport } from '../report/redact-report.js';
import type { CheckResult } from '../service/runner/result.js';

export interface DescribeOptions extends Omit<ConformOptions, 'baseUrl' | 'apiKey' | 'signal'> {
  /** `{base_url}` of the service, or how to get it once the tests run. */
  baseUrl: string | (() => string | Promise<string>);
  apiKey: string | (() => string | Promise<string>);
  /** Name of the block of tests. Default `conformance`. */
  title?: string;
  /** An inconclusive check fails; otherwise it is skipped, with its reason. A flaky check fails, too; otherwise it passes. */
  strict?: boolean;
}

/** Characters of a body in a message. */
const LONGEST_BODY = 400;

const RULES: ReadonlyMap<string, string> = new Map(requirements.map(({ id, rule }) => [id, rule]));

/**
 * Registers a vitest test for each check of the suite. The checks run together, when the first of these tests runs, and only
 * those that are asked for (`-t`, `.only`). Throws TypeError when the options leave no check.
 */
export function describeConformance(options: DescribeOptions): void {
  const { title = 'conformance', strict = false } = options;
  const checks = listCaseChecks(planRun(options).cases);
  if (checks.length === 0)
    throw new TypeError('expected at least one check, found none: look at suites, only and lacks');
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
      // The run has time limits of its own.
      it(name, { timeout: 0 }, async (context) => {
        const report = await runOnce(context);
        const result = report.checks.find((check) => check.id === id);
        if (!result) throw new Error(`The run has ended without a result of ${id}.`);
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

    // Everything that was created on the target has been removed then.
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

/** Why a check fails; undefined when it is only inconclusive. */
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

/** What none of the checks reports: that nothing was tested, or that rules were broken that no case expected. */
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

/** The check and its rule: filters match either. */
function formatTitle({ id, requirement }: ReturnType<typeof listCaseChecks>[number]): string {
  return `${id}: ${RULES.get(requirement) ?? ''}`;
}

/** The checks of this block that vitest is going to run. */
function listSelectedChecks({ task }: TestContext, byTitle: ReadonlyMap<string, string>): string[] {
  const siblings = task.suite?.tasks ?? [];
  const selected = siblings.filter(({ mode }) => mode !== 'skip' && mode !== 'todo');
  return selected.flatMap(({ name }) => byTitle.get(name) ?? []);
}

async function resolveValue(value: string | (() => string | Promise<string>)): Promise<string> {
  return typeof value === 'string' ? value : value();
}

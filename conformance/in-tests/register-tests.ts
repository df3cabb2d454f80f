import { afterAll, it, type TestContext } from 'vitest';
import type { CheckResult } from '../causes/check-result.js';
import { formatExchange } from '../report/view.js';
import type { ConformReport } from '../service/runner/result.js';

/** One run of checks, and the tests that report them. */
export interface RunTests {
  /** Ids of the tests by their titles. */
  tests: ReadonlyMap<string, string>;
  /** Runs what the tests with these ids need. */
  run(ids: readonly string[], signal: AbortSignal): Promise<ConformReport>;
  /** True if the test with this id reports this check. */
  isOf(check: CheckResult, id: string): boolean;
  /** Inconclusive and flaky checks fail. */
  strict: boolean;
}

/** Most characters of a body in a message. */
const LONGEST_BODY = 400;

/**
 * Registers the tests in the current block. The selected ones (`-t`, `.only`) share one run, which begins with the first of them.
 */
export function registerTests(block: RunTests): void {
  const { tests, strict, isOf } = block;
  const stop = new AbortController();
  let running: Promise<ConformReport> | undefined;
  const runOnce = (context: TestContext): Promise<ConformReport> => {
    // A context has a signal from vitest 3.2 on.
    context.signal?.addEventListener('abort', () => stop.abort(), { once: true });
    running ??= block.run(listSelected(context, tests), stop.signal);
    return running;
  };

  for (const [name, id] of tests) {
    // The run has its own time limits.
    it(name, { timeout: 0 }, async (context) => {
      const report = await runOnce(context);
      const checks = report.checks.filter((check) => isOf(check, id));
      if (checks.length === 0) throw new Error(`The run ended without a result for ${id}.`);
      const problems = checks.flatMap((check) => describeProblem(check, report, strict) ?? []);
      if (problems.length > 0) throw new Error(problems.join('\n'));
      if (checks.some(({ outcome }) => outcome === 'passed' || outcome === 'flaky')) return;
      const [first] = checks;
      context.skip(`${first!.outcome}: ${first!.message}`);
    });
  }

  it('something was tested, and nothing else was broken', { timeout: 0 }, async (context) => {
    const report = await runOnce(context);
    const ids = [...tests.values()];
    const others = report.checks.filter((check) => !ids.some((id) => isOf(check, id)));
    const problem = describeOtherProblem(report, others);
    if (problem !== undefined) throw new Error(problem);
  });

  // Waits until all resources created on the target are removed.
  afterAll(() => running?.then(() => {}).catch(() => {}), 0);
}

function describeProblem(
  { id, outcome, message, evidence }: CheckResult,
  { stopped, exchanges }: ConformReport,
  strict: boolean,
): string | undefined {
  if (outcome === 'failed' || (outcome === 'flaky' && strict)) {
    const shown = exchanges.filter(({ seq }) => evidence.includes(seq));
    return [`${id}: ${message}`, ...shown.flatMap((exchange) => formatExchange(exchange, LONGEST_BODY))].join(
      '\n  ',
    );
  }
  if (outcome === 'error') return message;
  if (outcome !== 'inconclusive') return undefined;
  if (stopped !== undefined) return `could not be tested: ${stopped}`;
  return strict ? `inconclusive: ${message}` : undefined;
}

/** Failures that no registered test reports: nothing was tested, or a check failed that belongs to none. */
function describeOtherProblem(
  { stopped, summary }: ConformReport,
  others: readonly CheckResult[],
): string | undefined {
  if (stopped !== undefined) return `could not be tested: ${stopped}`;
  if (summary.passed + summary.failed + (summary.flaky ?? 0) === 0)
    return 'no check passed or failed: nothing was tested';
  const failed = others.filter(({ outcome }) => outcome === 'failed');
  return failed.length === 0 ? undefined : failed.map(({ id, message }) => `${id}: ${message}`).join('\n');
}

/** The ids of the tests in this block that vitest will run. */
function listSelected({ task }: TestContext, tests: ReadonlyMap<string, string>): string[] {
  const siblings = task.suite?.tasks ?? [];
  const selected = siblings.filter(({ mode }) => mode !== 'skip' && mode !== 'todo');
  return selected.flatMap(({ name }) => tests.get(name) ?? []);
}

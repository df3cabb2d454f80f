import { afterAll, describe, it, type TestContext } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { type Conformed, type ConformOptions, type Plan, planOf } from '../conform.js';
import type { CheckResult } from '../service/runner/result.js';
import { SharedRun } from './shared-run.js';

export interface DescribeOptions extends Omit<ConformOptions, 'baseUrl' | 'apiKey' | 'signal'> {
  /** `{base_url}` of the service, or how to get it once the tests run. */
  baseUrl: string | (() => string | Promise<string>);
  apiKey: string | (() => string | Promise<string>);
  /** Name of the block of tests. Default `conformance`. */
  title?: string;
  /** An inconclusive check fails; otherwise it is skipped, with its reason. */
  strict?: boolean;
}

/** Characters of a body in a message. */
const LONGEST_BODY = 400;

const SENTENCES: ReadonlyMap<string, string> = new Map(requirements.map(({ id, rule }) => [id, rule]));

/**
 * Registers a vitest test for each check of the suite. The service is talked to once, when the first of them runs, and only
 * for those that are asked for (`-t`, `.only`). Throws TypeError when the options leave no check.
 */
export function describeConformance(options: DescribeOptions): void {
  const { baseUrl, apiKey, title = 'conformance', strict = false, ...rest } = options;
  const checks = planOf(rest).cases.flatMap((testCase) => testCase.checks);
  if (checks.length === 0)
    throw new TypeError('expected at least one check, found none: look at suites, only and lacks');
  const named = new Map(checks.map((check) => [titleOf(check), check.id]));
  const run = new SharedRun(async () => ({
    ...rest,
    baseUrl: await given(baseUrl),
    apiKey: await given(apiKey),
  }));

  const begin = (context: TestContext) => run.begin(() => wanted(context, named), context.signal);

  describe(title, () => {
    for (const [name, check] of named) {
      // Times are the run's business: it has a limit for everything that it waits for.
      it(name, { timeout: 0 }, async (context) => {
        const report = begin(context);
        const result = await run.of(check, report);
        if (result.outcome === 'passed') return;
        const wrong = complaintOf(result, await report, strict);
        if (wrong !== undefined) throw new Error(wrong);
        context.skip(`${result.outcome}: ${result.message}`);
      });
    }

    it('something was tested, and nothing else was broken', { timeout: 0 }, async (context) => {
      const wrong = remainderOf(await begin(context), [...named.values()]);
      if (wrong !== undefined) throw new Error(wrong);
    });

    afterAll(() => run.over(), 0);
  });
}

/** What a check fails with; undefined when it is only not decided. */
function complaintOf(
  { outcome, message, evidence }: CheckResult,
  { stopped, exchanges }: Conformed,
  strict: boolean,
): string | undefined {
  if (outcome === 'failed') {
    const shown = exchanges.filter(({ seq }) => evidence.includes(seq)).map(lineOf);
    return [message, ...shown].join('\n');
  }
  if (outcome === 'error') return message;
  if (outcome !== 'inconclusive') return undefined;
  if (stopped !== undefined) return `could not be tested: ${stopped}`;
  return strict ? `inconclusive: ${message}` : undefined;
}

/** What no check stands for: that there was anything to judge, and breaches of rules that no case expected. */
function remainderOf(
  { stopped, summary, checks }: Conformed,
  registered: readonly string[],
): string | undefined {
  if (stopped !== undefined) return `could not be tested: ${stopped}`;
  if (summary.passed + summary.failed === 0) return 'no check passed or failed: nothing was tested';
  const others = checks.filter(({ id, outcome }) => outcome === 'failed' && !registered.includes(id));
  return others.length === 0 ? undefined : others.map(({ id, message }) => `${id}: ${message}`).join('\n');
}

function lineOf({ seq, request, response }: Exchange): string {
  const body = (text = '') => (text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY)}...` : text);
  const answer = response ? `${response.status} ${body(response.body)}` : 'no answer';
  return `  ${seq}. ${request.method} ${request.url} ${body(request.body)} -> ${answer}`;
}

/** The check, and what it stands for in words: filters find either. */
function titleOf({ id, requirement }: Plan['cases'][number]['checks'][number]): string {
  return `${id}: ${SENTENCES.get(requirement) ?? ''}`;
}

/** Those checks of this block that vitest is going to run. */
function wanted({ task }: TestContext, named: ReadonlyMap<string, string>): string[] {
  const siblings = task.suite?.tasks ?? [];
  const names = siblings.filter(({ mode }) => mode !== 'skip' && mode !== 'todo').map(({ name }) => name);
  return names.flatMap((name) => named.get(name) ?? []);
}

async function given(value: string | (() => string | Promise<string>)): Promise<string> {
  return typeof value === 'string' ? value : value();
}

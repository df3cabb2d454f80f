/** `taskdouble/conformance/vitest`: each check of a service, and each scenario of a client, as a test. */

import { describe } from 'vitest';
import { requirements } from '../../spec/generated/documents.js';
import { type ConformOptions, type ConformResult, conform, listCaseChecks, planRun } from '../conform.js';
import { redactReport } from '../report/redact-report.js';
import { registerTests } from './register-tests.js';

export { type DescribeClientOptions, describeClient } from './describe-client.js';

export interface DescribeOptions extends Omit<ConformOptions, 'baseUrl' | 'apiKey' | 'signal'> {
  /** `{base_url}` of the service, or a function that returns it when the tests run. */
  baseUrl: string | (() => string | Promise<string>);
  apiKey: string | (() => string | Promise<string>);
  /** Title of the test block. Default `conformance`. */
  title?: string;
  /** Inconclusive and flaky checks fail. By default, inconclusive checks are skipped with their reason and flaky ones pass. */
  strict?: boolean;
}

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
  describe(title, () =>
    registerTests({
      tests: new Map(checks.map((check) => [formatTitle(check), check.id])),
      run: (only, signal) => runChecks(options, only, signal),
      isOf: (check, id) => check.id === id,
      strict,
    }),
  );
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

/** Contains check id and rule: filters match either. */
function formatTitle({ id, requirement }: ReturnType<typeof listCaseChecks>[number]): string {
  return `${id}: ${RULES.get(requirement) ?? ''}`;
}

async function resolveValue(value: string | (() => string | Promise<string>)): Promise<string> {
  return typeof value === 'string' ? value : value();
}

import { describe } from 'vitest';
import { checkClient } from '../check-client/check-client.js';
import type { CheckClientOptions } from '../check-client/options.js';
import { loadClientScenarios } from '../check-client/planned-scenarios.js';
import { registerTests } from './register-tests.js';

export interface DescribeClientOptions
  extends Omit<CheckClientOptions, 'client' | 'signal' | 'search' | 'searchTimeMs' | 'out'> {
  /** Title of the test block. Default `client`. */
  title?: string;
  /** Inconclusive and flaky checks fail. By default, inconclusive scenarios are skipped with their reason and flaky ones pass. */
  strict?: boolean;
}

/**
 * Registers a vitest test for each scenario: of the library, or of `scenarios` (names, globs, files). A function plays them in process, on
 * virtual time. Scenarios that the client `lacks` are skipped. The selected ones (`-t`, `.only`) run together when the first of these
 * tests runs.
 */
export function describeClient(
  client: CheckClientOptions['client'],
  { title = 'client', strict = false, ...options }: DescribeClientOptions = {},
): void {
  describe(title, async () => {
    const scenarios = await loadClientScenarios({ ...options, client });
    if (scenarios.length === 0)
      throw new TypeError('expected at least one scenario, found none; check scenarios and exclude');
    const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
    registerTests({
      tests: new Map(scenarios.map((scenario) => [`${scenario.name}: ${scenario.title}`, scenario.name])),
      run: (names, signal) => {
        const selected = names.flatMap((name) => byName.get(name) ?? []);
        return checkClient({ ...options, client, scenarios: selected, signal });
      },
      isOf: (check, name) => check.id.startsWith(`${name}#`),
      strict,
    });
  });
}

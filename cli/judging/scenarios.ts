import { scenariosFrom } from '../../conformance/client/run/client-options.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { UsageError } from '../usage-error.js';

/**
 * The scenarios that were asked for, each once: by name, by a glob over names of the library, or in a file or directory.
 * Throws UsageError for a name that there is not, InvalidFile for a file with mistakes.
 */
export async function scenariosOf(asked: readonly string[]): Promise<Scenario[]> {
  try {
    return await scenariosFrom(asked);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`--scenario: ${error.message}`) : error;
  }
}

import { scenariosFrom } from '../../conformance/client/run/client-options.js';
import { type Baseline, loadBaseline } from '../../conformance/report/baseline.js';
import { InvalidFile } from '../../mock/options/invalid-file.js';
import { readText } from '../../scenarios/format/load/read-file.js';
import type { Problem, Scenario } from '../../scenarios/format/types.js';
import { UsageError } from '../usage.js';

/** Reads the file of known failures. Throws InvalidFile. */
export function readBaseline(path: string): Baseline {
  const problems: Problem[] = [];
  const text = readText(path, problems);
  const read = text === undefined ? { problems } : loadBaseline(text, path);
  if (!('baseline' in read) || read.baseline === undefined) throw new InvalidFile(read.problems);
  return read.baseline;
}

/** The day as a baseline writes it: YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

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

import { join } from 'node:path';
import { oneLine } from '../../conformance/report/text.js';
import { describeProblem } from '../../mock/options/invalid-file.js';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { loadScenarios } from '../../scenarios/format/load/load.js';
import { EXIT } from '../exit-codes.js';
import { print } from '../print.js';

/** Prints every problem as `file:line:column: message` and how many scenarios are valid; exit code 2 with any problem. */
export async function validateScenarios(paths: readonly string[]): Promise<void> {
  const { scenarios, problems } = await loadScenarios(
    paths.length === 0 ? [join(packageRoot(), 'scenarios')] : paths,
  );
  const files = new Set(problems.map(({ file }) => file)).size;
  const broken =
    problems.length === 0
      ? ''
      : `; ${problems.length} ${plural(problems.length, 'problem')} in ${files} ${plural(files, 'file')}`;
  if (problems.length > 0) process.exitCode = EXIT.usage;
  const lines = problems.map((problem) => oneLine(describeProblem(problem)));
  lines.push(`${scenarios.length} ${plural(scenarios.length, 'scenario')} valid${broken}`);
  await print(lines.map((line) => `${line}\n`).join(''));
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

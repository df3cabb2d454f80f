import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createScenarioError } from '../../conformance/client/run/client-options.js';
import { formatCount } from '../../conformance/common/text.js';
import { loadScenarioFiles } from '../../mock/options/files.js';
import { draw } from '../../scenarios/format/draw.js';
import { describeProblem } from '../../scenarios/format/invalid-file.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { loadScenarios } from '../../scenarios/format/load/load.js';
import { listNeeds } from '../../scenarios/format/needs.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { toOneLine, toVisible } from '../../spec/visible.js';
import { EXIT } from '../exit-codes.js';
import { createStyles, print, printText } from '../print.js';

/** Prints the scenarios below `paths`, or those of the library. Throws InvalidFile. */
export async function listScenarios(paths: readonly string[], { json }: { json?: boolean }): Promise<void> {
  const scenarios = paths.length === 0 ? await loadLibrary() : await loadScenarioFiles(paths);
  await (json ? print(formatJson(scenarios)) : printText(formatText(scenarios)));
}

function formatJson(scenarios: readonly Scenario[]): string {
  const shown = scenarios.map((scenario) => {
    const { request: _, timeline: __, reproduces: ___, ...about } = scenario;
    return { ...about, needs: listNeeds(scenario) };
  });
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function formatText(scenarios: readonly Scenario[]): string {
  const { bold, dim } = createStyles(process.stdout);
  const width = Math.max(0, ...scenarios.map(({ name }) => name.length));
  const lines = scenarios.map(({ name, title, match, exposes = [] }) => {
    const notes = [...(match === 'never' ? ['by name only'] : []), ...exposes];
    const shown = notes.length > 0 ? dim(` (${notes.join(', ')})`) : '';
    return `${bold(toOneLine(name).padEnd(width))}  ${toOneLine(title)}${shown}`;
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Exit code 2 if there is any problem. */
export async function validateScenarios(paths: readonly string[]): Promise<void> {
  const { scenarios, problems } = await loadScenarios(
    paths.length === 0 ? [join(findPackageRoot(), 'scenarios')] : paths,
  );
  const files = new Set(problems.map(({ file }) => file)).size;
  const broken = `; ${formatCount(problems.length, 'problem')} in ${formatCount(files, 'file')}`;
  if (problems.length > 0) process.exitCode = EXIT.usage;
  const lines = problems.map((problem) => toOneLine(describeProblem(problem)));
  lines.push(`${formatCount(scenarios.length, 'scenario')} valid${problems.length === 0 ? '' : broken}`);
  await print(lines.map((line) => `${line}\n`).join(''));
}

/**
 * `name`: a file, or the name of a scenario below `paths` or in the library. Throws UnknownName,
 * InvalidFile.
 */
export async function drawScenario(
  name: string,
  { scenarios: paths = [] }: { scenarios?: string[] },
): Promise<void> {
  const isFile = /\.(ya?ml|json)$/.test(name) && existsSync(name);
  const places = isFile ? [name] : paths;
  const given = places.length === 0 ? [] : await loadScenarioFiles(places);
  const all = [...given, ...(await loadLibrary())];
  const scenario = isFile ? given[0] : all.find((each) => each.name === name);
  if (!scenario) throw createScenarioError(name, all);
  await print(toVisible(draw(scenario)));
}

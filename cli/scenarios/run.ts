import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unknownScenario } from '../../conformance/client/run/client-options.js';
import { count } from '../../conformance/common/text.js';
import { loadScenarioFiles } from '../../mock/options/files.js';
import { draw } from '../../scenarios/format/draw.js';
import { describeProblem } from '../../scenarios/format/invalid-file.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { loadScenarios } from '../../scenarios/format/load/load.js';
import { needsOf } from '../../scenarios/format/needs.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { oneLine, visible } from '../../spec/visible.js';
import { EXIT } from '../exit-codes.js';
import { print, styles } from '../print.js';

/** Prints the scenarios below `paths`, or those of the library. Throws InvalidFile. */
export async function listScenarios(paths: readonly string[], { json }: { json?: boolean }): Promise<void> {
  const scenarios = paths.length === 0 ? await loadLibrary() : await loadScenarioFiles(paths);
  await print(json ? asJson(scenarios) : asText(scenarios));
}

function asJson(scenarios: readonly Scenario[]): string {
  const shown = scenarios.map((scenario) => {
    const { request: _, timeline: __, reproduces: ___, ...about } = scenario;
    return { ...about, needs: needsOf(scenario) };
  });
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function asText(scenarios: readonly Scenario[]): string {
  const { bold, dim } = styles(process.stdout);
  const width = Math.max(0, ...scenarios.map(({ name }) => name.length));
  const lines = scenarios.map(({ name, title, match, exposes = [] }) => {
    const notes = [...(match === 'never' ? ['by name only'] : []), ...exposes];
    const shown = notes.length > 0 ? dim(` (${notes.join(', ')})`) : '';
    return `${bold(oneLine(name).padEnd(width))}  ${oneLine(title)}${shown}`;
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Prints every problem as `file:line:column: message` and how many scenarios are valid; exit code 2 with any problem. */
export async function validateScenarios(paths: readonly string[]): Promise<void> {
  const { scenarios, problems } = await loadScenarios(
    paths.length === 0 ? [join(packageRoot(), 'scenarios')] : paths,
  );
  const files = new Set(problems.map(({ file }) => file)).size;
  const broken = `; ${count(problems.length, 'problem')} in ${count(files, 'file')}`;
  if (problems.length > 0) process.exitCode = EXIT.usage;
  const lines = problems.map((problem) => oneLine(describeProblem(problem)));
  lines.push(`${count(scenarios.length, 'scenario')} valid${problems.length === 0 ? '' : broken}`);
  await print(lines.map((line) => `${line}\n`).join(''));
}

/**
 * Prints the diagram of a scenario: of a file, or by its name, looked for below `paths` and then in the library. Throws UnknownName,
 * InvalidFile.
 */
export async function drawScenario(name: string, paths: readonly string[]): Promise<void> {
  const isFile = /\.(ya?ml|json)$/.test(name) && existsSync(name);
  const places = isFile ? [name] : paths;
  const given = places.length === 0 ? [] : await loadScenarioFiles(places);
  const all = [...given, ...(await loadLibrary())];
  const scenario = isFile ? given[0] : all.find((each) => each.name === name);
  if (!scenario) throw unknownScenario(name, all);
  await print(visible(draw(scenario)));
}

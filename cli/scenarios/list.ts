import { oneLine } from '../../conformance/report/text.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { print } from '../print.js';
import { styles } from '../styles.js';

/** Prints the scenarios below `paths`, or those of the library. Throws InvalidFile. */
export async function listScenarios(paths: readonly string[], { json }: { json?: boolean }): Promise<void> {
  const scenarios = paths.length === 0 ? await loadLibrary() : await load(paths);
  await print(json ? asJson(scenarios) : asText(scenarios));
}

async function load(paths: readonly string[]): Promise<Scenario[]> {
  return (await import('../../mock/options/files.js')).loadScenarioFiles(paths);
}

function asJson(scenarios: readonly Scenario[]): string {
  const shown = scenarios.map(({ name, title, description, covers, match, file }) => ({
    name,
    title,
    description,
    covers,
    match,
    file,
  }));
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function asText(scenarios: readonly Scenario[]): string {
  const { bold, dim } = styles(process.stdout);
  const width = Math.max(0, ...scenarios.map(({ name }) => name.length));
  const lines = scenarios.map(({ name, title, match }) => {
    const only = match === 'never' ? dim(' (by name only)') : '';
    return `${bold(oneLine(name).padEnd(width))}  ${oneLine(title)}${only}`;
  });
  return lines.map((line) => `${line}\n`).join('');
}

import { existsSync } from 'node:fs';
import { globOf } from '../../conformance/report/glob.js';
import { loadScenarioFiles } from '../../mock/files.js';
import { loadLibrary } from '../../scenarios/library.js';
import type { Scenario } from '../../scenarios/types.js';
import { nearest } from '../../spec/nearest.js';
import { Mistake } from '../mistake.js';

/**
 * The scenarios that were asked for, each once: by name, by a glob over names of the library, or in a file or directory.
 * Throws Mistake for a name that there is not, InvalidFile for a file with mistakes.
 */
export async function scenariosOf(asked: readonly string[]): Promise<Scenario[]> {
  const library = await loadLibrary();
  const found = await Promise.all(asked.map((each) => scenariosFor(each, library)));
  return [...new Map(found.flat().map((scenario) => [scenario.name, scenario])).values()];
}

async function scenariosFor(asked: string, library: readonly Scenario[]): Promise<Scenario[]> {
  const glob = globOf(asked);
  const fitting = library.filter(({ name }) => glob.test(name));
  if (fitting.length > 0) return fitting;
  if (!existsSync(asked) && !/\.(ya?ml|json)$/.test(asked))
    throw new Mistake(`--scenario: ${unknown(asked, library)}`);
  const loaded = await loadScenarioFiles([asked]);
  if (loaded.length === 0) throw new Mistake(`--scenario: there is no scenario in ${asked}.`);
  return loaded;
}

function unknown(asked: string, library: readonly Scenario[]): string {
  const names = library.map(({ name }) => name);
  const meant = nearest(asked, names) ?? names.find((name) => name.endsWith(`/${asked}`));
  const advice = meant
    ? `did you mean "${meant}"?`
    : '"taskdouble scenarios list" shows those there are, and a file or a glob such as "races/*" will do too.';
  return `there is no scenario "${asked}"; ${advice}`;
}

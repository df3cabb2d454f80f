import { visible } from '../../conformance/report/text.js';
import { draw } from '../../scenarios/format/draw.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { nearest } from '../../spec/nearest.js';
import { print } from '../print.js';
import { UsageError } from '../usage-error.js';

/** Prints the diagram of the scenario `name`, looked for below `paths` and then in the library. Throws UsageError, InvalidFile. */
export async function drawScenario(name: string, paths: readonly string[]): Promise<void> {
  const given =
    paths.length === 0 ? [] : await (await import('../../mock/options/files.js')).loadScenarioFiles(paths);
  const all = [...given, ...(await loadLibrary())];
  const scenario = all.find((each) => each.name === name);
  if (!scenario) {
    const names = all.map((each) => each.name);
    const meant = nearest(name, names) ?? names.find((each) => each.endsWith(`/${name}`));
    const advice = meant ? `did you mean "${meant}"?` : '"taskdouble scenarios list" shows those there are.';
    throw new UsageError(`there is no scenario "${name}"; ${advice}`);
  }
  await print(visible(draw(scenario)));
}

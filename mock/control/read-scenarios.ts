import type { Problem, Scenario } from '../../scenarios/format/types.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { invalidValue } from '../../spec/json-schema/violations.js';

/** YAML or JSON text of one scenario, or one or several as objects in the form of the file. */
export type ScenarioInput = string | object | readonly object[];

export interface AddedScenarios {
  /** Names of those that were added. */
  added: string[];
  problems: Problem[];
}

/** Reads scenarios that come without a file. Objects may carry a `name`. */
export async function readScenarios(
  input: ScenarioInput,
  name: string | undefined,
): Promise<{ scenarios: Scenario[]; problems: Problem[] }> {
  const [{ loadScenarioText }, { requirements }] = await Promise.all([
    import('../../scenarios/format/load/load-text.js'),
    import('../../spec/generated/requirements.js'),
  ]);
  const ids = new Set(requirements.map(({ id }) => id));
  const scenarios: Scenario[] = [];
  const problems: Problem[] = [];
  const given = toTexts(input, name);
  given.forEach((each, index) => {
    const isObject = typeof input !== 'string';
    const numbered = given.length > 1 ? `scenario ${index + 1}` : 'scenario';
    const file = each.name === undefined ? numbered : isObject ? `scenario "${each.name}"` : each.name;
    const loaded = loadScenarioText(each.text, { file, name: each.name ?? '', requirements: ids, isObject });
    problems.push(...loaded.problems);
    if (!loaded.scenario) return;
    const { file: _none, ...scenario } = loaded.scenario;
    scenarios.push({ ...scenario, name: each.name ?? nameFrom(scenario.title) });
  });
  return { scenarios, problems };
}

function toTexts(
  input: ScenarioInput,
  name: string | undefined,
): { text: string; name: string | undefined }[] {
  if (typeof input === 'string') return [{ text: input, name }];
  const objects = Array.isArray(input) ? input : [input];
  return objects.map((object: unknown, index) => {
    const place = Array.isArray(input) ? `[${index}]` : '';
    if (!isObject(object))
      throw invalidValue(place, 'a scenario: an object with title, request and timeline', object);
    const { name: own, ...scenario } = object;
    if (own !== undefined && (typeof own !== 'string' || own === '')) {
      throw invalidValue(place === '' ? 'name' : `${place}.name`, 'the name of the scenario', own);
    }
    return {
      text: JSON.stringify(scenario, null, 2),
      name: own ?? (objects.length === 1 ? name : undefined),
    };
  });
}

/** `given/the-agent-corrects-its-input`. */
function nameFrom(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['scenario'];
  return `given/${words.join('-').slice(0, 80)}`;
}

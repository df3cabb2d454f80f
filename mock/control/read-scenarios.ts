import type { Problem, Scenario } from '../../scenarios/format/types.js';
import type { ScenarioDefinition } from '../../scenarios/generated/scenario-definition.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { createInvalidValue } from '../../spec/json-schema/violations.js';
import type { ScenarioObject } from '../options/mock-options.js';

/** YAML or JSON text of one scenario, or one or several as objects in the form of the file. */
export type ScenarioInput = string | object | readonly object[];

/** Reads scenarios without a file. Objects may have a `name`. */
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
  const given = Array.isArray(input) ? input : [input];
  given.forEach((each: unknown, index) => {
    const isObject = typeof each !== 'string';
    const place = Array.isArray(input) ? `[${index}]` : '';
    const { text, name: stated } = isObject ? serializeScenario(each, place) : { text: each };
    const own = stated ?? (given.length === 1 ? name : undefined);
    const numbered = given.length > 1 ? `scenario ${index + 1}` : 'scenario';
    const file = own === undefined ? numbered : isObject ? `scenario "${own}"` : own;
    const options = { file, name: own ?? '', requirements: ids, isObject };
    const loaded = loadScenarioText(text, options);
    problems.push(...loaded.problems);
    if (!loaded.scenario) return;
    const { file: _none, ...scenario } = loaded.scenario;
    scenarios.push({ ...scenario, name: own ?? formatName(scenario.title) });
  });
  return { scenarios, problems };
}

function serializeScenario(given: unknown, place: string): { text: string; name?: string } {
  if (!isObject(given))
    throw createInvalidValue(place, 'a scenario: an object with title, request and timeline', given);
  const { name, ...scenario } = given;
  const text = JSON.stringify(scenario, null, 2);
  if (name === undefined) return { text };
  if (typeof name === 'string' && name !== '') return { text, name };
  throw createInvalidValue(place === '' ? 'name' : `${place}.name`, 'the name of the scenario', name);
}

function formatName(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['scenario'];
  return `given/${words.join('-').slice(0, 80)}`;
}

/**
 * Returns the scenario unchanged. Steps, fields and network faults that the scenario format does not have are compile errors, and editors
 * complete the names. `createMock` and `mock.scenario` report errors that types cannot express, such as an unknown step id.
 */
export function defineScenario(scenario: ScenarioDefinition & { name?: string }): ScenarioObject {
  return scenario as ScenarioObject & ScenarioDefinition;
}

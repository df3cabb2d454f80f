import type { SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import type { Problem, Scenario } from '../../scenarios/format/types.js';
import type { ScenarioDefinition } from '../../scenarios/generated/scenario-definition.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { createInvalidValue } from '../../spec/json-schema/violations.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { quote } from '../../spec/show.js';
import { MockError } from '../exchange/errors.js';
import type { ScenarioObject } from '../options/mock-options.js';
import type { MockService } from '../service.js';

export interface ScenarioView {
  name: string;
  title: string;
  covers: string[];
  /** `given` scenarios are matched before those of the `library`. */
  from: 'given' | 'library';
  file?: string;
}

export interface ScenarioPreview {
  name: string;
  title: string;
  description: string | undefined;
  yaml: string;
  lines: SequenceLine[];
}

/** The scenarios of a mock, and the queue for the next tasks. */
export class MockScenarios {
  readonly #service: MockService;

  constructor(service: MockService) {
    this.#service = service;
  }

  /** Every available scenario in matching order: given ones first. */
  async list(): Promise<ScenarioView[]> {
    const { scenarios } = this.#service;
    await scenarios.loadLibrary();
    return scenarios.list().map(({ scenario, library }) => {
      const { name, title, covers, file } = scenario;
      const from = library ? 'library' : 'given';
      return { name, title, covers, from, ...(file === undefined ? {} : { file }) };
    });
  }

  /** A scenario as YAML and as the lines of a diagram. Rejects with MockError for an unknown name. */
  async preview(name: string): Promise<ScenarioPreview> {
    await this.#check([name]);
    const { scenario } = this.#service.scenarios.list().find((each) => each.scenario.name === name)!;
    const [{ writeScenario: toYaml }, { buildSequenceLines: sequenceLinesOf }] = await Promise.all([
      import('../../scenarios/format/write.js'),
      import('../../scenarios/format/draw.js'),
    ]);
    const { title, description } = scenario;
    return { name, title, description, yaml: toYaml(scenario), lines: sequenceLinesOf(scenario) };
  }

  /**
   * Adds scenarios from YAML or JSON text, or from objects in the form of the file; replaces one of the same name. Adds none of them if
   * `problems` is not empty.
   *
   * @param name For a text or an object without its own `name`. Default: derived from its title.
   */
  async add(input: ScenarioInput, name?: string): Promise<AddedScenarios> {
    const { scenarios, problems } = await readScenarios(input, name);
    if (problems.length > 0) return { added: [], problems };
    this.#service.scenarios.add(scenarios);
    return { added: scenarios.map((scenario) => scenario.name), problems: [] };
  }

  /**
   * Queues scenarios for the next tasks, one for each task. Without a key in every organisation, including those opened later. Rejects with
   * MockError for an unknown name.
   */
  async queue(names: string | readonly string[], key?: string): Promise<string[]> {
    const wanted = typeof names === 'string' ? [names] : [...names];
    await this.#check(wanted);
    const { scenarios, organisations } = this.#service;
    if (key === undefined) scenarios.queued.push(...wanted);
    for (const organisation of organisations.select(key)) organisation.queued.push(...wanted);
    return wanted;
  }

  async #check(names: readonly string[]): Promise<void> {
    const { scenarios } = this.#service;
    await scenarios.loadLibrary();
    const known = scenarios.list().map(({ scenario }) => scenario.name);
    for (const name of names) {
      if (known.includes(name)) continue;
      const advice = formatSuggestion(name, known, '"taskdouble scenarios list" lists them');
      throw new MockError('invalid', `There is no scenario ${quote(name)}${advice}`);
    }
  }
}

/** YAML or JSON text of one scenario, or one or several as objects in the form of the file. */
export type ScenarioInput = string | object | readonly object[];

export interface AddedScenarios {
  added: string[];
  problems: Problem[];
}

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

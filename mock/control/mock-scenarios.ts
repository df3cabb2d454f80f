import { nearest } from '../../spec/nearest.js';
import type { MockService } from '../service.js';
import { MockError, quoted } from './mock-error.js';
import { type AddedScenarios, readScenarios, type ScenarioInput } from './read-scenarios.js';

export interface ScenarioView {
  name: string;
  title: string;
  covers: string[];
  /** `given` ones are asked before those of the `library`. */
  from: 'given' | 'library';
  file?: string;
}

/** The scenarios of a mock: which there are, and which the next tasks follow. */
export class MockScenarios {
  readonly #service: MockService;

  constructor(service: MockService) {
    this.#service = service;
  }

  /** Every scenario that a task can follow, given ones first, in the order in which they are matched. */
  async list(): Promise<ScenarioView[]> {
    const { scenarios } = this.#service;
    await scenarios.loadLibrary();
    return scenarios.list().map(({ scenario, library }) => {
      const { name, title, covers, file } = scenario;
      const from = library ? 'library' : 'given';
      return { name, title, covers, from, ...(file === undefined ? {} : { file }) };
    });
  }

  /**
   * Adds scenarios from YAML or JSON text, or from objects in the form of the file; one of the same name is replaced.
   * Adds none of them when `problems` is not empty.
   *
   * @param name For a text or an object without a `name` of its own; made from its title unless given.
   */
  async add(input: ScenarioInput, name?: string): Promise<AddedScenarios> {
    const { scenarios, problems } = await readScenarios(input, name);
    if (problems.length > 0) return { added: [], problems };
    this.#service.scenarios.add(scenarios);
    return { added: scenarios.map((scenario) => scenario.name), problems: [] };
  }

  /**
   * Queues scenarios: the next tasks follow them, one each. Without a key in every organisation, also in those opened later.
   * Rejects with MockError for a name that no scenario has.
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
      const meant = nearest(name, known);
      const advice =
        meant === undefined ? '"taskdouble scenarios list" lists them' : `did you mean ${meant}?`;
      throw new MockError('invalid', `There is no scenario ${quoted(name)}: ${advice}`);
    }
  }
}

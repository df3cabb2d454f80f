import { nearest } from '../../spec/nearest.js';
import type { MockService } from '../mock.js';
import { type AddedScenarios, readScenarios, type ScenarioInput } from './add-scenarios.js';
import { MockError, quoted } from './admin-error.js';

export interface ScenarioView {
  name: string;
  title: string;
  covers: string[];
  /** `given` ones are asked before those of the `library`. */
  from: 'given' | 'library';
  file?: string;
}

/** The scenarios of a mock: which there are, and which the next tasks of all organisations follow. */
export class Scenarios {
  /** Scenarios that organisations opened from now on have queued. */
  queued: string[] = [];

  constructor(private readonly service: MockService) {
    service.organisations.onOpened.push((organisation) => organisation.queued.push(...this.queued));
  }

  async list(): Promise<ScenarioView[]> {
    await this.service.scenarios.loadLibrary();
    return this.service.scenarios.list().map(({ scenario, library }) => {
      const { name, title, covers, file } = scenario;
      return {
        name,
        title,
        covers,
        from: library ? 'library' : 'given',
        ...(file === undefined ? {} : { file }),
      };
    });
  }

  async add(input: ScenarioInput, name?: string): Promise<AddedScenarios> {
    const { scenarios, problems } = await readScenarios(input, name);
    if (problems.length > 0) return { added: [], problems };
    this.service.scenarios.add(scenarios);
    return { added: scenarios.map((scenario) => scenario.name), problems: [] };
  }

  /** Throws ControlError for a name that no scenario has. */
  async check(names: readonly string[]): Promise<void> {
    await this.service.scenarios.loadLibrary();
    const known = this.service.scenarios.list().map(({ scenario }) => scenario.name);
    for (const name of names) {
      if (known.includes(name)) continue;
      const meant = nearest(name, known);
      const advice =
        meant === undefined ? '"taskdouble scenarios list" shows those there are' : `did you mean ${meant}?`;
      throw new MockError('invalid', `There is no scenario ${quoted(name)}: ${advice}`);
    }
  }
}

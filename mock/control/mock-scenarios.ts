import type { SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import type { Problem, Scenario } from '../../scenarios/format/types.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { quote } from '../../spec/show.js';
import type { QueuedScenario } from '../engine/organisation.js';
import { MockError } from '../exchange/errors.js';
import type { MockService } from '../service.js';
import { readScenarios, type ScenarioInput } from './read-scenarios.js';
import { createScenarioSearch, type QueueView, removeFromQueue, viewQueue } from './scenario-queue.js';

export interface ScenarioView {
  name: string;
  title: string;
  covers: string[];
  /** `given` at the start of the mock, or `added` since: both are matched before those of the `library`. */
  from: 'given' | 'added' | 'library';
  file?: string;
  /** Only this organisation has it. */
  organisation?: string;
}

export interface ScenarioPreview {
  name: string;
  title: string;
  description: string | undefined;
  yaml: string;
  lines: SequenceLine[];
  /** What a client has to do, as in TASKDOUBLE_JOB; absent if the mock was created without `describeJob`. */
  job?: unknown;
}

/** The scenarios of a mock, and the queue for the next tasks. */
export class MockScenarios {
  readonly #service: MockService;

  constructor(service: MockService) {
    this.#service = service;
  }

  /**
   * Every scenario that tasks of an organisation can follow (without a key: of any), in matching order. `search`: words that its name,
   * its text or its requirements contain, all of them.
   */
  async list(key?: string, search = ''): Promise<ScenarioView[]> {
    const listed = await this.#list(key);
    const fits = search.trim() === '' ? () => true : await createScenarioSearch(search);
    return listed
      .filter(({ scenario }) => fits(scenario))
      .map(({ scenario, ...more }) => {
        const { name, title, covers, file } = scenario;
        return { name, title, covers, ...(file === undefined ? {} : { file }), ...more };
      });
  }

  /** A scenario as YAML and as the lines of a diagram. Rejects with MockError for an unknown name. */
  async preview(name: string, key?: string): Promise<ScenarioPreview> {
    const all = await this.#list(key);
    checkNames([name], all);
    const { scenario } = all.find((each) => each.scenario.name === name)!;
    return this.#draw(scenario);
  }

  /** The preview of a scenario that is not added. `problems` instead if it is invalid. */
  async previewInline(
    input: ScenarioInput,
    name?: string,
  ): Promise<ScenarioPreview | { problems: Problem[] }> {
    const { scenarios, problems } = await readScenarios(input, name);
    const [scenario] = scenarios;
    return problems.length > 0 || !scenario ? { problems } : this.#draw(scenario);
  }

  async #draw(scenario: Scenario): Promise<ScenarioPreview> {
    const [{ writeScenario: toYaml }, { buildSequenceLines: sequenceLinesOf }] = await Promise.all([
      import('../../scenarios/format/write.js'),
      import('../../scenarios/format/draw.js'),
    ]);
    const { name, title, description } = scenario;
    const job = await this.#service.options.describeJob?.(scenario);
    return {
      ...{ name, title, description, yaml: toYaml(scenario), lines: sequenceLinesOf(scenario) },
      ...(job !== undefined && { job }),
    };
  }

  /** The queue of each open organisation, or of one; without a key also what organisations begin with that are opened later. */
  listQueued(key?: string): QueueView[] {
    const { scenarios, organisations } = this.#service;
    const open = organisations.selectOpen(key).map(({ name, queued }) => viewQueue(queued, name));
    return key === undefined ? [viewQueue(scenarios.queued, null), ...open] : open;
  }

  /** Removes the first queued scenario of this name, or all, from each queue that `listQueued` lists. Throws MockError if there is none. */
  removeQueued(name?: string, key?: string): QueueView[] {
    const { scenarios, organisations } = this.#service;
    const queues = organisations.selectOpen(key).map(({ queued }) => queued);
    if (key === undefined) queues.push(scenarios.queued);
    const removed = queues.map((queue) => removeFromQueue(queue, name));
    if (name !== undefined && !removed.some((count) => count > 0))
      throw new MockError('missing', `There is no scenario ${quote(name)} in the queue.`);
    return this.listQueued(key);
  }

  /**
   * Adds scenarios from YAML or JSON text, or from objects in the form of the file, until the next reset. Adds none of them if `problems`
   * is not empty. Rejects with MockError for a name that is taken if `replace` is false.
   *
   * @param name For a text or an object without its own `name`. Default: derived from its title.
   */
  async add(
    input: ScenarioInput,
    name?: string,
    { key, replace = true }: AddOptions = {},
  ): Promise<AddedScenarios> {
    const { scenarios, problems } = await readScenarios(input, name);
    if (problems.length > 0) return { added: [], problems };
    const added = scenarios.map((scenario) => scenario.name);
    const known = replace ? [] : (await this.#list(key ?? null)).map(({ scenario }) => scenario.name);
    const taken = added.find((each, at) => known.includes(each) || (!replace && added.indexOf(each) < at));
    if (taken !== undefined)
      throw new MockError(
        'taken',
        `There is a scenario ${quote(taken)} already: give yours another name, or replace it (?replace=true).`,
      );
    const { scenarios: registry, organisations } = this.#service;
    const [organisation] = key === undefined ? [] : organisations.select(key);
    registry.add(scenarios, organisation);
    return { added, problems: [] };
  }

  /**
   * Removes an added scenario, or all of them: those of one organisation, or without a key of every organisation and of all. Returns the
   * names. Throws MockError if there is none of this name.
   */
  remove(name?: string, key?: string): string[] {
    const { scenarios, organisations } = this.#service;
    const own = organisations.selectOpen(key).flatMap((each) => scenarios.remove(name, each));
    const removed = key === undefined ? [...scenarios.remove(name), ...own] : own;
    if (name !== undefined && removed.length === 0) {
      const where = key === undefined ? '' : ' of the organisation of this key';
      throw new MockError('missing', `There is no added scenario ${quote(name)}${where}.`);
    }
    return removed;
  }

  /**
   * Queues scenarios for the next tasks, one for each task. Without a key in every organisation, including those opened later. Rejects with
   * MockError for an unknown name.
   */
  async queue(names: string | readonly string[], key?: string): Promise<string[]> {
    const wanted = typeof names === 'string' ? [names] : [...names];
    checkNames(wanted, await this.#list(key ?? null));
    this.#queue(wanted, key);
    return wanted;
  }

  /** Queues scenarios as `queue` does, without adding them: only the next tasks can follow them. Queues none if `problems` is not empty. */
  async queueInline(
    input: ScenarioInput,
    name?: string,
    key?: string,
  ): Promise<{ queued: string[]; problems: Problem[] }> {
    const { scenarios, problems } = await readScenarios(input, name);
    if (problems.length > 0) return { queued: [], problems };
    this.#queue(scenarios, key);
    return { queued: scenarios.map((scenario) => scenario.name), problems: [] };
  }

  #queue(wanted: readonly QueuedScenario[], key: string | undefined): void {
    const { scenarios, organisations } = this.#service;
    if (key === undefined) scenarios.queued.push(...wanted);
    for (const organisation of organisations.select(key)) organisation.queued.push(...wanted);
  }

  /** `key` undefined: also those of every single organisation; null: only those of all. */
  async #list(key: string | undefined | null): Promise<ListedScenario[]> {
    const { scenarios: registry, organisations } = this.#service;
    await registry.loadLibrary();
    const selected = key === null ? [] : organisations.selectOpen(key);
    return [
      ...selected.flatMap((organisation) =>
        registry.listOwn(organisation).map((scenario) => {
          return { scenario, from: 'added', organisation: organisation.name } as const;
        }),
      ),
      ...registry.shared.map((scenario) => {
        return { scenario, from: registry.isAdded(scenario) ? 'added' : 'given' } as const;
      }),
      ...registry.library.map((scenario) => ({ scenario, from: 'library' }) as const),
    ];
  }
}

type ListedScenario = Pick<ScenarioView, 'from' | 'organisation'> & { scenario: Scenario };

/** Throws MockError for an unknown name. */
function checkNames(names: readonly string[], all: readonly ListedScenario[]): void {
  const known = all.map(({ scenario }) => scenario.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const advice = formatSuggestion(name, known, 'GET /__admin/scenarios lists them');
    throw new MockError('invalid', `There is no scenario ${quote(name)}${advice}`);
  }
}

export interface AddedScenarios {
  added: string[];
  problems: Problem[];
}

export interface AddOptions {
  /** Only the organisation of this API key gets them. Default: all organisations. */
  key?: string | undefined;
  /** False: a name that the organisation has already is refused. Default: true. */
  replace?: boolean;
}

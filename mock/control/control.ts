import type { Scenario } from '../../scenarios/types.js';
import { nearest } from '../../spec/nearest.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import type { Task } from '../engine/task.js';
import type { MockService } from '../mock.js';
import type { Network } from '../network/network.js';
import type { ListedRule } from '../network/rule-book.js';
import { type AddedScenarios, readScenarios, type ScenarioInput } from './add-scenarios.js';
import { Clocks } from './clocks.js';
import { ControlError, quoted } from './control-error.js';
import { type GateView, viewGates } from './gates.js';
import { inject } from './inject.js';
import { type JournalQuery, readJournal } from './journal.js';
import { readRules } from './network-rules.js';
import { type LaterState, type MockState, restoreState, takeState } from './state.js';
import { type TaskView, viewTaskInside } from './task-view.js';
import { type ClockView, type ClockWish, readChange, viewClock } from './time.js';

/** Says what it finds wrong in exchanges of one organisation. */
export type Judge = (exchanges: Exchange[]) => Finding[];

export interface Health {
  status: 'ok';
  seed: string | number;
  /** Where the mock says it is reached. */
  origin: string;
  organisations: number;
  tasks: number;
  active_tasks: number;
  /** Exchanges kept in all journals. */
  exchanges: number;
  /** Requests under way, those included that the network holds. */
  in_flight: number;
}

export interface ScenarioView {
  name: string;
  title: string;
  covers: string[];
  /** `given` ones are asked before those of the `library`. */
  from: 'given' | 'library';
  file?: string;
}

/** The network rules of one organisation. */
export interface NetworkView {
  organisation: string;
  rules: ListedRule[];
}

/**
 * What can be done to a mock from outside the API: in process here, over HTTP through `Admin`. `key` picks the
 * organisation that this API key opens; without one all organisations are meant. What comes out never holds a key
 * (but for `state`): organisations go by their names.
 *
 * Throws (or rejects with) ControlError when there is no such thing or a request makes no sense.
 */
export class Control {
  /** Scenarios that organisations opened from now on have queued. */
  #queued: string[] = [];
  readonly #clocks: Clocks;

  constructor(
    private readonly service: MockService,
    private readonly judge?: Judge,
  ) {
    this.#clocks = new Clocks(service);
    service.organisations.onOpened.push((organisation) => organisation.queued.push(...this.#queued));
  }

  health(): Health {
    const all = this.#all();
    const sum = (count: (organisation: Organisation) => number) =>
      all.reduce((total, each) => total + count(each), 0);
    return {
      status: 'ok',
      seed: this.service.seed,
      origin: this.service.origin,
      organisations: all.length,
      tasks: sum(({ world }) => world.tasks.size),
      active_tasks: sum(({ world }) => world.activeTasks),
      exchanges: sum(({ journal }) => journal.size),
      in_flight: sum(({ inFlight }) => inFlight),
    };
  }

  /**
   * Forgets one key's organisation: its next request opens it anew. Without a key it takes the whole mock to where it
   * started: all organisations, queued scenarios, clocks and network rules; scenarios that were added stay.
   */
  reset(key?: string): void {
    if (key === undefined) {
      this.#queued = [];
      this.#clocks.reset();
      this.service.setNetwork(this.service.options.network ?? []);
    }
    this.service.organisations.reset(key);
  }

  clock(key?: string): ClockView[] {
    return this.#chosen(key).map(viewClock);
  }

  /**
   * Changes clocks and returns when everything that came due has happened, in order. Each organisation's time is its
   * own: `advance` moves each by so much, `to: 'next'` each to its own next due work. Without a key, `mode`, `speed` and
   * `pause` go for organisations that are opened later too.
   */
  async setClock(change: ClockWish, key?: string): Promise<ClockView[]> {
    const read = readChange(change);
    const chosen = this.#chosen(key);
    await this.#clocks.change(chosen, read, key === undefined);
    return chosen.map(viewClock);
  }

  /** Everything a task can follow: those that were given first, as they are asked. */
  async scenarios(): Promise<ScenarioView[]> {
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

  /**
   * Adds scenarios from YAML or JSON text, or from objects in the form of the file; one of the same name is replaced.
   * Adds none of them when `problems` is not empty.
   *
   * @param name For a text or an object without a `name` of its own; made from its title unless given.
   */
  async addScenarios(input: ScenarioInput, name?: string): Promise<AddedScenarios> {
    const { scenarios, problems } = await readScenarios(input, name);
    if (problems.length > 0) return { added: [], problems };
    this.service.scenarios.add(scenarios);
    return { added: scenarios.map((scenario: Scenario) => scenario.name), problems: [] };
  }

  /** Queues scenarios: the next tasks follow them, one each. Without a key in every organisation, also in those opened later. */
  async nextScenario(names: string | readonly string[], key?: string): Promise<string[]> {
    await this.service.scenarios.loadLibrary();
    const wanted = typeof names === 'string' ? [names] : names;
    const known = this.service.scenarios.list().map(({ scenario }) => scenario.name);
    for (const name of wanted) {
      if (known.includes(name)) continue;
      const meant = nearest(name, known);
      const advice =
        meant === undefined ? '"taskdouble scenarios list" shows those there are' : `did you mean ${meant}?`;
      throw new ControlError('invalid', `There is no scenario ${quoted(name)}: ${advice}`);
    }
    if (key === undefined) this.#queued.push(...wanted);
    for (const organisation of this.#chosen(key)) organisation.queued.push(...wanted);
    return [...wanted];
  }

  /** The rules that are set, with how often each has done something. A key that was never used has none. */
  network(key?: string): NetworkView[] {
    return this.#present(key).map((each) => ({ organisation: each.name, rules: networkOf(each).list() }));
  }

  /**
   * Sets standing rules in place of those before: text or objects in the form of a network file, or rules in short. Without a key for every
   * organisation, also for those opened later.
   */
  async setNetwork(rules: unknown, key?: string): Promise<NetworkView[]> {
    const read = await readRules(rules);
    if (key === undefined) this.service.setNetwork(read);
    else networkOf(this.#open(key)).set(read);
    return this.network(key);
  }

  /** Takes away the rule `id`, or all of them; what they held is let go. */
  clearNetwork(key?: string, id?: string): NetworkView[] {
    const chosen = this.#chosen(key);
    if (
      id !== undefined &&
      !chosen.some((each) =>
        networkOf(each)
          .list()
          .some((rule) => rule.id === id),
      )
    ) {
      throw new ControlError('missing', `There is no network rule ${quoted(id)}.`);
    }
    if (key === undefined && id === undefined) this.service.setNetwork([]);
    for (const organisation of chosen) networkOf(organisation).clear(id);
    return this.network(key);
  }

  /** Exchanges, oldest first, keys redacted. */
  journal(query: JournalQuery = {}): Exchange[] {
    return readJournal(this.#present(query.key), query);
  }

  /** The task from inside. */
  task(id: string): TaskView {
    const { organisation, task } = this.#task(id);
    return viewTaskInside(organisation, task);
  }

  /** Makes a service step happen now (or when its own `after` says), beside the task's timeline. */
  async inject(id: string, step: unknown): Promise<TaskView> {
    this.#task(id);
    await this.service.warmUp();
    const { organisation, task } = this.#task(id);
    await inject(organisation, task, step);
    return viewTaskInside(organisation, task);
  }

  /** Gates that are open, and those that somebody waits for. */
  gates(key?: string): GateView[] {
    return this.#present(key).map(viewGates);
  }

  /** Opens a gate of one task, of one organisation, or of all there are. */
  openGate(name: string, where: { task?: string; key?: string } = {}): GateView[] {
    if (where.task !== undefined) {
      const { organisation, task } = this.#task(where.task);
      organisation.world.openGate(name, task);
      return [viewGates(organisation)];
    }
    const chosen = this.#chosen(where.key);
    for (const { world } of chosen) world.openGate(name);
    return chosen.map(viewGates);
  }

  /** A snapshot. It holds the API keys, so that it can be restored under the same ones: treat it as what it opens. */
  state(key?: string): MockState {
    const later = key === undefined ? this.#later() : undefined;
    return takeState(this.#present(key), { service: this.service, clocks: this.#clocks }, later);
  }

  /**
   * Makes every organisation in a state what it was. The state of a whole mock takes the whole mock back: organisations
   * that were opened since are forgotten. That of one organisation leaves the others as they are. Names the place that is
   * wrong before anything is changed.
   */
  async restore(state: unknown): Promise<void> {
    await this.service.warmUp();
    const restored = restoreState(state, { service: this.service, clocks: this.#clocks });
    const { later } = state as MockState;
    if (later) {
      this.#queued = [...later.queued];
      this.service.keepNetwork(structuredClone(later.network));
    }
    for (const organisation of restored) this.service.driver.wake(organisation);
  }

  #later(): LaterState {
    const network = [...this.service.networkRules];
    return { queued: [...this.#queued], network, clock: this.#clocks.keep() };
  }

  /** What the rules have to say about the clients so far; nothing where the mock was made without a judge. */
  findings(key?: string): Finding[] {
    const { judge } = this;
    return judge ? this.#present(key).flatMap(({ journal }) => judge(journal.read())) : [];
  }

  #all(): Organisation[] {
    return [...this.service.organisations.all()];
  }

  /** Brought up to date. An organisation that a key picks is opened where it was not. */
  #chosen(key: string | undefined): Organisation[] {
    const chosen = key === undefined ? this.#all() : [this.#open(key)];
    for (const { world } of chosen) world.catchUp();
    return chosen;
  }

  /** The same without opening any. */
  #present(key: string | undefined): Organisation[] {
    const chosen =
      key === undefined
        ? this.#all()
        : [this.service.organisations.get(key)].filter((each) => each !== undefined);
    for (const { world } of chosen) world.catchUp();
    return chosen;
  }

  #open(key: string): Organisation {
    if (key === '')
      throw new ControlError(
        'invalid',
        'The key is empty: give the API key of an organisation, or none at all.',
      );
    return this.service.organisations.open(key);
  }

  #task(id: string): { organisation: Organisation; task: Task } {
    for (const organisation of this.service.organisations.all()) {
      organisation.world.catchUp();
      const task = organisation.world.tasks.get(id);
      if (task) return { organisation, task };
    }
    throw new ControlError('missing', `There is no task ${quoted(id)} in any organisation.`);
  }
}

function networkOf(organisation: Organisation): Network {
  return organisation.network as Network;
}

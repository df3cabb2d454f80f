import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { type JournalQuery, readJournal } from '../journal/query.js';
import type { MockService } from '../mock.js';
import type { AddedScenarios, ScenarioInput } from './add-scenarios.js';
import { Clocks } from './clocks.js';
import { Finder } from './finder.js';
import { type GateView, viewGates } from './gates.js';
import { type Health, viewHealth } from './health.js';
import { inject } from './inject.js';
import { clearRules, type NetworkView, networkOf, readRules, viewNetwork } from './network-rules.js';
import { Scenarios, type ScenarioView } from './scenarios.js';
import { type LaterState, type MockState, restoreState, takeState } from './state.js';
import { type TaskView, viewTaskInside } from './task-view.js';
import { type ClockView, type ClockWish, readChange, viewClock } from './time.js';

/** Says what it finds wrong in exchanges of one organisation. */
export interface Judge {
  (exchanges: Exchange[]): Finding[];
  /** Loads the rules, where they are not loaded until somebody asks for findings over HTTP. */
  ready?: () => Promise<void>;
}

/**
 * What can be done to a mock from outside the API: in process here, over HTTP through `Admin`. `key` picks the
 * organisation that this API key opens; without one all organisations are meant. What comes out never holds a key
 * (but for `state`): organisations go by their names.
 *
 * Throws (or rejects with) ControlError when there is no such thing or a request makes no sense.
 */
export class Control {
  readonly #find: Finder;
  readonly #scenarios: Scenarios;
  readonly #clocks: Clocks;

  constructor(
    private readonly service: MockService,
    private readonly judge?: Judge,
  ) {
    this.#find = new Finder(service.organisations);
    this.#scenarios = new Scenarios(service);
    this.#clocks = new Clocks(service);
  }

  health(): Health {
    return viewHealth(this.service, this.#find.all());
  }

  /**
   * Forgets one key's organisation: its next request opens it anew. Without a key it takes the whole mock to where it
   * started: all organisations, queued scenarios, clocks and network rules; scenarios that were added stay.
   */
  reset(key?: string): void {
    if (key === undefined) {
      this.#scenarios.queued = [];
      this.#clocks.reset();
      this.service.setNetwork(this.service.options.network ?? []);
    }
    this.service.organisations.reset(key);
  }

  clock(key?: string): ClockView[] {
    return this.#find.chosen(key).map(viewClock);
  }

  /**
   * Changes clocks and returns when everything that came due has happened, in order. Each organisation's time is its
   * own: `advance` moves each by so much, `to: 'next'` each to its own next due work. Without a key, `mode`, `speed` and
   * `pause` go for organisations that are opened later too.
   */
  async setClock(change: ClockWish, key?: string): Promise<ClockView[]> {
    const read = readChange(change);
    const chosen = this.#find.chosen(key);
    await this.#clocks.change(chosen, read, key === undefined);
    return chosen.map(viewClock);
  }

  /** Everything a task can follow: those that were given first, as they are asked. */
  scenarios(): Promise<ScenarioView[]> {
    return this.#scenarios.list();
  }

  /**
   * Adds scenarios from YAML or JSON text, or from objects in the form of the file; one of the same name is replaced.
   * Adds none of them when `problems` is not empty.
   *
   * @param name For a text or an object without a `name` of its own; made from its title unless given.
   */
  addScenarios(input: ScenarioInput, name?: string): Promise<AddedScenarios> {
    return this.#scenarios.add(input, name);
  }

  /** Queues scenarios: the next tasks follow them, one each. Without a key in every organisation, also in those opened later. */
  async nextScenario(names: string | readonly string[], key?: string): Promise<string[]> {
    const wanted = typeof names === 'string' ? [names] : names;
    await this.#scenarios.check(wanted);
    if (key === undefined) this.#scenarios.queued.push(...wanted);
    for (const organisation of this.#find.chosen(key)) organisation.queued.push(...wanted);
    return [...wanted];
  }

  /** The rules that are set, with how often each has done something. A key that was never used has none. */
  network(key?: string): NetworkView[] {
    return this.#find.present(key).map(viewNetwork);
  }

  /**
   * Sets standing rules in place of those before: text or objects in the form of a network file, or rules in short. Without a key for every
   * organisation, also for those opened later.
   */
  async setNetwork(rules: unknown, key?: string): Promise<NetworkView[]> {
    const read = await readRules(rules);
    if (key === undefined) this.service.setNetwork(read);
    else networkOf(this.#find.open(key)).set(read);
    return this.network(key);
  }

  /** Takes away the rule `id`, or all of them; what they held is let go. */
  clearNetwork(key?: string, id?: string): NetworkView[] {
    clearRules(this.#find.chosen(key), id);
    if (key === undefined && id === undefined) this.service.setNetwork([]);
    return this.network(key);
  }

  /** Exchanges, oldest first, keys redacted. */
  journal(query: JournalQuery = {}): Exchange[] {
    return readJournal(this.#find.present(query.key), query);
  }

  /** The task from inside. */
  task(id: string): TaskView {
    const { organisation, task } = this.#find.task(id);
    return viewTaskInside(organisation, task);
  }

  /** Makes a service step happen now (or when its own `after` says), beside the task's timeline. */
  async inject(id: string, step: unknown): Promise<TaskView> {
    this.#find.task(id);
    await this.service.warmUp();
    const { organisation, task } = this.#find.task(id);
    await inject(organisation, task, step);
    return viewTaskInside(organisation, task);
  }

  /** Gates that are open, and those that somebody waits for. */
  gates(key?: string): GateView[] {
    return this.#find.present(key).map(viewGates);
  }

  /** Opens a gate of one task, of one organisation, or of all there are. */
  openGate(name: string, where: { task?: string; key?: string } = {}): GateView[] {
    if (where.task !== undefined) {
      const { organisation, task } = this.#find.task(where.task);
      organisation.world.openGate(name, task);
      return [viewGates(organisation)];
    }
    const chosen = this.#find.chosen(where.key);
    for (const { world } of chosen) world.openGate(name);
    return chosen.map(viewGates);
  }

  /** A snapshot. It holds the API keys, so that it can be restored under the same ones: treat it as what it opens. */
  state(key?: string): MockState {
    const later = key === undefined ? this.#later() : undefined;
    return takeState(this.#find.present(key), { service: this.service, clocks: this.#clocks }, later);
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
      this.#scenarios.queued = [...later.queued];
      this.service.keepNetwork(structuredClone(later.network));
    }
    for (const organisation of restored) this.service.wakeUpTimer.wake(organisation);
  }

  #later(): LaterState {
    const network = [...this.service.networkRules];
    return { queued: [...this.#scenarios.queued], network, clock: this.#clocks.keep() };
  }

  /** Done once `findings` can be asked for. */
  async readyToJudge(): Promise<void> {
    await this.judge?.ready?.();
  }

  /** What the rules have to say about the clients so far; nothing where the mock was made without a judge. */
  findings(key?: string): Finding[] {
    const { judge } = this;
    return judge ? this.#find.present(key).flatMap(({ journal }) => judge(journal.read())) : [];
  }
}

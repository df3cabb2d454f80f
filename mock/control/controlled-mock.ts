import { InvalidFile } from '../../scenarios/format/invalid-file.js';
import { listToolNames } from '../../scenarios/format/library/task-request.js';
import type { ServiceStep } from '../../scenarios/format/types.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { createInvalidValue } from '../../spec/json-schema/violations.js';
import { quote } from '../../spec/show.js';
import { type Exchange, type Finding, isTerminal } from '../../spec/vocabulary.js';
import { isWallBased } from '../engine/clock.js';
import { processDueWork } from '../engine/tasks/agent.js';
import type { Task } from '../engine/tasks/task.js';
import { MockError } from '../exchange/errors.js';
import { type JournalQuery, readJournal } from '../exchange/journal.js';
import { checkQuery } from '../options/check-options.js';
import type { GateTarget, MockOptions, ScenarioObject } from '../options/mock-options.js';
import { MockService } from '../service.js';
import { type GateView, openGate, viewGates } from './gates.js';
import { type KeyView, nameKey, viewKey } from './keys.js';
import { loadOptions } from './load-options.js';
import { MockClock } from './mock-clock.js';
import { MockNetwork } from './mock-network.js';
import { MockScenarios } from './mock-scenarios.js';
import { type MockState, restoreState, snapshotMock } from './state.js';
import { collectMisfitFindings, type Health, type TaskView, viewHealth, viewTask } from './views.js';

/** A mock without its transports: what tests, the admin API and virtual time control. */
export class ControlledMock {
  readonly seed: string | number;
  /** Settled when all files are loaded and all options are checked. Rejects with InvalidFile, UnknownName or TypeError. */
  readonly ready: Promise<void>;
  readonly clock: MockClock;
  readonly network: MockNetwork;
  readonly scenarios: MockScenarios;
  readonly #options: MockOptions;
  readonly #service: MockService;

  constructor(options: MockOptions, handleNonApi: MockService['handleNonApi']) {
    this.#options = options;
    this.#service = new MockService(this, options, handleNonApi);
    this.seed = this.#service.seed;
    this.clock = new MockClock(this.#service);
    this.network = new MockNetwork(this.#service);
    this.scenarios = new MockScenarios(this.#service);
    this.ready = loadOptions(options, this.#service);
    // Callers that await `ready` see its rejection; awaiting is optional.
    this.ready.catch(() => {});
  }

  /** Where clients reach the mock: the option `origin`, or the address at which it listens. */
  get baseUrl(): string {
    return this.#service.origin;
  }

  /** Sets where clients reach the mock, for the addresses in its responses; the option `origin` takes precedence. */
  setBaseUrl(baseUrl: string): void {
    if (this.#options.origin === undefined) this.#service.origin = baseUrl;
  }

  /** Preloads the modules for the first task, so that it does not wait for them. */
  async warmUp(): Promise<void> {
    await this.#service.warmUp();
  }

  /** Exchanges so far, oldest first, keys redacted. */
  journal(query: JournalQuery = {}): Exchange[] {
    checkQuery(query);
    return readJournal(this.#service.organisations.selectOpen(query.key), query);
  }

  /**
   * The findings about the clients so far (none if the mock was created without rules), and advice about explicitly chosen scenarios that
   * do not fit the request.
   */
  findings(key?: string): Finding[] {
    const { judge } = this.#options;
    return this.#service.organisations.selectOpen(key).flatMap((organisation) => {
      const isOnRealTime = isWallBased(organisation.clock.mode);
      const findings = judge?.(organisation.journal.read(), isOnRealTime) ?? [];
      return [...findings, ...collectMisfitFindings(organisation)];
    });
  }

  /** Which key each organisation has: its name, and the beginning of a hash. Never the key. */
  keys(key?: string): KeyView[] {
    return this.#service.organisations.selectOpen(key).map(viewKey);
  }

  /** Names a key for lists, such as that of studio. */
  nameKey(name: string, key: string): void {
    nameKey(this.#service.organisations, name, key);
  }

  /**
   * Queues a scenario: the next task follows it. An object is added first, with a key for its organisation alone. Returns its name; rejects
   * if the scenario does not exist.
   */
  async scenario(nameOrObject: string | ScenarioObject, key?: string): Promise<string> {
    await this.ready;
    let name = nameOrObject as string;
    if (typeof nameOrObject === 'object') {
      const { added, problems } = await this.scenarios.add([nameOrObject], undefined, { key });
      if (problems.length > 0) throw new InvalidFile(problems);
      name = added[0]!;
    }
    await this.scenarios.queue(name, key);
    return name;
  }

  /** Internal state of a task: its scenario, what each of its timelines waits for, its calls, actions and gates. */
  task(id: string, key?: string): TaskView {
    return viewTask(this.#service.organisations.requireTask(id, key));
  }

  /** Runs a service step, in the form of a scenario file, now (or when its `after` is met), parallel to the task's timeline. */
  async injectStep(id: string, step: unknown, key?: string): Promise<TaskView> {
    this.#service.organisations.requireTask(id, key);
    await this.#service.warmUp();
    const task = this.#service.organisations.requireTask(id, key);
    await injectStep(task, step);
    return viewTask(task);
  }

  /** Open gates, and gates that steps or requests wait for. */
  gates(key?: string): GateView[] {
    return this.#service.organisations.selectOpen(key).map(viewGates);
  }

  /** Opens a gate for one task, for one organisation, or for all existing ones. */
  openGate(name: string, target?: GateTarget): GateView[] {
    return openGate(this.#service.organisations, name, target);
  }

  /** How many organisations, tasks and exchanges the mock holds. */
  health(): Health {
    return viewHealth(this.#service);
  }

  /**
   * Removes the organisation of a key, with the scenarios that were added for it: its next request opens a new one. Without a key, the whole
   * mock is as it started: no organisations, no added or queued scenarios, the clocks and network rules of the options.
   */
  reset(key?: string): void {
    if (key === undefined) this.#service.reset();
    else this.#service.organisations.reset(key);
  }

  /** A snapshot. It contains the API keys, to restore organisations under the same keys: protect it like them. */
  snapshot(key?: string): MockState {
    return snapshotMock(this.#service, key);
  }

  /**
   * Restores every organisation in a snapshot. The snapshot of a whole mock restores the whole mock and removes organisations that were
   * opened since. A snapshot of one organisation does not change the others. With a key, restores one organisation of the snapshot under
   * this key: the only one, or the one that had it. Rejects with InvalidValue, which names the invalid place, before any change.
   */
  async restore(state: MockState, key?: string): Promise<void> {
    await this.ready;
    await this.#service.warmUp();
    restoreState(this.#service, state, key);
  }
}

/**
 * Runs a service step, in the form of a scenario file, parallel to the task's own timeline: now, or when its `after` is met. Throws
 * MockError if the step, or this task, does not allow it.
 */
async function injectStep(task: Task, given: unknown): Promise<void> {
  const step = await readStep(given);
  const run = task.runs[0];
  if (isTerminal(task.status) || !run) {
    const message = `Task ${quote(task.id)} is ${task.status}: it accepts no more steps.`;
    throw new MockError('invalid', message);
  }
  checkNames(task, step);
  // Inserted before the current step and skipped at once, so that it waits parallel to the others.
  run.steps = [...run.steps.slice(0, run.cursor), step, ...run.steps.slice(run.cursor)];
  run.side.push({ index: run.cursor, since: task.organisation.now, polls: task.polls });
  run.cursor++;
  processDueWork(task);
}

async function readStep(given: unknown): Promise<ServiceStep> {
  if (!isObject(given)) throw createInvalidValue('', 'a service step, such as {"service": "finish"}', given);
  const [{ checkStep }, { buildStep }] = await Promise.all([
    import('../../scenarios/format/check/schema-check.js'),
    import('../../scenarios/format/load/load-text.js'),
  ]);
  const problems = checkStep(given, [], ['service']);
  if (problems.length > 0) throw new MockError('invalid', problems.map(({ message }) => message).join('; '));
  if (given.if !== undefined)
    throw new MockError('invalid', 'if: an injected step has no condition; leave it out.');
  const { line: _none, ...step } = buildStep(given, 0, () => '');
  return step as ServiceStep;
}

function checkNames(task: Task, step: ServiceStep): void {
  const tools = listToolNames(task.request);
  if (step.service === 'tool_call' && !tools.includes(step.tool)) {
    const there = tools.length === 0 ? 'the task has none' : `the task has ${tools.join(', ')}`;
    const expected = "expected one of the task's custom_tools";
    throw new MockError('invalid', `tool: ${expected}, got ${quote(step.tool)}; ${there}.`);
  }
  if (step.service === 'result' && !task.actions?.has(task.runs[0]?.ids[step.to] ?? step.to)) {
    const expected = 'expected the id of an action that the client has sent';
    throw new MockError('invalid', `to: ${expected}, got ${quote(step.to)}.`);
  }
}

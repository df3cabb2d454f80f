import { InvalidFile } from '../scenarios/format/invalid-file.js';
import type { Exchange, Finding } from '../spec/vocabulary.js';
import { Admin, isAdmin } from './admin/admin.js';
import { LARGEST_ADMIN_BODY } from './admin/admin-request.js';
import { ADMIN_ROUTES } from './admin/admin-routes.js';
import type { ControlledMock } from './control/controlled-mock.js';
import { type GateView, openGate, viewGates } from './control/gates.js';
import { injectStep } from './control/inject-step.js';
import { loadOptions } from './control/load-options.js';
import { MockClock } from './control/mock-clock.js';
import { MockNetwork } from './control/mock-network.js';
import { MockScenarios } from './control/mock-scenarios.js';
import { type MockState, restoreState, snapshotMock } from './control/state.js';
import { collectMisfitFindings, type Health, type TaskView, viewHealth, viewTask } from './control/views.js';
import { type JournalQuery, readJournal } from './exchange/journal.js';
import { isForm } from './exchange/read-body.js';
import type { WireRequest } from './exchange/wire.js';
import { checkListen, checkOptions, checkQuery } from './options/check-options.js';
import type {
  GateTarget,
  ListenOptions,
  MockOptions,
  MockServer,
  MockTime,
  ScenarioObject,
} from './options/mock-options.js';
import { servePage } from './pages/pages.js';
import { serveFile } from './pages/serve-files.js';
import { allowOrigins } from './serve/allow-origins.js';
import { createFetch, type Fetch } from './serve/fetch.js';
import { createListeners, type Listeners } from './serve/listeners.js';
import { MockService } from './service.js';
import { VirtualMockTime } from './virtual-time/mock-time.js';

/**
 * A mock of the service. `key` selects the organisation of this API key: each has its own state, clock and journal. Methods without a key
 * concern all organisations. They throw (or reject with) MockError if the named object does not exist or the call is not possible.
 */
export class Mock implements ControlledMock {
  readonly seed: string | number;
  /** Settled when all files are loaded and all options are checked. Rejects with InvalidFile, UnknownName or TypeError. */
  readonly ready: Promise<void>;
  /** Responds in process, without a port; waits for `ready`. */
  readonly fetch: Fetch;
  readonly clock: MockClock;
  readonly network: MockNetwork;
  readonly scenarios: MockScenarios;
  /** Runs clients on virtual time. */
  readonly time: MockTime;
  readonly #options: MockOptions;
  readonly #service: MockService;
  readonly #listeners: Listeners;
  #isReady = false;
  #isClosed = false;

  /** Throws TypeError for an unknown or invalid option or dialect choice. */
  constructor(options: MockOptions = {}) {
    checkOptions(options);
    this.#options = options;
    const handleNonApi = (request: WireRequest) =>
      isAdmin(request.url)
        ? admin.handle(request)
        : (this.#serveFile(request) ?? servePage(this.#service, request));
    this.#service = new MockService(this, options, handleNonApi);
    const admin = new Admin<ControlledMock>(
      this,
      options.adminToken,
      ADMIN_ROUTES,
      this.#service.organisations,
    );
    this.seed = this.#service.seed;
    this.clock = new MockClock(this.#service);
    this.network = new MockNetwork(this.#service);
    this.scenarios = new MockScenarios(this.#service);
    const handle = allowOrigins((request) => this.#service.pipeline.handle(request));
    const readBodyLimit = (request: Pick<WireRequest, 'url' | 'headers'>) => this.#readBodyLimit(request);
    const onFault = (error: unknown) => this.#service.reportFault(error);
    this.#listeners = createListeners(handle, { mostBytes: readBodyLimit, onFault });
    const time = new VirtualMockTime(this);
    this.time = time;
    const fetch = createFetch(handle, readBodyLimit, options.lightResponses);
    this.fetch = (input, init) => {
      if (this.#isClosed) return Promise.reject(new TypeError('fetch failed: this mock has been closed'));
      const response = this.#isReady ? fetch(input, init) : this.ready.then(() => fetch(input, init));
      return time.handOver?.(response) ?? response;
    };
    this.ready = loadOptions(options, this.#service).then(() => {
      this.#isReady = true;
    });
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

  /** Opens a port, any free one by default. Rejects with the system's error if the port is not available. */
  async listen(where: ListenOptions = {}): Promise<MockServer> {
    checkListen(where);
    await this.ready;
    const server = await this.#listeners.listen(where);
    this.setBaseUrl(server.baseUrl);
    return server;
  }

  /** Closes every port and cancels all planned work. */
  async close(): Promise<void> {
    await this.ready.catch(() => {});
    await this.#listeners.close();
    this.#service.stop();
    this.#isClosed = true;
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
      const findings = judge?.(organisation.journal.read()) ?? [];
      return [...findings, ...collectMisfitFindings(organisation)];
    });
  }

  /** Queues a scenario: the next task follows it. An object is added first. Returns its name; rejects if the scenario does not exist. */
  async scenario(nameOrObject: string | ScenarioObject, key?: string): Promise<string> {
    await this.ready;
    let name = nameOrObject as string;
    if (typeof nameOrObject === 'object') {
      const { added, problems } = await this.scenarios.add([nameOrObject]);
      if (problems.length > 0) throw new InvalidFile(problems);
      name = added[0]!;
    }
    await this.scenarios.queue(name, key);
    return name;
  }

  /** Internal state of a task: its scenario, what each of its timelines waits for, its calls, actions and gates. */
  task(id: string): TaskView {
    return viewTask(this.#service.organisations.requireTask(id));
  }

  /** Runs a service step, in the form of a scenario file, now (or when its `after` is met), parallel to the task's timeline. */
  async injectStep(id: string, step: unknown): Promise<TaskView> {
    this.task(id);
    await this.#service.warmUp();
    const task = this.#service.organisations.requireTask(id);
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
   * Removes the organisation of a key: its next request opens a new one. Without a key, resets the whole mock: organisations, queued
   * scenarios, clocks and network rules. Added scenarios stay.
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
   * opened since. A snapshot of one organisation does not change the others. Rejects with InvalidValue, which names the invalid place,
   * before any change.
   */
  async restore(state: MockState): Promise<void> {
    await this.ready;
    await this.#service.warmUp();
    restoreState(this.#service, state);
  }

  #serveFile(request: WireRequest) {
    const needsToken = this.#options.adminToken !== undefined;
    return serveFile(request, { kind: 'live', target: 'mock', baseUrl: this.baseUrl, needsToken });
  }

  /** Forms have overhead around the file, and the admin API must accept the largest state that it returns. */
  #readBodyLimit({ url, headers }: Pick<WireRequest, 'url' | 'headers'>): number {
    if (isAdmin(url)) return LARGEST_ADMIN_BODY;
    const { dialect } = this.#service;
    return isForm({ headers })
      ? Number(dialect['limits.upload-size']) + 64 * 1024
      : Number(dialect['limits.body-size']);
  }
}

import type { Scenario } from '../scenarios/format/types.js';
import { type Dialect, resolveDialect } from '../spec/dialect.js';
import { openPoints } from '../spec/generated/open-points.js';
import type { Exchange, Finding } from '../spec/vocabulary.js';
import { Admin, isAdmin } from './admin/admin.js';
import { LARGEST_ADMIN_BODY } from './admin/admin-request.js';
import { ADMIN_ROUTES } from './admin/admin-routes.js';
import { Control } from './admin/control.js';
import type { MockState } from './admin/state.js';
import { MockClock } from './clock/mock-clock.js';
import type {
  Choices,
  CreateMockOptions,
  GateWhere,
  GivenScenario,
  ListenOptions,
  Mock,
  MockServer,
  ScenarioObject,
} from './interface.js';
import type { JournalQuery } from './journal/query.js';
import { type MockOptions, MockService } from './mock.js';
import { checkGate, checkListen, checkOptions, checkQuery } from './options/check-options.js';
import { InvalidFile } from './options/invalid-file.js';
import {
  isRulesFile,
  needNode,
  noDialectFile,
  noFixturesFile,
  noPort,
  noRulesFile,
  noScenarioFiles,
} from './options/needs-node.js';
import { Pages } from './pages/pages.js';
import type { WireRequest } from './pipeline/wire.js';
import { createFetch, type Fetch } from './serve/fetch.js';
import type { Listening } from './serve/http.js';
import { TimeOfMock } from './virtual-time/time-of-mock.js';

/**
 * Makes a mock. Throws TypeError at once where a choice of the dialect is unknown; what has to be loaded is reported by
 * `ready`, and by the first `fetch` or `listen`.
 */
export function createMock(options: CreateMockOptions = {}): Mock {
  return new ComposedMock(options);
}

class ComposedMock implements Mock {
  readonly ready: Promise<void>;
  readonly fetch: Fetch;
  readonly clock: MockClock;
  readonly time: TimeOfMock = new TimeOfMock(this);
  readonly #options: MockOptions;
  readonly #listening = new Set<Listening>();
  #built: { service: MockService; admin: Control; dialect: Dialect } | null = null;
  #isReady = false;

  #closed = false;

  constructor(private readonly given: CreateMockOptions) {
    checkOptions(given);
    const {
      scenarios,
      fixtures,
      dialect,
      network,
      adminToken: _,
      judge: __,
      lightResponses: ___,
      ...rest
    } = given;
    // The service keeps this object: what is loaded later is put into it.
    this.#options = {
      ...rest,
      onFault: (error) => this.#onFault(error),
      ...(typeof fixtures === 'object' ? { fixtures } : {}),
      ...(typeof network === 'object' ? { network } : {}),
      scenarios: scenarios?.filter(isLoaded) ?? [],
    };
    const choices = [dialect ?? []].flat() as (Choices | string)[];
    if (choices.every((each) => typeof each !== 'string')) this.#build(choices as Choices[]);
    const fetch = createFetch(
      (request) => this.service.pipeline.handle(request),
      (request) => this.#mostBytes(request),
      given.lightResponses,
    );
    this.fetch = (input, init) => {
      if (this.#closed) return Promise.reject(new TypeError('fetch failed: this mock has been closed'));
      const answer = this.#isReady ? fetch(input, init) : this.ready.then(() => fetch(input, init));
      return this.time.handOver?.(answer) ?? answer;
    };
    this.clock = new MockClock(
      () => this.admin,
      () => this.service,
    );
    this.ready = this.#load(choices).then(() => {
      this.#isReady = true;
    });
    // Whoever awaits it learns of it; nobody has to.
    this.ready.catch(() => {});
  }

  get seed(): string | number {
    return this.#options.seed ?? 1;
  }

  get baseUrl(): string {
    return this.service.origin;
  }

  reachedAt(origin: string): void {
    if (this.given.origin !== undefined) return;
    // The service may have to be built yet, from these options.
    this.#options.origin = origin;
    if (this.#built) this.#built.service.origin = origin;
  }

  get service(): MockService {
    return this.#whole.service;
  }

  get admin(): Control {
    return this.#whole.admin;
  }

  async listen(where: ListenOptions = {}): Promise<MockServer> {
    checkListen(where);
    needNode(noPort);
    const { port = 0, host = '127.0.0.1' } = where;
    await this.ready;
    const { listen } = await import('./serve/http.js');
    const onFault =
      this.given.onFault ?? ((error) => console.error('taskdouble: a fault of the mock itself:', error));
    const mostBytes = (request: Pick<WireRequest, 'url' | 'headers'>) => this.#mostBytes(request);
    const listening = await listen((request) => this.service.pipeline.handle(request), {
      host,
      port,
      mostBytes,
      onFault,
    });
    this.#listening.add(listening);
    const baseUrl = `http://${reachable(host)}:${listening.port}`;
    this.reachedAt(baseUrl);
    const close = async () => {
      this.#listening.delete(listening);
      await listening.close();
    };
    return { baseUrl, port: listening.port, adminUrl: `${baseUrl}/__admin`, close };
  }

  async close(): Promise<void> {
    await this.ready.catch(() => {});
    const open = [...this.#listening];
    this.#listening.clear();
    await Promise.all(open.map((listening) => listening.close()));
    this.#built?.service.stop();
    this.#closed = true;
  }

  journal(query: JournalQuery = {}): Exchange[] {
    checkQuery(query);
    return this.admin.journal(query);
  }

  findings(key?: string): Finding[] {
    return this.admin.findings(key);
  }

  reset(key?: string): void {
    this.admin.reset(key);
  }

  snapshot(key?: string): MockState {
    return this.admin.state(key);
  }

  async restore(state: MockState): Promise<void> {
    await this.ready;
    await this.admin.restore(state);
  }

  openGate(name: string, where: GateWhere = {}): void {
    checkGate(where);
    this.admin.openGate(name, where);
  }

  async scenario(nameOrObject: string | ScenarioObject, key?: string): Promise<string> {
    await this.ready;
    const name = typeof nameOrObject === 'string' ? nameOrObject : (await this.#add([nameOrObject]))[0]!;
    await this.admin.nextScenario(name, key);
    return name;
  }

  get #whole() {
    if (!this.#built)
      throw new Error('The dialect of this mock is still being loaded: await mock.ready first.');
    return this.#built;
  }

  #build(choices: readonly Choices[]): void {
    const merged = Object.assign({}, ...choices) as Choices;
    this.#options.dialect = merged;
    const service: MockService = new MockService(this.#options, (request) =>
      isAdmin(request.url) ? api.handle(request) : pages.handle(request),
    );
    const admin = new Control(service, this.given.judge);
    const api = new Admin(admin, this.given.adminToken, ADMIN_ROUTES);
    const pages = new Pages(service);
    this.#built = { service, admin, dialect: resolveDialect(merged, openPoints).dialect };
  }

  async #load(choices: readonly (Choices | string)[]): Promise<void> {
    const { scenarios = [], fixtures, network } = this.given;
    if (!this.#built) {
      const named = choices.find((each) => typeof each === 'string');
      if (named !== undefined) needNode(() => noDialectFile(named));
      const { loadDialect } = await import('./options/files.js');
      this.#build(
        await Promise.all(choices.map((each) => (typeof each === 'string' ? loadDialect(each) : each))),
      );
    }
    if (typeof fixtures === 'object') {
      const { checkFixtures } = await import('./fixtures/read-fixtures.js');
      checkFixtures(fixtures);
    }
    if (typeof fixtures === 'string') {
      needNode(() => noFixturesFile(fixtures));
      const { loadFixtures } = await import('./options/files.js');
      this.#options.fixtures = await loadFixtures(fixtures);
    }
    if (typeof network === 'string') {
      if (isRulesFile(network)) needNode(() => noRulesFile(network));
      const { loadNetworkRules } = await import('./options/files.js');
      this.#options.network = await loadNetworkRules(network);
      this.service.setNetwork(this.#options.network);
    }
    const paths = scenarios.filter((each) => typeof each === 'string');
    if (paths.length > 0) {
      needNode(() => noScenarioFiles(paths));
      const { loadScenarioFiles } = await import('./options/files.js');
      this.service.scenarios.add(await loadScenarioFiles(paths));
    }
    const objects = scenarios.filter(
      (each): each is ScenarioObject => typeof each === 'object' && !isLoaded(each),
    );
    if (objects.length > 0) await this.#add(objects);
  }

  async #add(objects: readonly ScenarioObject[]): Promise<string[]> {
    const { added, problems } = await this.admin.addScenarios(objects);
    if (problems.length > 0) throw new InvalidFile(problems);
    return added;
  }

  #onFault(error: unknown): void {
    if (this.given.onFault) this.given.onFault(error);
    else console.error('taskdouble: a fault of the mock itself:', error);
  }

  /** Forms have something around the file; a state that the admin API gave must fit when it comes back. */
  #mostBytes({ url, headers }: Pick<WireRequest, 'url' | 'headers'>): number {
    if (isAdmin(url)) return LARGEST_ADMIN_BODY;
    const { dialect } = this.#whole;
    return headers['content-type']?.startsWith('multipart/') === true
      ? Number(dialect['limits.upload-size']) + 64 * 1024
      : Number(dialect['limits.body-size']);
  }
}

/** Loaded scenarios know where they come from; those in the form of the file do not. */
function isLoaded(scenario: GivenScenario): scenario is Scenario {
  return typeof scenario === 'object' && typeof (scenario as Scenario).file === 'string';
}

/** What to write in an address for a host that is listened on. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

import type { Scenario } from '../scenarios/format/types.js';
import { type Dialect, resolveDialect } from '../spec/dialect.js';
import { openPoints } from '../spec/generated/open-points.js';
import { chatHandlers } from './api/chats.js';
import { eventHandlers } from './api/events.js';
import { fileHandlers } from './api/files.js';
import { OnDemandModules, runScript } from './api/on-demand-modules.js';
import { organisationHandlers } from './api/organisation.js';
import { profileHandlers } from './api/profiles.js';
import { taskHandlers } from './api/tasks.js';
import { workspaceHandlers } from './api/workspaces.js';
import { StalledClock, warn } from './clock/stalled-clock.js';
import { createMonotonicClock, type Timers, WakeUpTimer } from './clock/wake-up-timer.js';
import type { Organisation } from './engine/organisation.js';
import { Recorder } from './exchange/recorder.js';
import type { MaybePromise, WireRequest, WireResponse } from './exchange/wire.js';
import { applyFixtures } from './fixtures/apply-fixtures.js';
import type { Fixtures } from './fixtures/fixtures.js';
import { Network, type NetworkedOrganisation } from './network/network.js';
import { SharedRules } from './network/shared-rules.js';
import { Tracer } from './network/tracer.js';
import {
  type Choices,
  DEFAULT_LIMITS,
  type GivenScenario,
  type MockOptions,
} from './options/mock-options.js';
import { callSafely } from './pipeline/call-safely.js';
import type { Handlers, RequestContext } from './pipeline/context.js';
import { Organisations } from './pipeline/organisations.js';
import { Pipeline } from './pipeline/pipeline.js';
import { ScenarioRegistry } from './scenario-registry.js';

const TIMERS: Timers = {
  set: (callback, delay_ms) => setTimeout(callback, delay_ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

const services = new WeakMap<object, MockService>();

/** The service behind a mock, for modules that build on mocks; not part of the public API. */
export function getService(mock: object): MockService {
  return services.get(mock)!;
}

/** The simulated service: everything behind the transports. */
export class MockService {
  readonly pipeline: Pipeline;
  readonly organisations: Organisations<Network>;
  readonly scenarios: ScenarioRegistry;
  readonly wakeUpTimer: WakeUpTimer;
  readonly recorder: Recorder | undefined;
  readonly stalledClock: StalledClock;
  readonly dialect: Dialect;
  /** Initial state of organisations that are opened later. */
  fixtures: Fixtures | undefined;
  origin: string;
  readonly sharedRules = new SharedRules(() => this.organisations.values());
  readonly #timers: Timers;
  readonly #modules: OnDemandModules;

  /**
   * Applies the options that need no loading. `handleNonApi` responds to a request outside the API: the admin API, and the pages that
   * responses link to. Throws TypeError for an unknown open point or choice.
   */
  constructor(
    mock: object,
    readonly options: MockOptions,
    readonly handleNonApi: (request: WireRequest) => MaybePromise<WireResponse> | undefined,
  ) {
    services.set(mock, this);
    const { seed = 1, clock: mode = 'real', speed = 1, startMs, fixtures, onExchange, onRecord } = options;
    const wall = createMonotonicClock(options.wall ?? Date.now);
    this.origin = options.origin ?? 'http://127.0.0.1:4010';
    this.fixtures = typeof fixtures === 'object' ? fixtures : undefined;
    this.scenarios = new ScenarioRegistry(options.scenarios?.filter(isLoaded) ?? [], options.library ?? true);
    this.#modules = new OnDemandModules(() => this.scenarios.loadLibrary());
    this.#timers = options.timers ?? TIMERS;
    this.dialect = readChoices([options.dialect ?? []].flat().filter((each) => typeof each === 'object'));
    const report = (error: unknown) => this.reportFault(error);
    this.wakeUpTimer = new WakeUpTimer(wall, this.#timers, report);
    this.stalledClock = new StalledClock(mode === 'manual', (organisation, hint) =>
      this.#warn(organisation, hint),
    );
    this.recorder =
      onRecord &&
      new Recorder(
        (each) => callSafely(onRecord, [each], report),
        () => this.origin,
        wall,
      );
    this.organisations = new Organisations({
      seed,
      wall,
      clock: { mode, speed },
      startMs,
      dialect: this.dialect,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      isAgentIdle: options.agent === 'idle',
      getOrigin: () => this.origin,
      getGenerators: () => this.#modules.requireGenerators(),
      runScript,
      createNetwork: (organisation) => this.#createNetwork(organisation),
      onPlanned: (organisation) => this.wakeUpTimer.arm(organisation),
      onClosed: (organisation) => this.wakeUpTimer.remove(organisation),
      onNote: (organisation, note) => this.#note(organisation, note),
      onPolledInVain: (organisation, task) => this.stalledClock.reportIfStalled(organisation, task),
      onExchange:
        onExchange &&
        ((organisation, exchange) => callSafely(onExchange, [exchange, organisation.name], report)),
      initialize: (organisation) => this.#initialize(organisation),
    });
    this.pipeline = new Pipeline(this, handlers);
  }

  get seed(): string | number {
    return this.options.seed ?? 1;
  }

  reportFault(error: unknown): void {
    if (this.options.onFault) callSafely(this.options.onFault, [error]);
    else console.error('taskdouble: a fault of the mock itself:', error);
  }

  /** Sets the loaded choices of a dialect. Throws TypeError for an unknown open point or choice. */
  setDialect(choices: readonly Choices[]): void {
    Object.assign(this.dialect, readChoices(choices));
  }

  /** Loads the modules that a request needs; undefined if they are loaded. */
  load(context: RequestContext): Promise<unknown> | undefined {
    return this.#modules.load(context);
  }

  /** Preloads the modules for the first task, so that it does not wait for them; with `scripts` also those for `evaluate_js`. */
  warmUp(scripts = false): Promise<void> {
    return this.#modules.warmUp(scripts);
  }

  /** Resets organisations, scenarios, clocks and network rules to the start. */
  reset(): void {
    this.scenarios.reset();
    this.organisations.clock = this.organisations.initialClock;
    this.organisations.reset();
    this.sharedRules.reset();
  }

  stop(): void {
    this.organisations.reset();
    this.wakeUpTimer.stop();
  }

  /**
   * Advances a skipping clock when all requests of an organisation wait: after one macrotask, so that busy clients can send their requests.
   */
  advanceIfIdle(organisation: NetworkedOrganisation): void {
    if (organisation.clock.mode !== 'skipping') return;
    this.#timers.set(() => {
      const held = organisation.network.waiting + organisation.waiting;
      if (held === 0 || organisation.locks > 0) return;
      if (held < organisation.inFlight || organisation.advanceToNext()) this.advanceIfIdle(organisation);
    }, 0);
  }

  #initialize(organisation: NetworkedOrganisation): void {
    organisation.sources = this.scenarios.listSources();
    organisation.queued.push(...this.scenarios.queued);
    this.sharedRules.applyTo(organisation);
    if (this.fixtures) applyFixtures(organisation, this.fixtures);
  }

  #createNetwork(organisation: NetworkedOrganisation): Network {
    const { onTrace } = this.options;
    const tracer = onTrace && new Tracer((entry) => onTrace(entry, organisation.name));
    return new Network(organisation, (own) => this.advanceIfIdle(own), tracer);
  }

  /** Emits a process warning if there is no listener for notes. */
  #warn(organisation: Organisation, hint: string): void {
    this.#note(organisation, hint);
    if (!this.options.onNote) warn(hint);
  }

  #note(organisation: Organisation, note: string): void {
    const { current } = organisation;
    current?.note(note);
    this.options.onNote?.(note, organisation.name);
  }
}

function readChoices(choices: readonly Choices[]): Dialect {
  const { dialect, problems } = resolveDialect(Object.assign({}, ...choices), openPoints);
  if (problems.length > 0) throw new TypeError(problems.map((problem) => problem.message).join('\n'));
  return { ...dialect };
}

/** True for a loaded scenario, which has a file; false for an object in the form of the file. */
export function isLoaded(scenario: GivenScenario): scenario is Scenario {
  return typeof scenario === 'object' && typeof (scenario as Scenario).file === 'string';
}

/** All 59 operations. A missing or mistyped one does not compile. */
export const handlers: Handlers = {
  ...taskHandlers,
  ...eventHandlers,
  ...organisationHandlers,
  ...profileHandlers,
  ...fileHandlers,
  ...workspaceHandlers,
  ...chatHandlers,
};

import type { NetworkRule, Scenario } from '../scenarios/format/types.js';
import { resolveDialect } from '../spec/dialect.js';
import { openPoints } from '../spec/generated/open-points.js';
import type { Exchange } from '../spec/vocabulary.js';
import { OnDemandModules } from './api/on-demand.js';
import { monotonicClock } from './clock/monotonic-clock.js';
import { StalledClock, warn } from './clock/stalled-clock.js';
import { type Timers, WakeUpTimer } from './clock/wake-up-timer.js';
import type { ClockMode } from './engine/clock.js';
import type { Organisation } from './engine/organisation.js';
import { DEFAULT_WORLD_LIMITS, type WorldLimits } from './engine/world.js';
import { applyFixtures, type Fixtures } from './fixtures/apply-fixtures.js';
import { Recorder } from './journal/recorder.js';
import { Network } from './network/network.js';
import type { TraceEntry } from './network/trace.js';
import { Tracer } from './network/tracer.js';
import { Organisations } from './pipeline/organisations.js';
import { Pipeline, type PipelineSetup } from './pipeline/pipeline.js';
import { ScenarioRegistry } from './scenario-registry.js';

/** Bounds of a mock; what is beyond goes oldest first. */
export interface MockLimits extends WorldLimits {
  /** Exchanges kept in each organisation's journal. */
  exchanges: number;
  /** Characters of bodies kept in each organisation's journal. */
  journalCharacters: number;
  /** Organisations (keys) kept; the longest idle one goes. */
  organisations: number;
}

export const DEFAULT_LIMITS: MockLimits = {
  ...DEFAULT_WORLD_LIMITS,
  exchanges: 5_000,
  journalCharacters: 64 * 1024 * 1024,
  organisations: 10_000,
};

export interface MockOptions {
  /** Decides every id, text and delay. Default 1. */
  seed?: string | number;
  /**
   * `real` (default), `manual` (moves only when told), `skipping` (jumps when a poll would learn nothing), `eager` (real, and jumps
   * when a poll would learn nothing).
   */
  clock?: ClockMode;
  /** How many times faster than real a real clock goes. Default 1. */
  speed?: number;
  /** Where manual and skipping clocks start, ms. Default 2026-01-01T00:00:00Z. */
  startMs?: number;
  /** Loaded scenarios, asked before the library's. */
  scenarios?: readonly Scenario[];
  /** False: the library's scenarios can be had by name only, none is matched. Default true. */
  library?: boolean;
  /** Choices for open points by id; the others have their defaults. Throws TypeError for an unknown point or choice. */
  dialect?: Readonly<Record<string, unknown>>;
  /** Standing network rules for every organisation. */
  network?: readonly NetworkRule[];
  fixtures?: Fixtures;
  limits?: Partial<MockLimits>;
  /** Where the mock says it is reached, for the addresses in its answers. `listen` sets it. */
  origin?: string;
  /** The real time in ms. Default Date.now. */
  wall?: () => number;
  timers?: Timers;
  /** A line about what happens, for a log. */
  onNote?: (note: string, organisation: string) => void;
  /** Told of a fault of the mock itself; the client gets a 500 and the mock goes on. */
  onFault?: (error: unknown) => void;
  /** Told of every exchange when it is over. */
  onExchange?: (exchange: Exchange, organisation: string) => void;
  /** Told of every exchange in full when it is over, pages and unknown addresses too: what a journal file holds and a replay plays. */
  onRecord?: (exchange: Exchange) => void;
  /** Told of everything that happens between the two sides and could have come in another order, as it happens. */
  onTrace?: (entry: TraceEntry, organisation: string) => void;
}

const TIMERS: Timers = {
  set: (callback, delay_ms) => setTimeout(callback, delay_ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** The service, simulated: everything behind the transports. */
export class MockService {
  readonly pipeline: Pipeline;
  readonly organisations: Organisations;
  readonly scenarios: ScenarioRegistry;
  readonly wakeUpTimer: WakeUpTimer;
  readonly recorder: Recorder | undefined;
  readonly stalledClock: StalledClock;
  readonly seed: string | number;
  origin: string;
  readonly #timers: Timers;
  readonly #modules: OnDemandModules;
  #network: readonly NetworkRule[];

  /** `outside` responds to requests outside the API. */
  constructor(
    readonly options: MockOptions = {},
    outside?: PipelineSetup['outside'],
  ) {
    const wall = monotonicClock(options.wall ?? Date.now);
    this.seed = options.seed ?? 1;
    this.origin = options.origin ?? 'http://127.0.0.1:4010';
    this.#network = options.network ?? [];
    this.scenarios = new ScenarioRegistry(options.scenarios ?? [], options.library ?? true);
    this.#modules = new OnDemandModules(() => this.scenarios.loadLibrary());
    this.#timers = options.timers ?? TIMERS;
    this.wakeUpTimer = new WakeUpTimer(wall, this.#timers, (error) => this.options.onFault?.(error));
    const { dialect, problems } = resolveDialect(options.dialect ?? {}, openPoints);
    if (problems.length > 0) throw new TypeError(problems.map((problem) => problem.message).join('\n'));
    this.stalledClock = new StalledClock(this.options.clock === 'manual', (organisation, hint) =>
      this.#warn(organisation, hint),
    );
    this.recorder = options.onRecord && new Recorder(options.onRecord, () => this.origin, wall);
    this.organisations = new Organisations({
      seed: this.seed,
      wall,
      clock: { mode: options.clock ?? 'real', speed: options.speed ?? 1, startMs: options.startMs },
      dialect,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      origin: () => this.origin,
      generators: () => this.#modules.generators(),
      runScript: (script) => this.#modules.runScript(script),
      createNetwork: (organisation) => this.#createNetwork(organisation),
      onPlanned: (organisation) => this.wakeUpTimer.wake(organisation),
      onClosed: (organisation) => this.wakeUpTimer.forget(organisation),
      onNote: (organisation, note) => this.#note(organisation, note),
      onPolledInVain: (organisation, task) => this.stalledClock.polledInVain(organisation, task),
      onExchange:
        options.onExchange && ((organisation, exchange) => options.onExchange?.(exchange, organisation.name)),
      initialize: (organisation) => this.#initialize(organisation),
    });
    this.pipeline = new Pipeline({
      organisations: this.organisations,
      ...(outside ? { outside } : {}),
      load: (context) => this.#modules.load(context, () => this.warmUp()),
      onWaiting: (organisation) => this.goOn(organisation),
      // A process that ends must not leave behind the client of a response that waits for time.
      onPending: (response) => this.wakeUpTimer.keepAlive(response),
      onFault: (error) => this.options.onFault?.(error),
      recorder: this.recorder,
    });
  }

  /** Loads what the first task needs, so that it need not wait for it. */
  warmUp(): Promise<void> {
    return this.#modules.warmUp();
  }

  /** Rules of the network for organisations that are opened from now on, and those there are. */
  setNetwork(rules: readonly NetworkRule[]): void {
    this.#network = rules;
    for (const organisation of this.organisations.all()) organisation.network.set([...rules]);
  }

  /** The same, for organisations that are opened from now on only. */
  keepNetwork(rules: readonly NetworkRule[]): void {
    this.#network = rules;
  }

  get networkRules(): readonly NetworkRule[] {
    return this.#network;
  }

  stop(): void {
    this.organisations.reset();
    this.wakeUpTimer.stop();
  }

  /** A skipping clock goes on when everybody in an organisation waits: after one hop, so that who is not does not. */
  goOn(organisation: Organisation): void {
    if (organisation.world.setup.clock.mode !== 'skipping') return;
    this.#timers.set(() => {
      const held = organisation.network.waiting + organisation.waiting;
      if (held === 0 || organisation.locks > 0) return;
      if (held < organisation.inFlight || organisation.world.advanceToNext()) this.goOn(organisation);
    }, 0);
  }

  #initialize(organisation: Organisation): void {
    organisation.sources = this.scenarios.sources();
    if (this.#network.length > 0) organisation.network.set([...this.#network]);
    if (this.options.fixtures) applyFixtures(organisation, this.options.fixtures);
  }

  #createNetwork(organisation: () => Organisation): Network {
    const { onTrace } = this.options;
    const tracer = onTrace && new Tracer((entry) => onTrace(entry, organisation().name));
    return new Network(organisation, (own) => this.goOn(own), tracer);
  }

  /** A note that nobody would see is a warning. */
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

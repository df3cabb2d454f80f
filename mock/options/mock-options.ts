import type { NetworkRule, Scenario } from '../../scenarios/format/types.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import type { Timers } from '../clock/wake-up-timer.js';
import type { ClockMode } from '../engine/clock.js';
import { DEFAULT_ORGANISATION_LIMITS } from '../engine/organisation.js';
import type { MaybePromise } from '../exchange/wire.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { TraceEntry } from '../network/tracer.js';
import type { MockLimits } from '../pipeline/organisations.js';
import type { ClientRuns } from './client-runs.js';

export type { MockLimits };

/** A scenario for `createMock`: the path of a file or directory, a loaded one, or an object in the form of the file. */
export type GivenScenario = string | Scenario | ScenarioObject;

/** A scenario in the form of its file, with a name. */
export interface ScenarioObject {
  /** Default: derived from the title. */
  name?: string;
  title: string;
  request: Record<string, unknown>;
  timeline: readonly object[];
  [key: string]: unknown;
}

/** Choices for open points by id. */
export type Choices = Readonly<Record<string, unknown>>;

export const DEFAULT_LIMITS: MockLimits = {
  exchanges: 5_000,
  journalCharacters: 64 * 1024 * 1024,
  totalExchanges: 50_000,
  totalCharacters: 256 * 1024 * 1024,
  bodyCharacters: 64 * 1024,
  organisations: 10_000,
  ...DEFAULT_ORGANISATION_LIMITS,
};

/** Judges the exchanges of one organisation by rules. */
export interface ExchangeJudge {
  /** `isOnRealTime`: the clock of the organisation follows real time now. */
  (exchanges: Exchange[], isOnRealTime: boolean): Finding[];
  /** Loads the rules, if they are loaded only when findings are requested over HTTP. */
  ready?: () => Promise<void>;
}

/**
 * Formats the exchanges of a task as a scenario in YAML; a sentence with the reason if that is impossible.
 */
export type ScenarioWriter = (exchanges: Exchange[]) => MaybePromise<{ yaml: string } | { problem: string }>;

/** A request with its response, a step of the service, or what an open task waits for. */
export interface TimelineLine {
  /** ms of the organisation's clock. */
  at: number;
  actor: 'client' | 'service' | 'now';
  text: string;
  task?: string | undefined;
  /** Number of the exchange. */
  seq?: number;
  /** Ids of the events concerned. */
  events: readonly string[];
}

/** The conversation of the clients of one organisation with the mock. */
export interface TimelineView {
  organisation: string;
  /** Time of its first request, ms. */
  start: number;
  lines: readonly TimelineLine[];
}

/** Reads the conversations with the mock: of one organisation, about one task, or all. */
export type TimelineReader = (query: {
  key?: string | undefined;
  task?: string | undefined;
}) => MaybePromise<{ text: string; timelines: TimelineView[] }>;

/** Serves the Model Context Protocol over HTTP. Never rejects because of a request. */
export type McpHandler = (request: Request) => Promise<Response>;

/** Options of a mock. Paths are read in Node.js only; `ready` resolves once they are read. */
export interface MockOptions {
  /** Determines every id, text and delay. Default 1. */
  seed?: string | number;
  /**
   * `real` (default), `manual` (moves only through `mock.clock`), `skipping` (jumps when a poll can return
   * nothing new), `eager` (real, and jumps when a poll can return nothing new).
   */
  clock?: ClockMode;
  /** Speed of a real clock as a multiple of real time. Default 1. */
  speed?: number;
  /** Start of manual and skipping clocks, ms. Default 2026-01-01T00:00:00Z. */
  startMs?: number;
  /**
   * Behavior of tasks without a scenario: the agent improvises (default), or it is idle, and the test injects
   * its work (`injectStep`). An idle agent lists no result and no echo either.
   */
  agent?: 'improvising' | 'idle';
  /** Matched before the library's. */
  scenarios?: readonly GivenScenario[];
  /** False: the library's scenarios are available by name only, and not matched. Default true. */
  library?: boolean;
  /**
   * Choices for open points by id, the path of a file with them, or the name of a bundled dialect; all other
   * open points have their defaults. In a list, later entries override earlier ones.
   */
  dialect?: Choices | string | readonly (Choices | string)[];
  /**
   * Standing network rules for every organisation, the path of a file with them, or their shorthand: `fail
   * 503 of poll times 3`.
   */
  network?: readonly NetworkRule[] | string;
  /** Initial state of every organisation: an object, or the path of a YAML or JSON file. */
  fixtures?: Fixtures | string;
  limits?: Partial<MockLimits>;
  /** Origin under which clients reach the mock, for the addresses in its responses. `listen` sets it. */
  origin?: string;
  /**
   * The token that the admin API requires in `x-taskdouble-admin-token`; it allows use of the API from other
   * machines. Without a token: this machine only.
   */
  adminToken?: string;
  /** Judges the clients' exchanges: `findings` returns its findings. */
  judge?: ExchangeJudge;
  /** Writes a conversation as a scenario file, for `GET /__admin/tasks/{id}/scenario`. */
  writeScenario?: ScenarioWriter;
  /** Reads conversations, for `GET /__admin/timeline`. */
  readTimelines?: TimelineReader;
  /** Describes what a client has to do for a scenario, for `GET /__admin/scenarios/preview`. */
  describeJob?: (scenario: Scenario) => MaybePromise<unknown>;
  /** Reads a file for studio, for `POST /__admin/view`. */
  readPage?: PageReader;
  /** Runs the user's client, for `POST /__admin/client/runs`. */
  clientRuns?: ClientRuns;
  /** Serves the Model Context Protocol at `/__mcp`. */
  serveMcp?: McpHandler;
  /**
   * True: `fetch` returns responses that behave like the platform's at a fraction of the cost, for clients
   * that only read text or JSON. Not for clients that pass them to the platform (a service worker, a cache).
   * Default false.
   */
  lightResponses?: boolean;
  /** The real time in ms. Default Date.now. */
  wall?: () => number;
  timers?: Timers;
  /** Called with a log line. */
  onNote?: (note: string, organisation: string) => void;
  /** Called with a fault of the mock itself; the client got a 500. Default: a line on the console. */
  onFault?: (error: unknown) => void;
  /** Called with every completed exchange. */
  onExchange?: (exchange: Exchange, organisation: string) => void;
  /**
   * Called with every completed exchange in full, including pages and unknown addresses: the content of a
   * journal file, for replay.
   */
  onRecord?: (exchange: Exchange) => void;
  /** Called with every event between client and service whose order could differ, as it happens. */
  onTrace?: (entry: TraceEntry, organisation: string) => void;
}

export interface ListenOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1: this machine only. */
  host?: string;
}

/** The scope of a gate: one task, one organisation (by its API key), or all organisations. */
export interface GateTarget {
  task?: string;
  key?: string;
}

/** A listening mock. */
export interface MockServer {
  /** The `{base_url}` for clients. */
  baseUrl: string;
  port: number;
  adminUrl: string;
  close(): Promise<void>;
}

/** Argument of a client on virtual time. */
export interface TimeRun {
  /** Aborted when the run is over, also after a failure. */
  readonly signal: AbortSignal;
}

export interface TimeOptions {
  /** Most virtual time of the client, ms. Default: an hour. */
  deadlineMs?: number;
  /** Most virtual time without progress, ms; polls without news are no progress. Default: ten minutes. */
  stalledMs?: number;
  /** Aborts the run: it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Runs clients on virtual time, which they share with the mock. */
export interface MockTime {
  /**
   * Runs `client` on virtual time: its timers, clocks and `AbortSignal.timeout` share one time with the
   * clocks of all organisations of this mock, and idle time is skipped. Time does not advance while requests
   * are in flight or the machine is busy. Only code called by `client` is on this time; the platform is
   * patched for the run and restored afterwards.
   *
   * A process performs one run at a time: a run waits for earlier ones, also of other mocks. It starts at the
   * latest time of any clock of this mock; afterwards each clock continues in its own mode from the end of
   * the run.
   *
   * Resolves to the result of `client`, and rejects with the error that it throws, also in a timer or as an
   * unhandled rejection. Rejects with StalledClientError if the client can never end (no event is left, or a
   * time limit of the options is over), and with an Error inside another run and without Node.js.
   */
  run<T>(client: (run: TimeRun) => T | Promise<T>, options?: TimeOptions): Promise<T>;
  /**
   * True if the mock's journals contain requests and all were sent in a run: the clients used the mock's
   * clocks, so rules that compare times apply.
   */
  readonly isClients: boolean;
}

/** Reads a journal, HAR, report or race. Rejects with an Error whose message is for the user. */
export type PageReader = (name: string, content: string | Uint8Array) => Promise<{ kind: string }>;

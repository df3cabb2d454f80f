import type { NetworkRule, Scenario } from '../../scenarios/format/types.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import type { Timers } from '../clock/wake-up-timer.js';
import type { ClockMode } from '../engine/clock.js';
import { DEFAULT_WORLD_LIMITS, type WorldLimits } from '../engine/world.js';
import type { Fixtures } from '../fixtures/fixtures.js';
import type { TraceEntry } from '../network/tracer.js';

/** A scenario as `createMock` takes it: the path of a file or directory, a loaded one, or an object in the form of the file. */
export type GivenScenario = string | Scenario | ScenarioObject;

/** A scenario in the form of its file, with a name. */
export interface ScenarioObject {
  /** Made from the title unless given. */
  name?: string;
  title: string;
  request: Record<string, unknown>;
  timeline: readonly object[];
  [key: string]: unknown;
}

/** Choices for open points by id. */
export type Choices = Readonly<Record<string, unknown>>;

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

/** Judges the exchanges of one organisation by rules. */
export interface JudgeExchanges {
  (exchanges: Exchange[]): Finding[];
  /** Loads the rules, where they are loaded only when findings are asked for over HTTP. */
  ready?: () => Promise<void>;
}

/** How a mock is made. Paths are read in Node.js only; `ready` settles once they have been. */
export interface MockOptions {
  /** Decides every id, text and delay. Default 1. */
  seed?: string | number;
  /**
   * `real` (default), `manual` (moves only through `mock.clock`), `skipping` (jumps when a poll would learn nothing), `eager` (real,
   * and jumps when a poll would learn nothing).
   */
  clock?: ClockMode;
  /** How many times faster than real a real clock goes. Default 1. */
  speed?: number;
  /** Where manual and skipping clocks start, ms. Default 2026-01-01T00:00:00Z. */
  startMs?: number;
  /** Matched before the library's. */
  scenarios?: readonly GivenScenario[];
  /** False: the library's scenarios can be had by name only, none is matched. Default true. */
  library?: boolean;
  /**
   * Choices for open points by id, the path of a file with them, or the name of a dialect of the package; the others have their
   * defaults. Of several the later ones win.
   */
  dialect?: Choices | string | readonly (Choices | string)[];
  /** Standing network rules for every organisation, the path of a file with them, or their shorthand: `fail 503 of poll times 3`. */
  network?: readonly NetworkRule[] | string;
  /** What every organisation starts with, or the path of a YAML or JSON file with it. */
  fixtures?: Fixtures | string;
  limits?: Partial<MockLimits>;
  /** Where clients reach the mock, for the addresses in its responses. `listen` sets it. */
  origin?: string;
  /** The token that the admin API requires in `x-taskdouble-admin-token`; it then answers other machines too. Without one: this machine only. */
  adminToken?: string;
  /** Judges the clients' exchanges: `findings` returns its findings. */
  judge?: JudgeExchanges;
  /**
   * True: `fetch` returns responses that look and behave like the platform's and cost a fraction of them, where only
   * their text or JSON is read. Not for clients that hand them to the platform (a service worker, a cache). Default false.
   */
  lightResponses?: boolean;
  /** The real time in ms. Default Date.now. */
  wall?: () => number;
  timers?: Timers;
  /** Called with a line about what happens, for a log. */
  onNote?: (note: string, organisation: string) => void;
  /** Called with a fault of the mock itself; the client got a 500. Default: a line on the console. */
  onFault?: (error: unknown) => void;
  /** Called with every exchange when it is over. */
  onExchange?: (exchange: Exchange, organisation: string) => void;
  /** Called with every exchange in full when it is over, pages and unknown addresses too: what a journal file holds and a replay plays. */
  onRecord?: (exchange: Exchange) => void;
  /** Called with everything that happens between the two sides and could have come in another order, as it happens. */
  onTrace?: (entry: TraceEntry, organisation: string) => void;
}

/** Where a mock is to listen. */
export interface ListenOptions {
  /** 0, the default, takes any free one. */
  port?: number;
  /** Default 127.0.0.1: this machine only. */
  host?: string;
}

/** Whose gate is meant: of one task, of one organisation (by its API key), or of all there are. */
export interface GateTarget {
  task?: string;
  key?: string;
}

/** Where a mock listens. */
export interface MockServer {
  /** The `{base_url}` that clients are given. */
  baseUrl: string;
  port: number;
  adminUrl: string;
  close(): Promise<void>;
}

/** What a client that is run on virtual time is given. */
export interface TimeRun {
  /** Aborted when the run is over, however it ended. */
  readonly signal: AbortSignal;
}

export interface TimeOptions {
  /** ms of virtual time that the client may take in all. Default an hour. */
  deadlineMs?: number;
  /** ms of virtual time without anything new between the two sides; polls that learn nothing are none. Default ten minutes. */
  stalledMs?: number;
  /** Ends the run from outside: it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Runs clients on virtual time, which they share with the mock. */
export interface MockTime {
  /**
   * Runs `client` on virtual time: its timers, clocks and `AbortSignal.timeout` go by one time with the clocks of all
   * organisations of this mock, and idle time is skipped. Time stands still while requests are on their way or the machine is
   * at work. Only what `client` calls is on this time; the platform is patched for the run and restored afterwards.
   *
   * One run takes place at a time in a process: it waits for those before it, of other mocks too. It begins at the latest
   * time that a clock of this mock shows; afterwards each clock goes on in its own mode from where the run has brought it.
   *
   * Gives what `client` gives, and rejects with the very error that it throws, also in a timer or a promise that nobody
   * handles. Rejects with StalledClientError where the client can never end (nothing is left that could happen, or an option's
   * time is over), and with an Error within a run and where there is no Node.js.
   */
  run<T>(client: (run: TimeRun) => T | Promise<T>, options?: TimeOptions): Promise<T>;
  /**
   * True when every request that the mock's journals hold was made in a run, and there is one: the clients' clocks were the
   * mock's, so that rules that compare times hold for them.
   */
  readonly isClients: boolean;
}

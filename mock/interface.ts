import type { NetworkRule, Scenario } from '../scenarios/format/types.js';
import type { Exchange, Finding } from '../spec/vocabulary.js';
import type { Control, Judge } from './admin/control.js';
import type { MockState } from './admin/state.js';
import type { MockClock } from './clock/mock-clock.js';
import type { Fixtures } from './fixtures/apply-fixtures.js';
import type { JournalQuery } from './journal/query.js';
import type { MockOptions, MockService } from './mock.js';
import type { Fetch } from './serve/fetch.js';

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

/** Paths are read in Node.js only; `ready` settles once they have been. */
export interface CreateMockOptions
  extends Omit<MockOptions, 'scenarios' | 'fixtures' | 'dialect' | 'network'> {
  /** Asked before the library's. */
  scenarios?: readonly GivenScenario[];
  /** What every organisation starts with, or the path of a YAML or JSON file that says it. */
  fixtures?: Fixtures | string;
  /** Choices for open points, the path of a file with them, or the name of one that comes with the package. Of several the later ones win. */
  dialect?: Choices | string | readonly (Choices | string)[];
  /** Standing network rules, the path of a file with them, or their short form: `fail 503 of poll times 3`. */
  network?: readonly NetworkRule[] | string;
  /** What the admin API asks for in `x-taskdouble-admin-token`; then other machines may use it too. Without one only this machine may. */
  adminToken?: string;
  /** Says what it finds wrong in the clients' exchanges: what `findings` gives. */
  judge?: Judge;
  /**
   * True: `fetch` gives responses that look and behave like the platform's and cost a fraction of them, where not more than
   * their text or JSON is read. Not for one that hands them to the platform (a service worker, a cache). Default false.
   */
  lightResponses?: boolean;
  /** Told of a fault of the mock itself; the client got a 500. Default: a line on the console. */
  onFault?: (error: unknown) => void;
}

/** Where a mock is to listen. */
export interface ListenOptions {
  /** 0, the default, takes any free one. */
  port?: number;
  /** Default 127.0.0.1: this machine only. */
  host?: string;
}

/** Whose gate is meant: of one task, of one organisation (by its API key), or of all there are. */
export interface GateWhere {
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
   * organisations of this mock, and idle time is skipped: who sleeps ten minutes wakes at once. Only what `client` calls
   * is on this time: the test around it, others beside it and runs of other mocks keep theirs. While requests are on
   * their way or the machine is at work on something, time stands still. It is put in place for the run and taken away again,
   * however that ends.
   *
   * The run begins at the latest time that a clock of this mock shows, and whatever mode these clocks have, they go by
   * the run while it lasts; afterwards each goes on in its own mode from where the run has brought it.
   *
   * Gives what `client` gives, and rejects with the very error that it throws, also where that is thrown in a timer or by
   * a promise that nobody handles. Rejects with TimeStoodStill where the client can never end: nothing is left that could happen,
   * nothing new for `stalledMs`, or `deadlineMs` are over. Rejects with an Error where a run of this mock is under way
   * already, and where there is no Node.js (in a browser).
   */
  run<T>(client: (run: TimeRun) => T | Promise<T>, options?: TimeOptions): Promise<T>;
  /**
   * True when every request that the mock's journals hold was made in a run, and there is one: the clients' clocks were the
   * mock's, so that rules that compare times hold for them.
   */
  readonly isClients: boolean;
}

/**
 * A mock of the service. `key` picks the organisation that this API key opens: each has its own state, clock and journal.
 * Methods without a key are about all organisations.
 */
export interface Mock {
  readonly seed: string | number;
  /** Settled once everything that was given as a path or has to be checked is loaded. Rejects with InvalidFile, UnknownName or TypeError. */
  readonly ready: Promise<void>;
  /** Where the mock says it is reached: the option `origin`, or where it listens. */
  readonly baseUrl: string;
  /** Says where clients reach the mock from now on, for the addresses in its answers; the option `origin` goes before it. */
  reachedAt(origin: string): void;
  /** Answers in process, without a port; waits for `ready`. */
  readonly fetch: Fetch;
  readonly clock: MockClock;
  /** Runs clients on virtual time. */
  readonly time: MockTime;
  /** Everything else that can be done to a mock: what the admin API offers over HTTP. */
  readonly admin: Control;
  /** The service itself, for tools that build on the mock. */
  readonly service: MockService;
  /** Opens a port, any free one unless given. Rejects with the system's error when it cannot be had. */
  listen(where?: ListenOptions): Promise<MockServer>;
  /** Closes every port and stops all that is planned. */
  close(): Promise<void>;
  /** Exchanges so far, oldest first, keys redacted. */
  journal(query?: JournalQuery): Exchange[];
  /** What the judge has to say about the clients so far. */
  findings(key?: string): Finding[];
  reset(key?: string): void;
  snapshot(key?: string): MockState;
  restore(state: MockState): Promise<void>;
  /** Opens a gate that steps or requests wait for: of one task, of one organisation, or of all there are. */
  openGate(name: string, where?: GateWhere): void;
  /** Queues a scenario: the next task follows it. An object is added first. Gives its name; rejects when there is no such scenario. */
  scenario(nameOrObject: string | ScenarioObject, key?: string): Promise<string>;
}

import type { Action, Call } from '../../mock/engine/tasks/task.js';
import type { ListedRule } from '../../mock/network/rule-book.js';
import type { TraceEntry } from '../../mock/network/tracer.js';
import type { EndReason } from '../../mock/virtual-time/time-policy.js';
import type { Ask, Scenario } from '../../scenarios/format/types.js';
import type { EventName, Exchange, ResultCode, TaskStatus } from '../../spec/vocabulary.js';

/** The outcome of one run of a tool. */
export interface ToolOutcome {
  code: ResultCode;
  output: unknown;
}

/** The task of the client: `TASKDOUBLE_JOB`. */
export interface Job {
  /** The body of POST /task. */
  request: Record<string, unknown>;
  /** Outcome of the n-th run of each tool; the last one repeats. The client has no other tools. */
  tools: Record<string, ToolOutcome[]>;
  /** Sent in order, each after the result of the previous one. */
  actions: { name: EventName; payload: Record<string, unknown> }[];
  /** How to close the session after the actions. */
  close: 'event' | 'delete' | null;
  /** ms after the creation of the task. */
  cancel_after_ms: number | null;
  deadline_ms: number;
  /** Fields of `request` that a client may omit if its library does not support them. */
  optional_fields: string[];
  /** Additional values to report in the field `asked` of the result line. Optional for adapters. */
  asks: Ask[];
}

/** The report of a client: the last line of its stdout, or the return value of its function. It is not validated. */
export interface ResultLine {
  status?: unknown;
  output?: unknown;
  results?: unknown;
  tool_runs?: unknown;
  /** Values that the job `asks` for, by name. */
  asked?: unknown;
  /** Why the client gave up. */
  error?: unknown;
  [key: string]: unknown;
}

/** The argument of a client function. */
export interface ClientContext {
  /** `{base_url}`; paths below it are /api/v1/... */
  baseUrl: string;
  apiKey: string;
  fetch: typeof fetch;
  /** Aborted when the run is over. */
  signal: AbortSignal;
  scenario: string;
  job: Job;
}

/** A client that gives up throws, or returns `error`. */
export type ClientFunction = (context: ClientContext) => Promise<ResultLine | undefined>;

/** A client under test and how to run it. */
export type Client =
  /** In this process, on virtual time. `module`: path of its module, for loading it in other threads. */
  | { kind: 'function'; run: ClientFunction; name?: string; module?: string }
  /** A command that starts Node.js. A preload makes its time virtual. */
  | { kind: 'node'; command: readonly string[] }
  /** A command that follows its virtual time by messages: a persistent adapter. The first run of a command shows whether it is one. */
  | { kind: 'adapter'; command: readonly string[] }
  /** Any command, in real time. A persistent adapter that can follow virtual time does so if `timeOfAdapter` is `virtual`. */
  | { kind: 'command'; command: readonly string[]; timeOfAdapter?: 'real' | 'virtual' };

/**
 * How a run ended. `deadline`, `stalled` and `idle` are hangs. A flood exceeds the limit for output, or for requests and responses.
 * `not-virtual`: time could not be made virtual. `aborted`: the caller aborted the run.
 */
export type ClientEnd = EndReason | 'not-started' | 'output-flood' | 'request-flood' | 'not-virtual';

/** The state of a task at the service at the end of the run. */
export interface ServiceTask {
  id: string;
  status: TaskStatus;
  calls: ({ id: string } & Pick<Call, 'step' | 'tool' | 'reply'>)[];
  actions: ({ id: string } & Pick<Action, 'step' | 'name'>)[];
}

/** What a client function has left open at its end. `listeners`: of `process`, each equal to one of an earlier run. */
export type LeftOpen = Readonly<Record<'timers' | 'requests' | 'sockets' | 'servers' | 'listeners', number>>;

/** Real times of an exchange, ms. */
export interface WallTimes {
  arrived: number;
  left: number | undefined;
}

/** The record of one run of a client. */
export interface ClientRun {
  scenario: Scenario;
  job: Job;
  kind: Client['kind'];
  /** The persistent adapter that did the job, in words. */
  adapter?: string | undefined;
  seed: number;
  end: ClientEnd;
  /** Exit code of a command. For a function: 0 if it returned without `error`, else 1. */
  exitCode: number | null;
  /** The signal that ended a command, unless taskdouble sent it. */
  signal: string | null;
  line: ResultLine | undefined;
  /** Why there is no line. */
  lineProblem: string | undefined;
  /** The thrown error, or why the client could not be started. */
  error: string | undefined;
  /** Error of a function in a timer or in a promise that is not awaited. */
  unhandled?: string | undefined;
  /** Number of processes that the client left behind. They are killed. */
  leftBehind: number;
  /** `seq` of the requests that a function sent after it returned. */
  late?: number[];
  /** What a function left open, by number. */
  leftOpen?: LeftOpen;
  /** The end of its stderr. */
  stderr: string;
  exchanges: Exchange[];
  /** `seq` of the requests without a response at the end of the run. */
  pending: number[];
  /** Real times of the exchanges by `seq`, ms, if `exchanges` has another clock than the client. */
  wall: ReadonlyMap<number, WallTimes> | undefined;
  /** Greatest lateness of a timer of this process during a run in real time, ms. */
  lateness_ms?: number;
  trace: TraceEntry[];
  tasks: ServiceTask[];
  rules: ListedRule[];
  /** Request fields that the client sent in earlier runs, with the scenario. */
  sentFields?: ReadonlyMap<string, string>;
  /** ms on the client's clock. */
  durationMs: number;
  /** In real time the service skipped waits without activity. */
  hasSkippedWaits?: boolean;
  /** The run of the scenario's other job. */
  other?: ClientRun;
}

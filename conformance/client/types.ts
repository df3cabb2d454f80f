import type { Action, Call } from '../../mock/engine/tasks/task.js';
import type { ListedRule } from '../../mock/network/rule-book.js';
import type { TraceEntry } from '../../mock/network/tracer.js';
import type { EndReason } from '../../mock/virtual-time/time-policy.js';
import type { Ask, Scenario } from '../../scenarios/format/types.js';
import type { EventName, Exchange, ResultCode, TaskStatus } from '../../spec/vocabulary.js';

/** How one run of a tool comes out. */
export interface ToolOutcome {
  code: ResultCode;
  output: unknown;
}

/** What a client has to do: `TASKDOUBLE_JOB`. */
export interface Job {
  /** The body of POST /task. */
  request: Record<string, unknown>;
  /** How the n-th run of each tool comes out; the last one repeats. The client has no other tools. */
  tools: Record<string, ToolOutcome[]>;
  /** Sent in order, each once the result of the one before has come. */
  actions: { name: EventName; payload: Record<string, unknown> }[];
  /** How the session is closed once the actions are done. */
  close: 'event' | 'delete' | null;
  /** ms after the task was made. */
  cancel_after_ms: number | null;
  deadline_ms: number;
  /** Fields of `request` that a client whose library does not have them may leave out. */
  optional_fields: string[];
  /** What to report beyond that, in the field `asked` of the line: for adapters that can. */
  asks: Ask[];
}

/** What a client reports: the last line of its stdout, or what its function returns. It may have any form. */
export interface ResultLine {
  status?: unknown;
  output?: unknown;
  results?: unknown;
  tool_runs?: unknown;
  /** What the job `asks` for, by name. */
  asked?: unknown;
  /** Why it gave up. */
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

/** Throws (or returns `error`) where it had to give up. */
export type ClientFunction = (context: ClientContext) => Promise<ResultLine | undefined>;

/** A client under test, and how it is run. */
export type Client =
  /** In this process, on virtual time. `module`: path of the module that it was loaded from, to load it in other threads too. */
  | { kind: 'function'; run: ClientFunction; name?: string; module?: string }
  /** A command that starts Node.js, its time made virtual by a preload. */
  | { kind: 'node'; command: readonly string[] }
  /** Any command, in real time. */
  | { kind: 'command'; command: readonly string[] };

/**
 * How a client's run ended. `deadline`, `stalled` and `idle` are hangs; a flood is more output, or more in requests and
 * responses, than is read; `not-virtual`: time could not be made virtual in it; `aborted`: the whole run was.
 */
export type ClientEnd = EndReason | 'not-started' | 'output-flood' | 'request-flood' | 'not-virtual';

/** A task as it was at the service when the run was over. */
export interface ServiceTask {
  id: string;
  status: TaskStatus;
  calls: ({ id: string } & Pick<Call, 'step' | 'tool' | 'reply'>)[];
  actions: ({ id: string } & Pick<Action, 'step' | 'name'>)[];
}

/** The record of one run of a client. */
export interface ClientRun {
  scenario: Scenario;
  job: Job;
  kind: Client['kind'];
  seed: number;
  end: ClientEnd;
  /** Of a command; of a function 0 where it returned without `error`, else 1. */
  exitCode: number | null;
  /** The signal that ended a command, where it was not ours. */
  signal: string | null;
  line: ResultLine | undefined;
  /** Why there is no line, in words. */
  lineProblem: string | undefined;
  /** What it threw, or why it could not be started. */
  error: string | undefined;
  /** Of a function: what was thrown in a timer or in a promise that is not awaited. */
  unhandled?: string | undefined;
  /** Processes that it left behind (all are ended). */
  leftBehind: number;
  /** `seq` of the requests that a function sent after it had returned. */
  late?: number[];
  /** The last of its stderr. */
  stderr: string;
  exchanges: Exchange[];
  /** `seq` of the requests that had no response when the run was over. */
  pending: number[];
  /** Real times of the exchanges by `seq`, ms, where the clock of `exchanges` is not the client's. */
  wall: ReadonlyMap<number, { arrived: number; left: number | undefined }> | undefined;
  trace: TraceEntry[];
  tasks: ServiceTask[];
  /** The network rules of the run. */
  rules: ListedRule[];
  /** ms on the client's clock. */
  durationMs: number;
  /** In real time the service skipped waits in which nothing happened. */
  hasSkippedWaits?: boolean;
}

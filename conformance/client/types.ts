import type { ListedRule } from '../../mock/network/rule-book.js';
import type { TraceEntry } from '../../mock/network/trace.js';
import type { Scenario } from '../../scenarios/format/types.js';
import type { EventName, Exchange, ResultCode, TaskStatus } from '../../spec/vocabulary.js';

/** How one run of a tool comes out. */
export interface ToolOutcome {
  code: ResultCode;
  output: unknown;
}

/** What a client is told to do: `TASKDOUBLE_JOB`. */
export interface Job {
  /** The body of POST /task. */
  request: Record<string, unknown>;
  /** How the n-th run of each tool comes out; the last one repeats. A tool that is not here the client has not got. */
  tools: Record<string, ToolOutcome[]>;
  /** Sent in order, each once the result of the one before has come. */
  actions: { name: EventName; payload: Record<string, unknown> }[];
  /** How the session is closed once the actions are done. */
  close: 'event' | 'delete' | null;
  /** ms after the task was made. */
  cancel_after_ms: number | null;
  deadline_ms: number;
}

/** What a client says it did: the last line of its stdout, or what its function returns. Nothing of it can be relied on. */
export interface ResultLine {
  status?: unknown;
  output?: unknown;
  results?: unknown;
  tool_runs?: unknown;
  /** Why it gave up. */
  error?: unknown;
  [key: string]: unknown;
}

/** What a client function is given. */
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

/** Throws (or gives `error`) where it had to give up. */
export type ClientFunction = (context: ClientContext) => Promise<ResultLine | undefined>;

/** A client under test, and how it is run. */
export type Client =
  /** In this process, on virtual time. */
  | { kind: 'function'; run: ClientFunction; name?: string }
  /** A command that starts Node.js, its time made virtual by a preload. */
  | { kind: 'node'; command: readonly string[] }
  /** Any command, in real time. */
  | { kind: 'command'; command: readonly string[] };

/** How a client's run ended. `deadline`, `stalled` and `idle` are hangs. */
export type ClientEnd =
  | 'by-itself'
  | 'deadline'
  | 'stalled'
  | 'idle'
  /** The command could not be started. */
  | 'not-started'
  /** Its output went beyond the bound. */
  | 'flooded'
  /** Time could not be made virtual in it. */
  | 'not-virtual'
  /** Somebody stopped the whole run. */
  | 'aborted';

/** One call as the service made it. */
export interface CallFact {
  id: string;
  /** Id of the timeline's step. */
  step: string | undefined;
  tool: string;
  input: unknown;
  /** `seq` of the first whole answer that carried it; undefined: the client never got it. */
  delivered: number | undefined;
  /** The client got it together with a terminal status, or after it had stopped the task itself. */
  too_late: boolean;
  /** What the service took. */
  reply: ToolOutcome | undefined;
}

/** One action as the service took it. */
export interface ActionFact {
  id: string;
  step: string | undefined;
  name: string;
  /** `seq` of the first whole answer that carried its result, and what it said. */
  delivered: number | undefined;
  result: { code: unknown; output: unknown } | undefined;
}

/** A task as it stood at the service when the run was over. */
export interface TaskFact {
  id: string;
  status: TaskStatus;
  output: unknown;
  /** The last status in a whole answer that reached the client. */
  seen_status: TaskStatus | undefined;
  calls: CallFact[];
  actions: ActionFact[];
}

/** Everything that is known of one run of a client. */
export interface ClientRun {
  scenario: Scenario;
  job: Job;
  way: Client['kind'];
  seed: number;
  end: ClientEnd;
  /** Of a command; of a function 0 where it returned without `error`, else 1. */
  exit_code: number | null;
  /** The signal that ended a command, where it was not ours. */
  signal: string | null;
  line: ResultLine | undefined;
  /** Why there is no line, in words. */
  line_problem: string | undefined;
  /** What it threw, or why it could not be started. */
  error: string | undefined;
  /** Of a function: what was thrown where nobody could catch it, in a timer or a promise that nobody waits for. */
  unhandled?: string | undefined;
  /** Processes that it left behind (all are ended). */
  left_behind: number;
  /** The last of its stderr. */
  stderr: string;
  /** Of a hang: what it was waiting for, in words. */
  waiting_for: string | undefined;
  exchanges: Exchange[];
  /** Real times of the exchanges by `seq`, ms, where the clock of `exchanges` is not the client's. */
  wall: ReadonlyMap<number, { arrived: number; left: number | undefined }> | undefined;
  trace: TraceEntry[];
  tasks: TaskFact[];
  /** The network rules of the run, with how often each has fired and given up. */
  rules: ListedRule[];
  /** On the client's clock. */
  duration_ms: number;
}

/**
 * A scenario: one conversation between a client and the service, as a timeline that either side can be played from.
 * These are the types after loading: durations are ms, shorthands are spelled out, `$ref`s are resolved.
 */
import type { ActionName, EventName, ResultCode, TaskStatus, TerminalStatus } from '../../spec/vocabulary.js';
import type { RuleTarget } from '../verbs/target.js';
import type { VerbRule } from '../verbs/verbs.js';

export interface Scenario {
  /** Its address in filters, reports and the header: `tool-calls/corrected-input`. */
  name: string;
  title: string;
  description?: string;
  /** Ids from requirements.yaml. */
  covers: string[];
  match: Match;
  /** What the client posts to start the conversation: the body of POST /task. */
  request: Record<string, unknown>;
  /** Of the task, unless there is one of this id; a new one when left out. */
  task_id?: string;
  timeline: Step[];
  /** What the client reports in addition to its job, if its adapter supports it. Without that report the scenario is inconclusive. */
  asks?: Ask[];
  /** Request fields that a client may leave out. Default: the fields that the API description does not list. */
  optional_fields?: string[];
  /** Behavior that a clock that skips waits would hide. */
  exposes?: Exposure[];
  /** Another job of the same process. A client that is a function does both. */
  other_job?: OtherJob;
  /** Of a file that `explore` wrote. */
  reproduces?: Reproduction;
  /** The file it was read from. */
  file?: string;
}

/**
 * Additional reports of a client: the addresses of a task; the result of a second wait for its end, concurrent with the first; the
 * result of another wait after one that timed out or failed.
 */
export const ASKS = ['live_url', 'recording_url', 'downloads_url', 'second_wait', 'wait_again'] as const;
export type Ask = (typeof ASKS)[number];

/** The behavior of a client during a long wait, and after its own time-out. */
export const EXPOSURES = ['long-wait', 'client-time-out'] as const;
export type Exposure = (typeof EXPOSURES)[number];

export interface OtherJob {
  /** Name of a scenario of the library. */
  scenario: string;
  /** It has ended before the job of the scenario starts, or both run at the same time. */
  starts: 'before' | 'with';
  /** Both jobs have the same API key. */
  same_key?: boolean;
}

/** The failure that a scenario reproduces with the client of the search. */
export interface Reproduction {
  /** The broken rule and its subject: `replies/outcome first`. */
  failure: string;
  seed: number;
  /** The time of the runs: `virtual (in process)`. */
  time: string;
}

/** The requests that get this scenario without naming it. All given parts must hold; `never`: by name only. */
export type Match =
  | 'never'
  | {
      /** The whole text, a part of it, or a pattern (linear-time syntax). */
      task?: string | { contains: string } | { pattern: string };
      session?: boolean;
      /** Names that must all be among the registered tools. */
      tools?: string[];
      url?: string;
    };

/** What a step waits for, counted from the moment the step before it happened. All given parts must hold. */
export interface Trigger {
  time_ms?: number;
  /** Polls of the task that must have received their responses. */
  polls?: number;
  /** A gate that a later step (of another track), the admin API or a test opens. */
  gate?: string;
  /** Id of a tool_call step whose call has been replied to. */
  reply?: string;
  /** Id of a step that has happened. */
  step?: string;
}

/** Performs the step only when the reply to a call had one of these codes. */
export interface Condition {
  reply: string;
  code: ResultCode[];
}

interface StepFields {
  /** Unique in the timeline; other steps name it. Action and close steps always have one: the loader gives it. */
  id?: string;
  after?: Trigger;
  if?: Condition;
  /** Does not block the steps below it: it waits for its own trigger concurrently. */
  meanwhile?: boolean;
  /** Position in the file. */
  line?: number;
}

export type ServiceStep = StepFields &
  (
    | { service: 'status'; status: Exclude<TaskStatus, TerminalStatus> }
    /** Without `input` one is made from the tool's schema. `event_id` fixes the id on the wire. */
    | { service: 'tool_call'; tool: string; input?: Record<string, unknown>; event_id?: string }
    /** Result of the client's action step `to`. Without `output` one is made that fits the action. */
    | {
        service: 'result';
        to: string;
        code?: number;
        output?: unknown;
        credits_used?: number;
        duration?: number;
        /** The output stands alone, without the figures. */
        bare?: boolean;
      }
    /** An event that is sent unchanged, valid or not. */
    | {
        service: 'event';
        name: EventName;
        payload: Record<string, unknown>;
        event_id?: string;
        timestamp?: number;
      }
    /**
     * `auto` is an address on the mock itself, null not ready, '' not available. Recording and downloads may get theirs
     * after the finish: such steps also happen in a task that has ended.
     */
    | { service: 'live_url' | 'recording_url' | 'downloads_url'; value: string | null }
    | { service: 'open'; gate: string }
    | {
        service: 'finish';
        status?: TerminalStatus;
        output?: unknown;
        credits_used?: number;
        recording_url?: string | null;
        /** Turns terminal at once: the last event need not be readable on a 202 first. */
        at_once?: boolean;
      }
  );

/** An action of the client. The mock waits for it; a test client performs it. */
export type ClientStep = StepFields &
  /** `unknown_tool`: a client under test does not get the tool. */
  (
    | { client: 'reply'; to: string; code?: ResultCode; output?: unknown; unknown_tool?: boolean }
    | { client: 'action'; name: ActionName; input?: Record<string, unknown> }
    | { client: 'close'; by?: 'event' | 'delete' }
    | { client: 'cancel' }
    | { client: 'poll'; times?: number }
  );

export type NetworkStep = StepFields & NetworkRule;

/** A network rule as data. `network` names a verb of `scenarios/verbs`. */
export type NetworkRule = RuleFields & VerbRule;

interface RuleFields {
  of?: RuleTarget;
  /** The most times it fires. Default: once in a timeline, unlimited in a network file. */
  times?: number;
  /** Lets the first n such requests pass. */
  skip?: number;
  /** Fires with this probability, drawn from the seed. 0 to 1. */
  probability?: number;
  /** The rule is removed this long after it was set. */
  expires_ms?: number;
}

export type Step = ServiceStep | ClientStep | NetworkStep;

/** A problem in a scenario, fixture, network or dialect file. Lines and columns count from 1. */
export interface Problem {
  file: string;
  line: number;
  column: number;
  /** The path in a value that was given as an object: `timeline[2].after`. Line and column have no meaning then. */
  path?: string;
  /** What was expected, what was found, what to do. */
  message: string;
}

import type { Ask, NetworkRule, ServiceStep } from '../../../scenarios/format/types.js';
import type { ActionName, ResultCode, TaskStatus, TerminalStatus } from '../../../spec/vocabulary.js';

/**
 * What a generated conversation is about. `scenarioOf` makes a scenario of it, which is legal whatever is left out here: so a
 * plan can be shrunk part by part. A plan is plain JSON.
 */
export interface ConversationPlan {
  /** Null opens a session. */
  task: string | null;
  task_id?: string;
  /** Fields of the request beside `task` and `custom_tools`. */
  fields: Record<string, unknown>;
  /** The request has a response model that the output fits. */
  isStructured?: boolean;
  tools: ToolPlan[];
  parts: PlanPart[];
  ending: PlanEnding;
  asks?: Ask[];
  /** What the network does, before everything else. */
  network: NetworkRule[];
  /** The client stops the task so long after it was made, whatever has happened by then. */
  cancel_ms?: number;
}

export interface ToolPlan {
  name: string;
  description: string;
  output: string;
  /** The client under test does not have it. */
  isUnknown?: boolean;
}

/** Parts follow one another: each begins once the one before has ended. */
export type PlanPart = StatusPart | CallsPart | ActionPart | AddressPart;

/** An address of the task from now on. */
interface AddressPart {
  kind: 'address';
  step: AddressStep;
}

export type AddressStep = Extract<ServiceStep, { service: 'live_url' | 'recording_url' | 'downloads_url' }>;

interface StatusPart {
  kind: 'status';
  status: Exclude<TaskStatus, TerminalStatus>;
  after_ms?: number;
}

/** Calls that come at once. */
export interface CallsPart {
  kind: 'calls';
  calls: CallPlan[];
  after_ms?: number;
  /** All of them have one timestamp. */
  isSameInstant?: boolean;
  /** The service goes on without the replies, and waits for them behind the next part, or behind the result of the action. */
  isOverlapping?: boolean;
  /** The service ends the task without the replies. Of the last part only. */
  isAbandoned?: boolean;
}

export interface CallPlan {
  /** Of its step, also where others are left out. */
  id: string;
  tool: string;
  input: Record<string, unknown>;
  event_id?: string;
  reply: { code: ResultCode; output: unknown };
}

/**
 * An action of a session; calls that the agent makes meanwhile; its result. Without a result the service ends the session
 * first.
 */
export interface ActionPart {
  kind: 'action';
  /** Of its step, also where others are left out. */
  id: string;
  name: Exclude<ActionName, 'close'>;
  /** Without the schema of an `extract`, which follows from its output. */
  input: Record<string, unknown>;
  /** A `run_task` with a response model that the output fits. */
  isStructured?: boolean;
  /** The result of an action that another client has sent comes first. */
  isAccompanied?: boolean;
  during?: CallsPart[];
  result?: { code: ResultCode; output?: unknown; after_ms?: number; credits_used?: number; bare?: true };
}

export interface PlanEnding {
  /** How the client ends a session. Without it the service ends it. */
  close?: 'event' | 'delete';
  status: TerminalStatus;
  output?: unknown;
  credits_used?: number;
  recording_url?: string | null;
  after_ms?: number;
  /** The last event and the status come in one response. */
  at_once?: boolean;
  /** Addresses that get ready after the end. */
  later?: AddressStep[];
}

import type { Ask, NetworkRule, ServiceStep } from '../../../scenarios/format/types.js';
import type { ActionName, ResultCode, TaskStatus, TerminalStatus } from '../../../spec/vocabulary.js';
import type { RepetitionStatus } from './network-rules.js';

/**
 * The content of a generated conversation, as plain JSON. `toScenario` creates a valid scenario from it whatever is left out, so that a
 * plan can be minimized part by part.
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
  /** Network rules at the beginning of the timeline. */
  network: NetworkRule[];
  /** When the client stops the task, ms after its creation. */
  cancel_ms?: number;
}

export interface ToolPlan {
  name: string;
  description: string;
  output: string;
  /** The client does not have this tool. */
  isUnknown?: boolean;
}

/** Parts are sequential: each begins after the end of the previous one. */
export type PlanPart = StatusPart | CallsPart | ActionPart | AddressPart;

interface AddressPart {
  kind: 'address';
  step: AddressStep;
}

type AddressStep = Extract<ServiceStep, { service: 'live_url' | 'recording_url' | 'downloads_url' }>;

interface StatusPart {
  kind: 'status';
  status: Exclude<TaskStatus, TerminalStatus>;
  after_ms?: number;
}

/** Calls that are made at the same time. */
export interface CallsPart {
  kind: 'calls';
  calls: CallPlan[];
  after_ms?: number;
  /** All calls have one timestamp. */
  isSameInstant?: boolean;
  /** The service continues without the replies. It waits for them after the next part, or after the result of the action. */
  isOverlapping?: boolean;
  /** The service ends the task without the replies. Only on the last part. */
  isAbandoned?: boolean;
}

export interface CallPlan {
  /** Id of its step, also if others are left out. */
  id: string;
  tool: string;
  input: Record<string, unknown>;
  event_id?: string;
  reply: { code: ResultCode; output: unknown };
  /** The response to the first try of the reply is lost, and every repetition is refused with this status. */
  repetition?: RepetitionStatus;
}

/** An action of a session, the calls during it, and its result. Without a result the service ends the session first. */
export interface ActionPart {
  kind: 'action';
  /** Id of its step, also if others are left out. */
  id: string;
  name: Exclude<ActionName, 'close'>;
  /** Without the schema of an `extract`, which follows from its output. */
  input: Record<string, unknown>;
  /** A `run_task` with a response model that the output fits. */
  isStructured?: boolean;
  /** The result of another client's action precedes its result. */
  isAccompanied?: boolean;
  during?: CallsPart[];
  result?: { code: ResultCode; output?: unknown; after_ms?: number; credits_used?: number; bare?: true };
}

export interface PlanEnding {
  /** How the client ends a session. If absent, the service ends it. */
  close?: 'event' | 'delete';
  status: TerminalStatus;
  output?: unknown;
  credits_used?: number;
  recording_url?: string | null;
  after_ms?: number;
  /** The last event and the terminal status are in one response. */
  at_once?: boolean;
  /** The task runs longer than the client waits. */
  isEndless?: boolean;
  /** Addresses that become available after the end. */
  later?: AddressStep[];
}

/**
 * The vocabulary of the protocol, shared by all modules.
 * Values that the API description fixes are defined once: here or in openapi.yaml.
 */

import type { Level } from './requirement-types.js';

/** Section "States and transitions". */
export const TASK_STATUSES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** States that are never left. Section "States and transitions". */
export const TERMINAL_STATUSES = ['done', 'failed', 'cancelled'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** True for `done`, `failed` and `cancelled`. */
export function isTerminal(status: TaskStatus): status is TerminalStatus {
  return !isActive(status);
}

/** True for `waiting` and `running`, of any text. */
export function isActive(status: string): boolean {
  return status === 'waiting' || status === 'running';
}

/** The kinds of event. Section "Events", rule 1. */
export const EVENT_NAMES = ['browser_action', 'session_action', 'tool_call'] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Actions of a session and the event name each is sent under. Section "Session action payloads". */
export const ACTIONS = {
  goto: 'browser_action',
  extract: 'browser_action',
  evaluate_js: 'browser_action',
  run_task: 'session_action',
  close: 'session_action',
} as const satisfies Record<string, EventName>;
export type ActionName = keyof typeof ACTIONS;

/** Codes inside replies and results. Section "Events", rules 4 and 5. */
export const RESULT_CODES = [200, 400, 500] as const;
export type ResultCode = (typeof RESULT_CODES)[number];

/** Lifetime of an interactive browser in ms. Section "Limits". */
export const BROWSER_SESSION_LIFETIME_MS = 5 * 60_000;

/** Path of the API below `{base_url}`. Section "Versioning". */
export const API_PREFIX = '/api/v1';

/** One event in a task's `events`. Section "Event". */
export interface TaskEvent {
  id: string;
  name: EventName;
  payload: Record<string, unknown>;
  /** Unix time in ms. */
  timestamp: number;
}

/**
 * What a request is to the protocol, whichever operation carried it: `create` (POST /task), `poll`
 * (GET /task/{task_id}), `reply` (an event that replies to a tool call), `action` (any other event the client sends),
 * `cancel` (DELETE /task/{task_id}), `unknown` (HEAD, or no operation has its path and method); every other request has its
 * operation id as kind.
 */
export type RequestKind = 'create' | 'poll' | 'reply' | 'action' | 'cancel' | (string & {});

/** The kind of a request to an operation. `body` is its JSON, where it has one: events are distinguished by their name. */
export function classifyRequest(operation: string, body: unknown): RequestKind {
  switch (operation) {
    case 'createTask':
      return 'create';
    case 'getTask':
      return 'poll';
    case 'deleteTask':
      return 'cancel';
    case 'sendTaskEvent': {
      const name = body !== null && typeof body === 'object' ? (body as { name?: unknown }).name : undefined;
      return name === 'tool_call' ? 'reply' : 'action';
    }
    default:
      return operation;
  }
}

/** The kind of a request outside of the protocol: HEAD, or no operation has its path and method (404 or 405). */
export const NO_OPERATION = 'unknown';

/**
 * The effect of a network rule on an exchange: the response (or, at `lost`, the request) was `delayed`, `lost`, `cut` off
 * in its body, `replaced` by one that the service did not send, or `changed` in its body; or the service handled the
 * request twice (`duplicated`).
 */
export const NETWORK_EFFECTS = ['delayed', 'lost', 'cut', 'replaced', 'changed', 'duplicated'] as const;

/** One effect of the network on an exchange. */
export interface NetworkEffect {
  /** The verb of the rule; absent in older journals. */
  verb?: string;
  effect: (typeof NETWORK_EFFECTS)[number];
  /** Present where it was done to the request, before the service handled it. */
  side?: 'request';
  /** A description of the effect. */
  note: string;
}

/** A request that a proxy forwarded to the service, and its response. */
export interface UpstreamExchange {
  /** Time of forwarding, ms. */
  at: number;
  /** Absent if there was no complete response. */
  response?: NonNullable<Exchange['response']>;
}

/**
 * Parts that a recording may lack, so that their absence proves nothing: the response (`response`); headers, usually those of keys and
 * cookies (`headers`); earlier (`before`) or later (`after`) exchanges of the same recording.
 * Bodies have `left_out`.
 */
export const UNRECORDED = ['response', 'headers', 'before', 'after'] as const;
export type UnrecordedPart = (typeof UNRECORDED)[number];

/**
 * What is wrong with how a body is encoded, and was repaired: the header `content-encoding` says otherwise (`content-encoding`), or
 * a text is not UTF-8, as JSON has to be (`charset`).
 */
export const ENCODING_FAULTS = ['content-encoding', 'charset'] as const;
export type EncodingFault = (typeof ENCODING_FAULTS)[number];

/** One request and its response, if any. Times are ms of the clock that the exchange used. */
export interface Exchange {
  /** 1, 2, 3 … in the order in which the requests arrived. */
  seq: number;
  kind: RequestKind;
  /** Absent when no operation has this path and method. */
  operation?: string;
  /** The organisation it belongs to, by a name that reveals nothing of the key. */
  organisation: string;
  /** In journal files: the number of the API key it came with, 1, 2, 3 … in the order of their first use. */
  key?: number;
  task?: string;
  /** Of a request that a harness sent: that it is refused is no fault, as it is invalid on purpose. */
  may_be_refused?: true;
  /** Of a request that started the task: the scenario that it follows. Absent where the agent improvises. */
  scenario?: string;
  request: {
    method: string;
    /** Path and query as they were sent. */
    url: string;
    headers: Record<string, string>;
    /** Text of the body; binary bodies are described, not kept. */
    body?: string;
    /** In journal files: the bytes of a form or of a body that is no UTF-8 text. */
    body_base64?: string;
    /** How much of the body is not in `body`, in characters or bytes; 0: not known. Absent where all of it is there. */
    left_out?: number;
    /** Absent where the body is encoded as its headers say. */
    encoding_fault?: EncodingFault;
    at: number;
  };
  /** Absent when the client never received a response, or where `unrecorded` says that it is not known. */
  response?: {
    status: number;
    headers: Record<string, string>;
    body: string;
    /** In journal files: the bytes of a binary body. */
    body_base64?: string;
    /** As in `request`. */
    left_out?: number;
    encoding_fault?: EncodingFault;
    /** In journal files: the network cut the response off after so many bytes of its body. */
    cut_at?: number;
    /** In journal files: where the mock said it was reached, where the body holds an address there. */
    origin?: string;
    at: number;
  };
  /** What the network did to it, oldest first. */
  network?: NetworkEffect[];
  /**
   * Of a proxy, where `network` says that something was changed: how often the request reached the service, and what the service
   * responded. `request` and `response` are the client's view.
   */
  upstream?: UpstreamExchange[];
  /** What is not known of it. */
  unrecorded?: UnrecordedPart[];
  /**
   * Of a proxy, which has seen it: how many responses it had sent when the request arrived, and which of them the response to it is. The
   * client could know those that were sent before. Absent where times alone are known.
   */
  order?: { after: number; response?: number };
  /** Over a port: number of the connection, on which a client sends a request after it has read the response before. */
  connection?: number;
  /** Its times are exact to so many ms only, rounded down: what lies closer together may have come in another order. Absent: to 1 ms. */
  resolution_ms?: number;
  /** Notes of the mock (the scenario chosen, the nearest miss, …). */
  notes?: string[];
}

/**
 * The state of the conversation when a client gave up, hung or crashed. Failures of one rule in different situations are
 * different defects.
 */
export interface Situation {
  /** What the client waited for; follows "waiting for" in a sentence. */
  waits: string;
  /** The last information that the client received; follows "after" in a sentence. */
  given: string;
  /** The process ended by an uncaught error, or while an await was pending. */
  died?: true;
  /** The error that the client reported, without numbers and ids. */
  error?: string;
}

/** A broken rule, or advice. */
export interface Finding {
  rule: string;
  requirement: string;
  side: 'service' | 'client';
  level: Level;
  message: string;
  /** `seq` of the exchanges that show it. */
  evidence: number[];
  task?: string;
  /** Id of the call or action that it is about, where the rule knows it. */
  event?: string;
  /** Of a client run: a name that is stable across runs, such as the step of a call or an action, or the name of a tool. */
  about?: string | undefined;
  /** Of a client run: where the client was when it gave up, hung or died. */
  situation?: Situation;
  /** Of a client run: how the client changed a value that it had received, `a text became a number`. */
  change?: string;
}

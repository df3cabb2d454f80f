import type { RequirementId } from '../../../spec/generated/documents.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import type { KeyName } from '../test-case/test-case.js';
import type { Command, Name } from './command.js';
import { type ResourceName, resources } from './resources.js';

/** A resource that a sequence created or found on the service. */
export interface Resource {
  label: string;
  kind: ResourceName;
  key: KeyName;
  /**
   * A task is `session` or `one-shot`, then `closing`, `waiting` (for a reply) or `over`; other resources are `there`. All may be
   * `gone`.
   */
  state: string;
  /** The operation that removed it. */
  removedBy?: OperationId;
  /** Number of resources when it was removed. */
  removedAfter?: number;
  /** Total waiting time of the sequence since its creation, ms. */
  waitedMs?: number;
  /** Other requests were sent concurrently with its creation: their order is unknown. */
  isCreatedConcurrently?: true;
  /** Label of its workspace. */
  workspace?: string;
  /** Templates of the names and contents that it was created with. */
  texts?: readonly string[];
  /** Ids of the profile and files that it uses, in the model. */
  uses?: readonly unknown[];
  /** For a chat: the service gave it another `t`. */
  hasChangedTime?: true;
  /** For a workspace: labels of its connected apps. */
  apps?: Set<string>;
  /** For a task. */
  task?: FollowedTask;
}

/** The state of a task, as far as the service has shown it. */
export interface FollowedTask {
  isSession: boolean;
  /** The `url` of the session's creation. */
  startPage?: string;
  /** The status in the model. */
  status: string;
  /** Keys of the events that the model has applied. */
  seen: Set<string>;
  /** Number of event timestamps; the n-th is `LABEL.event_n`. */
  times: number;
  /** Tool calls; the n-th is `LABEL.call_n`. */
  calls: { id: string; tool: string; repliedBy?: 'sendTaskEvent' | 'updateTask'; isRepliedAgain?: true }[];
  /** Ids of the actions that were sent, as templates. */
  actions: string[];
  tools: boolean;
  /** Actions that the open session accepted. */
  sent: ConfirmedAction[];
  /** A client closed or stopped it. */
  isClosed?: true;
  /** It was stopped, and may have ended by itself before; no later poll has shown its status. */
  isEndUnseen?: boolean;
  /** The model rejected a step: its events are no longer compared. */
  hasUnappliedEvents?: true;
}

/** An action that a session confirmed. */
export interface ConfirmedAction {
  /** The id on the service. */
  id: string;
  name: string;
  /** For `evaluate_js`. */
  js?: string;
  /** For `goto`. */
  url?: string;
  /** The expected result of a script that returns the address. */
  expectedUrl?: string;
  /** The `goto` that opened that address; undefined for the first page of the session. */
  after?: ConfirmedAction;
  /** The description accepts it. */
  isValid: boolean;
  /** A poll showed its result. */
  isDone: boolean;
  /** Its result has code 200. */
  hasSucceeded?: boolean;
  /** Its id was sent again. */
  isReused?: true;
  /** Waiting time since it was sent, or since a poll showed the result of another one, ms. */
  waitedMs: number;
}

export function isPresent({ state }: Resource): boolean {
  return state !== 'gone';
}

/** The name of its id in `SequenceNames`: `profile1.profile_id`. */
export function formatIdName({ label, kind }: Pick<Resource, 'label' | 'kind'>): string {
  return `${label}.${resources[kind].id}`;
}

/** Values from responses, by `LABEL.NAME`. */
interface KnownNames {
  get(name: string): Name | undefined;
}

/** A property of a response that can be compared between the service and its model. */
export interface Fact {
  /** Undefined if the response does not show it. */
  value: unknown;
  requirement: RequirementId;
  /** The required value, where the model copies the value of the service. */
  must?: unknown;
  /** A common name for many facts of one kind. */
  kind?: string;
  /** The description leaves it open. */
  isOpen?: boolean;
  /** The service may show more than the model: its agent may quote its input. */
  isLeast?: boolean;
  /** The service may show less than the model. */
  isMost?: boolean;
  /** The request alone may be the reason for this value: an agreement shows no choice of the service. */
  isVacuous?: boolean;
}

/** A response with its context. */
export interface ObservedResponse {
  request: ApiRequest;
  response: ApiResponse;
  names: KnownNames;
  resource: Resource | undefined;
  resources: readonly Resource[];
  /** Unique texts that were sent, by marker. */
  markers: ReadonlyMap<string, SentMarker>;
  /** Operations that succeeded in this sequence, alone and with the label of their resource. */
  settings: ReadonlySet<string>;
  /** Lists of tasks begin with the newest, as far as known. */
  isNewestFirst: boolean;
}

/** A unique text that was sent: the operation and the resource it belongs to. */
export interface SentMarker {
  by: OperationId;
  owner: string;
  /** Earlier owners of the same text: a request may be sent twice. */
  others?: readonly string[];
  /** Its purpose. */
  role: string;
  /** A later request replaced it with another text of the same role. */
  isFormer?: true;
  /** The current request contains it. */
  isOwn?: true;
  /** Later requests about its owner whose effect is not stated: the text may have another place since. */
  after?: ReadonlySet<OperationId>;
}

export type Facts = Record<string, Fact>;
export type CollectFacts = (observed: ObservedResponse, command: Command) => Facts;

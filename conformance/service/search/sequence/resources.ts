import type { OperationId } from '../../../../spec/generated/operations.js';
import type { KeyName } from '../../test-case/test-case.js';
import type { Command } from './sequence.js';

/** A kind of resource: the parameter with its id, and how to remove it. */
interface KindDefinition {
  in: 'path' | 'query' | 'headers';
  id: string;
  /** Parameters of the workspace or chat that contains it. */
  within?: readonly string[];
  remove?: OperationId;
  /** The field that identifies it in a list, if that is not its id: a time may occur for other reasons. */
  mark?: string;
  /** Operations that list it. */
  list?: readonly OperationId[];
}

export const KINDS = {
  task: { in: 'path', id: 'task_id', remove: 'deleteTask', list: ['listTasks'] },
  profile: {
    in: 'path',
    id: 'profile_id',
    remove: 'deleteProfile',
    list: ['listProfiles', 'listBrowserProfiles'],
  },
  file: { in: 'path', id: 'file_id', remove: 'deleteFile' },
  extension: {
    in: 'path',
    id: 'extension_id',
    remove: 'deleteExtension',
    list: ['listExtensions', 'listBrowserExtensions'],
  },
  browser: { in: 'path', id: 'session_id', remove: 'closeBrowserSession' },
  workspace: { in: 'headers', id: 'workspace-id' },
  chat: {
    in: 'query',
    id: 't',
    within: ['workspace-id'],
    remove: 'deleteChat',
    mark: 'chat-id',
    list: ['listChats'],
  },
  sop: { in: 'query', id: 't', within: ['workspace-id'], remove: 'deleteSop' },
  automation: {
    in: 'query',
    id: 'id',
    within: ['workspace-id'],
    remove: 'deleteAutomation',
    list: ['listAutomations'],
  },
  attachment: { in: 'headers', id: 'attachment-id' },
  request: { in: 'query', id: 'id' },
  proxy: { in: 'path', id: 'proxy_id', list: ['listProxies'] },
  app: { in: 'path', id: 'app_name', list: ['listApps'] },
} as const satisfies Record<string, KindDefinition>;
export type ResourceKind = keyof typeof KINDS;

/** A resource that a sequence created or found on the service. */
export interface Resource {
  label: string;
  kind: ResourceKind;
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
  calls: { id: string; tool: string; isReplied: boolean }[];
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
  /** Waiting time since it was sent, ms. */
  waitedMs: number;
}

export function isPresent({ state }: Resource): boolean {
  return state !== 'gone';
}

/** The name of its id in `SequenceNames`: `profile1.profile_id`. */
export function formatIdName({ label, kind }: Pick<Resource, 'label' | 'kind'>): string {
  return `${label}.${KINDS[kind].id}`;
}

export function isListOperation(operation: OperationId, kind: ResourceKind): boolean {
  const { list } = KINDS[kind] as KindDefinition;
  return list?.includes(operation) === true;
}

/** Commands that remove the resource, and what was created with it. */
export function createRemovals({ label, kind, key, state }: Resource): Command[] {
  const { remove, in: where, id, within = [] } = KINDS[kind] as KindDefinition;
  const base = { key, condition: 'removal' };
  const headers = Object.fromEntries(within.map((name) => [name, `{{${label}.${name}}}`]));
  const own = { operation: remove!, [where]: { [id]: `{{${label}.${id}}}` }, headers, ...base };
  const removals: Command[] = remove === undefined || state === 'gone' || state === 'over' ? [] : [own];
  if (kind === 'chat')
    removals.push({ operation: 'deleteTask', path: { task_id: `{{${label}.task_id}}` }, ...base });
  if (kind === 'browser')
    removals.push({ operation: 'deleteProfile', path: { profile_id: `{{${label}.profile_id}}` }, ...base });
  return removals;
}

import type { OperationId } from '../../../../spec/generated/operations.js';
import type { KeyName } from '../../test-case/test-case.js';
import type { Command } from './sequence.js';

/** Kinds of things that requests name: the parameter that holds the id, and how a thing is removed. */
interface KindDefinition {
  in: 'path' | 'query' | 'headers';
  id: string;
  /** Of a thing within a workspace or a chat: the other parameters that name it. */
  within?: readonly string[];
  remove?: OperationId;
  /** What a list shows of it, where that is not its id: times may stand for something else, too. */
  mark?: string;
  /** Operations that tell whether it is there. */
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

/** Something that a sequence has created or found on the service. */
export interface Resource {
  label: string;
  kind: ResourceKind;
  key: KeyName;
  /** Of a task `session` or `one-shot`, then `closing`, `waiting` (for a reply), `over`; of anything `there`, `gone`. */
  state: string;
  /** The operation that removed it. */
  removedBy?: OperationId;
  /** How many things there were when it was removed. */
  removedAfter?: number;
  /** How long it has been there, as far as the sequence waited, ms. */
  waitedMs?: number;
  /** Other requests were sent at once with the one that created it: which of them is older is unknown. */
  isCreatedConcurrently?: true;
  /** Label of the workspace that it is in. */
  workspace?: string;
  /** Of a workspace: labels of the apps that were connected to it. */
  apps?: Set<string>;
  /** Of a task. */
  task?: FollowedTask;
}

/** What a task has shown of itself. */
export interface FollowedTask {
  isSession: boolean;
  /** The address that a session was asked to begin with. */
  startPage?: string;
  /** As the model has it. */
  status: string;
  /** Events by key, told to the model. */
  seen: Set<string>;
  /** Timestamps of its events; the n-th is `LABEL.event_n`. */
  times: number;
  /** Calls of tools; the n-th is `LABEL.call_n`. */
  calls: { id: string; tool: string; isReplied: boolean }[];
  /** Ids of the actions that were sent, as templates. */
  actions: string[];
  tools: boolean;
  /** Actions that the session took while it was open. */
  sent: ConfirmedAction[];
  /** A client has closed or stopped it. */
  isClosed?: true;
  /** It was stopped, and may have ended by itself before that; no poll since has shown how. */
  isEndUnseen?: boolean;
  /** What the service showed could not be told to the model: its events are not compared any more. */
  hasUnappliedEvents?: true;
}

/** An action that a session has confirmed. */
export interface ConfirmedAction {
  /** As the service has it. */
  id: string;
  name: string;
  /** Of an evaluate_js. */
  js?: string;
  /** Of a goto. */
  url?: string;
  /** The address that a script about it has to see, as JSON of its value. */
  expectedUrl?: string;
  /** The goto that has led there; undefined where it is the page that the session began with. */
  after?: ConfirmedAction;
  /** It has what the description asks for. */
  isValid: boolean;
  /** Its result was in a poll. */
  isDone: boolean;
  /** Its result has the code 200. */
  hasSucceeded?: boolean;
  /** Its id was sent again. */
  isReused?: true;
  /** How long it has had, ms. */
  waitedMs: number;
}

export function isPresent({ state }: Resource): boolean {
  return state !== 'gone';
}

/** What `Names` calls its id: `profile1.profile_id`. */
export function formatIdName({ label, kind }: Pick<Resource, 'label' | 'kind'>): string {
  return `${label}.${KINDS[kind].id}`;
}

/** Whether the operation tells which things of this kind are there. */
export function isListOperation(operation: OperationId, kind: ResourceKind): boolean {
  const { list } = KINDS[kind] as KindDefinition;
  return list?.includes(operation) === true;
}

/** The commands that remove a thing, and what was created along with it. */
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

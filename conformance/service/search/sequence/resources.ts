import {
  type OperationId,
  type OperationParameter,
  operations,
} from '../../../../spec/generated/operations.js';
import { type ResourceName, resources } from '../../operations/resources.js';
import type { KeyName } from '../../test-case/test-case.js';
import type { Command } from './sequence.js';

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

/** Whether the resource exists within a workspace. */
export function isWithinWorkspace({ kind }: Resource): boolean {
  const removal = resources[kind].remove?.[0];
  return removal !== undefined && operations[removal].params.some(({ name }) => name === 'workspace-id');
}

/** Adds the required parameters that identify the resource, unless the request sets them itself. */
function fillResourceNames(
  operation: OperationId,
  { label }: Pick<Resource, 'label'>,
  fields: Partial<Command> = {},
): Partial<Command> {
  const named = { path: { ...fields.path }, query: { ...fields.query }, headers: { ...fields.headers } };
  for (const { name, in: where, required } of operations[operation].params as readonly OperationParameter[]) {
    const place = named[where === 'header' ? 'headers' : where];
    if (required && !(name in place)) place[name] = `{{${label}.${name}}}`;
  }
  const filled = Object.entries(named).filter(([, each]) => Object.keys(each).length > 0);
  return { ...fields, ...Object.fromEntries(filled) };
}

/** A request with this key, about the resource if there is one. */
export function createCommand(
  operation: OperationId,
  resource: Resource | undefined,
  key: KeyName,
  fields: Partial<Command> = {},
): Command {
  return {
    operation,
    ...(resource && { on: resource.label }),
    ...(operations[operation].auth === 'none' ? { key: null } : key !== 'main' && { key }),
    condition: 'plain',
    ...(resource ? fillResourceNames(operation, resource, fields) : fields),
  };
}

/** Commands that remove the resource, and what was created with it. */
export function createRemovals(resource: Resource): Command[] {
  const [own, ...others] = resources[resource.kind].remove ?? [];
  const isOver = resource.state === 'gone' || resource.state === 'over';
  return [...(own && !isOver ? [own] : []), ...others].map((operation) => ({
    operation,
    key: resource.key,
    ...fillResourceNames(operation, resource),
    condition: 'removal',
  }));
}

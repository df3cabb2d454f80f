import type { OperationId } from '../../../../spec/generated/operations.js';
import { readField } from '../../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { readResourceNames } from '../../request-builders/requests.js';
import { REQUEST_IDS, type ResourceName } from '../../request-builders/resources.js';
import { WORKSPACE_IDS } from '../../request-builders/workspaces.js';
import {
  collectRecords,
  findText,
  readId,
  readInteger,
  readPayload,
  readRows,
} from '../../test-case/read-record.js';
import type { Name, SequenceNames } from '../sequence/names.js';
import { KINDS, type Resource, type ResourceKind } from '../sequence/resources.js';
import type { Command } from '../sequence/sequence.js';

/** The kind of resource that each operation creates. */
export const CREATED_KINDS: Readonly<Partial<Record<OperationId, ResourceKind>>> = {
  createTask: 'task',
  createProfile: 'profile',
  uploadFile: 'file',
  uploadExtension: 'extension',
  uploadBrowserExtension: 'extension',
  openBrowserSession: 'browser',
  createWorkspace: 'workspace',
  createChatTask: 'chat',
  createMessage: 'chat',
  saveSop: 'sop',
  createAutomation: 'automation',
};

const REMOVING_OPERATIONS = new Set<OperationId>([
  'deleteProfile',
  'deleteBrowserProfile',
  'deleteFile',
  'deleteExtension',
  'deleteBrowserExtension',
  'closeBrowserSession',
  'deleteChat',
  'deleteSop',
  'deleteAutomation',
  'deleteTaskData',
]);

/** A request as sent to one side, and its response. */
interface ExchangeSide {
  names: SequenceNames;
  request: ApiRequest;
  response: ApiResponse;
}

/** Records the effects of a request that both sides accepted: ids of created or listed resources, and removals. */
export function observeResources(
  command: Command,
  resources: Resource[],
  sides: readonly ExchangeSide[],
): void {
  const { operation, as, on, astray } = command;
  const resource = astray === undefined ? resources.find(({ label }) => label === on) : undefined;
  if (resource && REMOVING_OPERATIONS.has(operation)) {
    resource.state = 'gone';
    resource.removedBy = operation;
    resource.removedAfter = resources.length;
  }
  const app = /^\{\{(\w+)\.app_name\}\}$/.exec(command.path?.app_name ?? '')?.[1];
  if (resource && operation === 'connectApp' && app) resource.apps = new Set(resource.apps).add(app);
  const kind = CREATED_KINDS[operation];
  if (as !== undefined && kind) observeCreated(command, as, kind, resources, sides);
  if (operation === 'listProxies') observeListed('proxy', 'proxy', command, resources, sides, readProxies);
  if (operation === 'listApps') observeListed('app', 'app', command, resources, sides, readApps);
  if (operation === 'listMessages' && resource) {
    const key = resource.key;
    observeListed(
      'request',
      `${resource.label}_request`,
      { ...command, key },
      resources,
      sides,
      createMessageReader('request'),
    );
    observeListed(
      'attachment',
      `${resource.label}_file`,
      { ...command, key },
      resources,
      sides,
      createMessageReader('attachment'),
    );
  }
  observeTimes(resources, sides);
}

function observeCreated(
  command: Command,
  label: string,
  kind: ResourceKind,
  resources: Resource[],
  sides: readonly ExchangeSide[],
): void {
  const shown = sides.map(({ request, response }) => readShownNames(kind, request, response));
  if (shown.some((names) => names[KINDS[kind].id] === undefined)) return;
  for (const [index, { names }] of sides.entries()) names.set(label, shown[index]!);
  const key = command.key === 'unknown' || !command.key ? 'main' : command.key;
  const workspace = /^\{\{([\w-]+)\./.exec(command.headers?.['workspace-id'] ?? '')?.[1];
  resources.push({
    label,
    kind,
    key,
    state: kind === 'task' ? 'session' : 'there',
    ...(workspace !== undefined && { workspace }),
    ...(kind === 'task' && { task: createFollowedTask(command, sides[0]!.response) }),
  });
}

function readShownNames(
  kind: ResourceKind,
  request: ApiRequest,
  response: ApiResponse,
): Readonly<Record<string, Name | undefined>> {
  if (kind === 'workspace') return { 'workspace-id': readId(readPayload(response), WORKSPACE_IDS) };
  const names = readResourceNames(kind as ResourceName, response, request);
  // A service may choose the id if the client sent none.
  return kind === 'profile'
    ? { profile_id: readId(readPayload(response), ['id']), ...omitUndefined(names) }
    : names;
}

function omitUndefined(names: Readonly<Record<string, Name | undefined>>): Record<string, Name | undefined> {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
}

function createFollowedTask({ body }: Command, { r }: ApiResponse): NonNullable<Resource['task']> {
  const tools = readField(body, 'custom_tools');
  const url = readField(body, 'url');
  return {
    isSession: (readField(body, 'task') ?? null) === null,
    ...(typeof url === 'string' && { startPage: url }),
    status: readField(r, 'status') === 'waiting' ? 'waiting' : 'running',
    seen: new Set(),
    times: 0,
    calls: [],
    actions: [],
    tools: Array.isArray(tools) && tools.length > 0,
    sent: [],
  };
}

type ListReader = (response: ApiResponse) => Readonly<Record<string, Name | undefined>>[];

const readProxies: ListReader = (response) =>
  (readRows(readPayload(response)) ?? []).map((row) => ({
    proxy_id: readId(row, ['id', 'proxy_id', 'proxyId', 'uuid']),
  }));

const readApps: ListReader = (response) =>
  (readRows(readPayload(response)) ?? []).map((row) => ({
    app_name: findText([row], 'name', 'app_name', 'id', 'slug'),
  }));

/**
 * Reads approval requests or attachments from the messages of a chat. Records without an id, or without a required time, have no
 * resource.
 */
function createMessageReader(kind: 'request' | 'attachment'): ListReader {
  return (response) =>
    (readRows(readPayload(response)) ?? []).flatMap((message) => {
      const records = collectRecords(
        message,
        kind === 'request' ? /request|call|approval/i : /attachment|file/i,
      );
      return records.map((record) => {
        const id = readId(record, kind === 'request' ? REQUEST_IDS : ['id', 'attachment_id', 'uuid']);
        const t =
          readInteger(record, ['t']) ?? (kind === 'request' ? readInteger(message, ['t']) : undefined);
        return kind === 'request' ? { id, t } : { 'attachment-id': id, t };
      });
    });
}

/** Resources that a response lists, matched by position: both sides list the same ones. */
function observeListed(
  kind: ResourceKind,
  prefix: string,
  command: Command,
  resources: Resource[],
  sides: readonly ExchangeSide[],
  read: ListReader,
): void {
  const lists = sides.map(({ response }) => read(response));
  if (lists[0]!.length !== lists[1]?.length) return;
  for (const index of lists[0]!.keys()) {
    const label = `${prefix}${index + 1}`;
    const rows = lists.map((list) => list[index]!);
    if (rows.some((row) => row[KINDS[kind].id] === undefined)) continue;
    for (const [side, { names }] of sides.entries()) {
      names.set(label, rows[side]!);
      const chat = command.on;
      for (const name of ['workspace-id', 'chat-id', 'task_id'])
        if (chat !== undefined) names.set(label, { [name]: names.get(`${chat}.${name}`) });
    }
    if (resources.some((resource) => resource.label === label)) continue;
    const owner = resources.find((resource) => resource.label === command.on);
    const key = owner?.key ?? (command.key as Resource['key'] | undefined) ?? 'main';
    resources.push({
      label,
      kind,
      key,
      state: 'there',
      ...(owner?.workspace && { workspace: owner.workspace }),
    });
  }
}

/** Creation times of tasks, from lists and polls. */
function observeTimes(resources: readonly Resource[], sides: readonly ExchangeSide[]): void {
  for (const { names, response } of sides) {
    const rows = Array.isArray(response.r) ? response.r : [response.r];
    for (const resource of resources) {
      if (resource.kind !== 'task') continue;
      const id = names.get(`${resource.label}.task_id`);
      const row = rows.find((each) => readField(each, 'id') === id);
      const created_at = readField(row, 'created_at');
      if (Number.isSafeInteger(created_at)) names.set(resource.label, { created_at: created_at as number });
    }
  }
}

import type { OperationId } from '../../../../spec/generated/operations.js';
import { readField } from '../../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import type { Command, Name } from '../../operations/command.js';
import { findCreatedKind, isRemoval } from '../../operations/definitions.js';
import { formatIdName, isPresent, type Resource } from '../../operations/observed.js';
import { readResourceNames } from '../../operations/requests.js';
import { ATTACHMENT_IDS, REQUEST_IDS, type ResourceName, resources } from '../../operations/resources.js';
import { PROXY_IDS } from '../../test-case/account.js';
import {
  collectRecords,
  collectValues,
  findText,
  readId,
  readInteger,
  readPayload,
  readRows,
} from '../../test-case/read-record.js';
import type { SequenceNames } from '../sequence/names.js';

/** A request as sent to one side, and its response. */
interface ExchangeSide {
  names: SequenceNames;
  request: ApiRequest;
  response: ApiResponse;
}

/** Records the effects of a request that both sides accepted: ids of created or listed resources, and removals. */
export function observeResources(command: Command, known: Resource[], sides: readonly ExchangeSide[]): void {
  const { operation, as, on, astray } = command;
  const resource = astray === undefined ? known.find(({ label }) => label === on) : undefined;
  if (resource && isRemoval(operation))
    for (const each of listSame(resource, known, sides[0]!.names))
      Object.assign(each, { state: 'gone', removedBy: operation, removedAfter: known.length });
  const app = /^\{\{(\w+)\.app_name\}\}$/.exec(command.path?.app_name ?? '')?.[1];
  if (resource && operation === 'connectApp' && app) resource.apps = new Set(resource.apps).add(app);
  const kind = findCreatedKind(operation);
  if (as !== undefined && kind) observeCreated(command, as, kind, known, sides);
  // What `t` means is not stated: that of a chat may change with a message.
  if (resource?.kind === 'chat' && kind === 'chat')
    for (const { names, request, response } of sides) {
      const { t, ...shown } = readResourceNames(kind, response, request);
      if (t === undefined || shown['chat-id'] !== names.get(`${on}.chat-id`)) continue;
      if (t !== names.get(`${on}.t`)) resource.hasChangedTime = true;
      names.set(resource.label, { t });
    }
  if (on === undefined || resource)
    for (const listed of LISTED[operation] ?? []) observeListed(listed, command, resource, known, sides);
  observeTimes(known, sides);
}

/** The resource under each of its labels: a second creation with the same id may have returned the existing one. */
function listSame(resource: Resource, known: readonly Resource[], names: SequenceNames): Resource[] {
  const { id, mark = id } = resources[resource.kind];
  const readIds = ({ label }: Resource) => [id, mark].map((name) => names.get(`${label}.${name}`)).join('\0');
  return known.filter(
    (each) =>
      each === resource ||
      (isPresent(each) &&
        each.kind === resource.kind &&
        each.key === resource.key &&
        each.workspace === resource.workspace &&
        readIds(each) === readIds(resource)),
  );
}

function readKey({ key }: Command): Resource['key'] {
  return key === 'unknown' || !key ? 'main' : key;
}

function observeCreated(
  command: Command,
  label: string,
  kind: ResourceName,
  known: Resource[],
  sides: readonly ExchangeSide[],
): void {
  const shown = sides.map(({ request, response }) => readResourceNames(kind, response, request));
  if (shown.some((names) => names[resources[kind].id!] === undefined)) return;
  for (const [index, { names }] of sides.entries()) names.set(label, shown[index]!);
  const workspace = readWorkspace(command);
  known.push({
    label,
    kind,
    key: readKey(command),
    state: kind === 'task' ? 'session' : 'there',
    texts: listTexts(command),
    uses: listUsedIds(sides.at(-1)!.request),
    ...(workspace !== undefined && { workspace }),
    ...(kind === 'task' && { task: createFollowedTask(command, sides[0]!.response) }),
  });
}

/** Ids of the profile and files that a request names. */
export function listUsedIds({ body, path }: ApiRequest): unknown[] {
  const files = readField(body, 'files');
  return [readField(body, 'profile_id'), path?.profile_id, path?.file_id, files]
    .flat()
    .filter((id) => id !== undefined && id !== null);
}

function readWorkspace({ headers }: Command): string | undefined {
  return /^\{\{([\w-]+)\./.exec(headers?.['workspace-id'] ?? '')?.[1];
}

/** Templates of the names and contents in a request. Other values may be the same in all requests of the operation. */
function listTexts({ path, body, form = [] }: Command): string[] {
  const parts = form.flatMap((part) => ('file' in part ? [part.file, part.content] : []));
  const unique = [...collectValues(body)].filter((text) => text.includes('{{word.'));
  return [path?.name ?? [], parts.filter((text) => text !== 'zip'), unique].flat();
}

/** Kinds of which a service may keep one record for the same name or content. */
const ONE_RECORD: ReadonlySet<ResourceName> = new Set([
  'automation',
  'extension',
  'file',
  'sop',
  'workspace',
]);

/**
 * Whether the response to a creation is a record that exists: one of this sequence with the same name or content, or a workspace
 * under a name that every sequence uses.
 */
export function isExistingRecord(
  command: Command,
  { names, request, response }: ExchangeSide,
  known: readonly Resource[],
  earlierWorkspaces: ReadonlySet<Name>,
): boolean {
  const kind = findCreatedKind(command.operation);
  if (command.as === undefined || kind === undefined || !ONE_RECORD.has(kind)) return false;
  const id = readResourceNames(kind, response, request)[resources[kind].id!];
  const texts = listTexts(command);
  if (kind === 'workspace' && texts.every((text) => !text.includes('{{')) && earlierWorkspaces.has(id!))
    return true;
  return known.some(
    (each) =>
      each.kind === kind &&
      isPresent(each) &&
      each.key === readKey(command) &&
      each.workspace === readWorkspace(command) &&
      names.get(formatIdName(each)) === id &&
      each.texts?.some((text) => texts.includes(text)),
  );
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

/** Resources in a list that no operation of the sequence created. */
interface ListedKind {
  kind: ResourceName;
  /** Begins their labels, after that of the resource that contains them. */
  label: string;
  /** The names in one row of the list. */
  read(row: unknown): Readonly<Record<string, Name | undefined>>[];
}

/** Records without an id, or without a required time, have no resource. */
const LISTED: Readonly<Partial<Record<OperationId, readonly ListedKind[]>>> = {
  listProxies: [{ kind: 'proxy', label: 'proxy', read: (row) => [{ proxy_id: readId(row, PROXY_IDS) }] }],
  listApps: [
    {
      kind: 'app',
      label: 'app',
      read: (row) => [{ app_name: findText([row], 'name', 'app_name', 'id', 'slug') }],
    },
  ],
  listMessages: [
    {
      kind: 'request',
      label: '_request',
      read: (message) =>
        collectRecords(message, /request|call|approval/i).map((record) => ({
          id: readId(record, REQUEST_IDS),
          t: readInteger(record, ['t']) ?? readInteger(message, ['t']),
        })),
    },
    {
      kind: 'attachment',
      label: '_file',
      read: (message) =>
        collectRecords(message, /attachment|file/i).map((record) => ({
          'attachment-id': readId(record, ATTACHMENT_IDS),
          t: readInteger(record, ['t']),
        })),
    },
  ],
};

/** Listed resources are matched by position: both sides list the same ones. */
function observeListed(
  { kind, label: prefix, read }: ListedKind,
  command: Command,
  owner: Resource | undefined,
  known: Resource[],
  sides: readonly ExchangeSide[],
): void {
  const lists = sides.map(({ response }) => (readRows(readPayload(response)) ?? []).flatMap(read));
  if (lists[0]!.length !== lists[1]?.length) return;
  for (const index of lists[0]!.keys()) {
    const label = `${owner?.label ?? ''}${prefix}${index + 1}`;
    const rows = lists.map((list) => list[index]!);
    if (rows.some((row) => row[resources[kind].id!] === undefined)) continue;
    for (const [side, { names }] of sides.entries()) {
      names.set(label, rows[side]!);
      for (const name of owner ? ['workspace-id', 'chat-id', 'task_id'] : [])
        names.set(label, { [name]: names.get(`${owner!.label}.${name}`) });
    }
    if (known.some((resource) => resource.label === label)) continue;
    known.push({
      label,
      kind,
      key: owner?.key ?? readKey(command),
      state: 'there',
      ...(owner?.workspace && { workspace: owner.workspace }),
    });
  }
}

/** Creation times of tasks, from lists and polls. */
function observeTimes(known: readonly Resource[], sides: readonly ExchangeSide[]): void {
  for (const { names, response } of sides) {
    const rows = [response.r].flat();
    for (const resource of known) {
      if (resource.kind !== 'task') continue;
      const id = names.get(formatIdName(resource));
      const row = rows.find((each) => readField(each, 'id') === id);
      const created_at = readField(row, 'created_at');
      if (Number.isSafeInteger(created_at)) names.set(resource.label, { created_at: created_at as number });
    }
  }
}

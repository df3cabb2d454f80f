import type { OperationId } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { namesOf } from '../../request-builders/requests.js';
import { REQUEST_IDS, type ResourceName } from '../../request-builders/resources.js';
import { WORKSPACE_IDS } from '../../request-builders/workspaces.js';
import { idIn, integerIn, payloadOf, recordsUnder, rowsOf, textUnder } from '../../test-case/read-record.js';
import type { Name, Names } from '../sequence/names.js';
import type { Command } from '../sequence/sequence.js';
import { KINDS, type Kind, type Thing } from '../sequence/things.js';

/** What a success of these operations creates. */
export const MAKES: Readonly<Partial<Record<OperationId, Kind>>> = {
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

const REMOVES = new Set<OperationId>([
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

/** A request as one side got it, and its response. */
export interface Side {
  names: Names;
  request: ApiRequest;
  response: ApiResponse;
}

/** Takes over what a success shows: names of what was created or found, and what is gone. Both sides took the request. */
export function learn(command: Command, things: Thing[], sides: readonly Side[]): void {
  const { operation, as, on, astray } = command;
  const thing = astray === undefined ? things.find(({ label }) => label === on) : undefined;
  if (thing && REMOVES.has(operation)) {
    thing.state = 'gone';
    thing.removedBy = operation;
    thing.removedAfter = things.length;
  }
  const app = /^\{\{(\w+)\.app_name\}\}$/.exec(command.path?.app_name ?? '')?.[1];
  if (thing && operation === 'connectApp' && app) thing.apps = new Set(thing.apps).add(app);
  const kind = MAKES[operation];
  if (as !== undefined && kind) learnCreated(command, as, kind, things, sides);
  if (operation === 'listProxies') learnListed('proxy', 'proxy', command, things, sides, proxies);
  if (operation === 'listApps') learnListed('app', 'app', command, things, sides, apps);
  if (operation === 'listMessages' && thing) {
    const key = thing.key;
    learnListed('request', `${thing.label}_request`, { ...command, key }, things, sides, found('request'));
    learnListed('attachment', `${thing.label}_file`, { ...command, key }, things, sides, found('attachment'));
  }
  learnTimes(things, sides);
}

function learnCreated(
  command: Command,
  label: string,
  kind: Kind,
  things: Thing[],
  sides: readonly Side[],
): void {
  const shown = sides.map(({ request, response }) => namesShown(kind, request, response));
  if (shown.some((names) => names[KINDS[kind].id] === undefined)) return;
  for (const [index, { names }] of sides.entries()) names.set(label, shown[index]!);
  const key = command.key === 'unknown' || !command.key ? 'main' : command.key;
  const workspace = /^\{\{([\w-]+)\./.exec(command.headers?.['workspace-id'] ?? '')?.[1];
  things.push({
    label,
    kind,
    key,
    state: kind === 'task' ? 'session' : 'there',
    ...(workspace !== undefined && { workspace }),
    ...(kind === 'task' && { task: followed(command, sides[0]!.response) }),
  });
}

function namesShown(
  kind: Kind,
  request: ApiRequest,
  response: ApiResponse,
): Readonly<Record<string, Name | undefined>> {
  if (kind === 'workspace') return { 'workspace-id': idIn(payloadOf(response), WORKSPACE_IDS) };
  const names = namesOf(kind as ResourceName, response, request);
  // A service may choose the id where none was sent.
  return kind === 'profile' ? { profile_id: idIn(payloadOf(response), ['id']), ...definedIn(names) } : names;
}

function definedIn(names: Readonly<Record<string, Name | undefined>>): Record<string, Name | undefined> {
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
}

function followed({ body }: Command, { r }: ApiResponse): NonNullable<Thing['task']> {
  const tools = field(body, 'custom_tools');
  const url = field(body, 'url');
  return {
    isSession: (field(body, 'task') ?? null) === null,
    ...(typeof url === 'string' && { startPage: url }),
    status: field(r, 'status') === 'waiting' ? 'waiting' : 'running',
    seen: new Set(),
    times: 0,
    calls: [],
    actions: [],
    tools: Array.isArray(tools) && tools.length > 0,
    sent: [],
  };
}

type Found = (response: ApiResponse) => Readonly<Record<string, Name | undefined>>[];

const proxies: Found = (response) =>
  (rowsOf(payloadOf(response)) ?? []).map((row) => ({
    proxy_id: idIn(row, ['id', 'proxy_id', 'proxyId', 'uuid']),
  }));

const apps: Found = (response) =>
  (rowsOf(payloadOf(response)) ?? []).map((row) => ({
    app_name: textUnder([row], 'name', 'app_name', 'id', 'slug'),
  }));

/** In the messages of a chat. Only those of the description's terms: what has no id, or no time where one is needed, is left. */
function found(kind: 'request' | 'attachment'): Found {
  return (response) =>
    (rowsOf(payloadOf(response)) ?? []).flatMap((message) => {
      const records = recordsUnder(
        message,
        kind === 'request' ? /request|call|approval/i : /attachment|file/i,
      );
      return records.map((record) => {
        const id = idIn(record, kind === 'request' ? REQUEST_IDS : ['id', 'attachment_id', 'uuid']);
        const t = integerIn(record, ['t']) ?? (kind === 'request' ? integerIn(message, ['t']) : undefined);
        return kind === 'request' ? { id, t } : { 'attachment-id': id, t };
      });
    });
}

/** Things that a response lists, matched by their place: both sides list the same. */
function learnListed(
  kind: Kind,
  prefix: string,
  command: Command,
  things: Thing[],
  sides: readonly Side[],
  read: Found,
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
    if (things.some((thing) => thing.label === label)) continue;
    const owner = things.find((thing) => thing.label === command.on);
    const key = owner?.key ?? (command.key as Thing['key'] | undefined) ?? 'main';
    things.push({
      label,
      kind,
      key,
      state: 'there',
      ...(owner?.workspace && { workspace: owner.workspace }),
    });
  }
}

/** When tasks were created, as lists and polls show it. */
function learnTimes(things: readonly Thing[], sides: readonly Side[]): void {
  for (const { names, response } of sides) {
    const rows = Array.isArray(response.r) ? response.r : [response.r];
    for (const thing of things) {
      if (thing.kind !== 'task') continue;
      const id = names.get(`${thing.label}.task_id`);
      const row = rows.find((each) => field(each, 'id') === id);
      const created_at = field(row, 'created_at');
      if (Number.isSafeInteger(created_at)) names.set(thing.label, { created_at: created_at as number });
    }
  }
}

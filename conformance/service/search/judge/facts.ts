import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { field } from '../../../conversation/json.js';
import { ruleOf } from '../../from-openapi/derived-case.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { organisationNameIn, planIn, topUpSettingsIn } from '../../test-case/account.js';
import { payloadOf, rowsOf, valuesIn } from '../../test-case/read-record.js';
import type { Name, Names } from '../sequence/names.js';
import type { Command } from '../sequence/sequence.js';
import { idNameOf, isThere, type Kind, type Thing } from '../sequence/things.js';
import { listedFacts, listFacts } from './list-facts.js';
import { taskFacts } from './task-facts.js';
import { wordFacts } from './word-facts.js';

/** What a response says, in terms that both sides share. */
export interface Fact {
  /** Undefined where it says nothing about it. */
  value: unknown;
  requirement: RequirementId;
  /** What it has to be, where the model takes over what the service shows. */
  must?: unknown;
  /** What facts of this kind are called, where there are many of them. */
  kind?: string;
  /** The description leaves it open. */
  isOpen?: boolean;
  /** The service may show what the model does not: its agent may quote what it was given. */
  isLeast?: boolean;
}

/** A response, and what it is about. */
export interface Scene {
  request: ApiRequest;
  response: ApiResponse;
  names: Names;
  thing: Thing | undefined;
  things: readonly Thing[];
  /** Texts that were sent, by their name. */
  words: ReadonlyMap<string, SentWord>;
  /** What of the account was set by this sequence. */
  settings: ReadonlySet<OperationId>;
  /** Where tasks are listed: the newest first, as far as it is known. */
  isNewestFirst: boolean;
}

/** A text that was sent: by which operation, and about which thing. */
export interface SentWord {
  by: OperationId;
  owner: string | undefined;
  /** What it stands for. */
  role: string;
  /** Another text of its kind was sent later about the same thing. */
  isFormer?: true;
  /** The request at hand has it. */
  isOwn?: true;
}

export type Facts = Record<string, Fact>;

export function factsOf(command: Command, scene: Scene): Facts {
  if (isByUnknownTime(command, scene)) return {};
  const facts: Facts = {
    ...READ[command.operation]?.(scene, command),
    ...listedFacts(command, scene),
    ...wordFacts(command, scene),
    ...COUNTS[command.operation]?.(scene, command),
  };
  if (command.astray === 'stranger') for (const fact of Object.values(facts)) fact.requirement = 'SERVICE-04';
  return facts;
}

/** Things that were created in the same moment may be before or after `t`, or the end of a page: the service and the model may differ. */
function isByUnknownTime({ operation, query }: Command, { things }: Scene): boolean {
  const isByTime = query?.t !== undefined && query.t !== 0;
  if (operation === 'listMessages') return isByTime;
  if (operation !== 'listChats') return false;
  const chats = things.filter(({ kind }) => kind === 'chat');
  const isPage = Number(query?.limit ?? chats.length) < chats.length;
  return (isByTime || isPage) && chats.some(({ isMadeAtOnce }) => isMadeAtOnce);
}

const READ: Readonly<Partial<Record<OperationId, (scene: Scene, command: Command) => Facts>>> = {
  createTask: (scene) => ({
    'that it has an id': { value: typeof field(scene.response.r, 'id') === 'string', requirement: 'TASK-14' },
    ...newId(scene, 'task', 'TASK-01'),
  }),
  // A service may take files of one content for one file.
  uploadFile: (scene, { form }) =>
    JSON.stringify(form).includes('{{word.content') ? newId(scene, 'file', 'FILE-01') : {},
  getTask: taskFacts,
  listTasks: listFacts,
  getTaskVisibility: ({ response: { r } }) => ({
    visibility: { value: typeof r === 'boolean' ? r : undefined, requirement: 'TASK-20' },
  }),
  sendTaskEvent: ({ response, request }) => {
    const sent = field(request.body, 'id');
    const isNamed = typeof sent === 'string' && sent !== '';
    const value = isNamed ? field(response.r, 'id') === sent : undefined;
    return { 'that it is confirmed with its id': { value, requirement: 'EVENT-03' } };
  },
  createProfile: ({ response, request }) => {
    const sent = field(request.body, 'id');
    const value = typeof sent === 'string' && sent !== '' ? field(response.r, 'id') === sent : undefined;
    return { 'that it has the id': { value, requirement: 'PROFILE-02' } };
  },
  createWorkspace: shared,
  getWorkspace: (scene) => ({
    ...shared(scene),
    'that it shows the id of the header': {
      value:
        scene.thing &&
        valuesIn(scene.response.body).has(String(scene.names.get(`${scene.thing.label}.workspace-id`))),
      requirement: 'WORKSPACE-01',
      isOpen: true,
    },
    ...appFacts(scene),
  }),
  getOrganisation: ({ response, settings, names }) => {
    const name = settings.has('updateOrganisation') ? organisationNameIn(response) : undefined;
    const value = name === undefined ? undefined : name === names.get('settings.name');
    return { 'that it has the name that was set': { value, requirement: 'ORG-03' } };
  },
  getUsage: ({ response, settings }) => ({
    plan: { value: settings.has('setPlan') ? planIn(response) : undefined, requirement: 'ORG-09' },
  }),
  setAutoTopUp: ({ response }) => ({ settings: { value: topUpSettingsIn(response), requirement: 'ORG-08' } }),
  getAutoTopUp: ({ response, settings }) => {
    const value = settings.has('setAutoTopUp') ? topUpSettingsIn(response) : undefined;
    return { settings: { value, requirement: 'ORG-07' } };
  },
  updateProxy: ({ response, thing, names }) => ({
    auto_renew: { value: field(response.r, 'auto_renew'), requirement: 'PROXY-02' },
    'that it is the proxy of the path': {
      value: thing && field(response.r, 'id') === names.get(`${thing.label}.proxy_id`),
      requirement: 'PROXY-02',
      isOpen: true,
    },
  }),
  updateRequest: statusFacts,
  setPlan: ({ response }) => ({
    group: { value: field(response.r, 'group'), requirement: 'ORG-09', isOpen: true },
  }),
};

/** How many there are. What a list shows of each comes first: it tells better what is wrong. */
const COUNTS: typeof READ = {
  listChats: ({ response }, { query }) => {
    const rows = rowsOf(payloadOf(response))?.length;
    return { 'number of chats': { value: rows, requirement: 'CHAT-01', isOpen: query?.t !== undefined } };
  },
  saveSop: ({ response }) => ({
    'number of SOPs': {
      value: rowsOf(payloadOf(response))?.length,
      requirement: 'SOP-02',
      isOpen: true,
    },
  }),
  listSops: (scene) => ({
    'number of SOPs': {
      value: rowsOf(payloadOf(scene.response))?.length,
      requirement: removalIn(scene, 'sop') ?? 'SOP-01',
    },
  }),
  listAutomations: (scene) => ({
    'number of automations': {
      value: rowsOf(scene.response.r)?.length,
      requirement: removalIn(scene, 'automation') ?? 'AUTO-01',
    },
  }),
};

/** The requirement about the removal of things of this kind, where one of the workspace was removed. */
function removalIn({ things, thing }: Scene, kind: Kind): RequirementId | undefined {
  const gone = things.find(
    (each) => each.kind === kind && each.workspace === thing?.label && !isThere(each) && each.removedBy,
  );
  return gone && ruleOf(gone.removedBy!).id;
}

/** Whether what was created has an id that nothing else of its kind has. */
function newId({ response, things, names }: Scene, kind: Kind, requirement: RequirementId): Facts {
  const id = field(response.r, 'id');
  const isTaken = things.some((each) => each.kind === kind && names.get(idNameOf(each)) === id);
  return { 'that its id is its own': { value: !isTaken, requirement } };
}

/** Whether the status stands at the request that it was set for, or at another one of its chat. */
function statusFacts({ request, response, thing, things, names }: Scene): Facts {
  const status = String(request.query?.status);
  const isAt = ({ label }: Thing) =>
    valuesIn(recordWith(response.body, names.get(`${label}.id`)) ?? {}).has(status);
  const others = things.filter((each) => each.kind === 'request' && each !== thing);
  // Others may have been approved, too.
  const isOwn = status !== 'approved';
  const value = thing && isAt(thing) ? true : isOwn && others.some(isAt) ? false : undefined;
  return { 'that the status is set for the request': { value, requirement: 'CHAT-06' } };
}

/** The record with this among its values, wherever it stands. */
function recordWith(value: unknown, id: Name | undefined): unknown {
  if (value === null || typeof value !== 'object' || id === undefined) return undefined;
  const members = Object.values(value);
  if (!Array.isArray(value) && members.includes(id)) return value;
  for (const member of members) {
    const found = recordWith(member, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a workspace shows each app that was connected to it. */
function appFacts({ response, thing, names }: Scene): Facts {
  const shown = valuesIn(response.body);
  return Object.fromEntries(
    [...(thing?.apps ?? [])].map((app) => [
      `that it shows ${app}`,
      {
        value: shown.has(String(names.get(`${app}.app_name`))),
        requirement: 'WORKSPACE-01',
        kind: 'app of a workspace',
        isOpen: true,
        isLeast: true,
      } as const,
    ]),
  );
}

function shared({ response }: Scene): Facts {
  return { shared: { value: field(payloadOf(response), 'shared'), requirement: 'WORKSPACE-02' } };
}

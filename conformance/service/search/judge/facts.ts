import type { RequirementId } from '../../../../spec/generated/documents.js';
import type { OperationId } from '../../../../spec/generated/operations.js';
import { readField } from '../../../conversation/json.js';
import { readRule } from '../../from-openapi/derived-case.js';
import type { ApiRequest, ApiResponse } from '../../http-client/response.js';
import { readOrganisationName, readPlan, readTopUpSettings } from '../../test-case/account.js';
import { collectValues, readPayload, readRows } from '../../test-case/read-record.js';
import type { Name, SequenceNames } from '../sequence/names.js';
import { formatIdName, isPresent, type Resource, type ResourceKind } from '../sequence/resources.js';
import type { Command } from '../sequence/sequence.js';
import { collectListedFacts, collectTaskListFacts } from './list-facts.js';
import { collectMarkerFacts } from './marker-facts.js';
import { collectTaskFacts } from './task-facts.js';

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
}

/** A response with its context. */
export interface ObservedResponse {
  request: ApiRequest;
  response: ApiResponse;
  names: SequenceNames;
  resource: Resource | undefined;
  resources: readonly Resource[];
  /** Unique texts that were sent, by marker. */
  markers: ReadonlyMap<string, SentMarker>;
  /** Operations of this sequence that changed account settings. */
  settings: ReadonlySet<OperationId>;
  /** Lists of tasks begin with the newest, as far as known. */
  isNewestFirst: boolean;
}

/** A unique text that was sent: the operation and the resource it belongs to. */
export interface SentMarker {
  by: OperationId;
  owner: string | undefined;
  /** Its purpose. */
  role: string;
  /** A later request replaced it with another text of the same role. */
  isFormer?: true;
  /** The current request contains it. */
  isOwn?: true;
}

export type Facts = Record<string, Fact>;

export function collectFacts(command: Command, observed: ObservedResponse): Facts {
  if (hasUnknownOrder(command, observed)) return {};
  const facts: Facts = {
    ...READ[command.operation]?.(observed, command),
    ...collectListedFacts(command, observed),
    ...collectMarkerFacts(command, observed),
    ...COUNTS[command.operation]?.(observed, command),
  };
  if (command.astray === 'stranger') for (const fact of Object.values(facts)) fact.requirement = 'SERVICE-04';
  return facts;
}

/**
 * The order of resources that were created concurrently is unknown: with `t` or `limit`, the service and the model may list
 * different ones.
 */
function hasUnknownOrder({ operation, query }: Command, { resources }: ObservedResponse): boolean {
  const isByTime = query?.t !== undefined && query.t !== 0;
  if (operation === 'listMessages') return isByTime;
  if (operation !== 'listChats') return false;
  const chats = resources.filter(({ kind }) => kind === 'chat');
  const isPage = Number(query?.limit ?? chats.length) < chats.length;
  return (isByTime || isPage) && chats.some(({ isCreatedConcurrently }) => isCreatedConcurrently);
}

const READ: Readonly<Partial<Record<OperationId, (observed: ObservedResponse, command: Command) => Facts>>> =
  {
    createTask: (observed) => ({
      'that it has an id': {
        value: typeof readField(observed.response.r, 'id') === 'string',
        requirement: 'TASK-14',
      },
      ...collectIdFacts(observed, 'task', 'TASK-01'),
    }),
    // A service may store files of equal content as one file.
    uploadFile: (observed, { form }) =>
      JSON.stringify(form).includes('{{word.content') ? collectIdFacts(observed, 'file', 'FILE-01') : {},
    getTask: collectTaskFacts,
    listTasks: collectTaskListFacts,
    getTaskVisibility: ({ response: { r } }) => ({
      visibility: { value: typeof r === 'boolean' ? r : undefined, requirement: 'TASK-20' },
    }),
    sendTaskEvent: ({ response, request }) => {
      const sent = readField(request.body, 'id');
      const isNamed = typeof sent === 'string' && sent !== '';
      const value = isNamed ? readField(response.r, 'id') === sent : undefined;
      return { 'that it is confirmed with its id': { value, requirement: 'EVENT-03' } };
    },
    createProfile: ({ response, request }) => {
      const sent = readField(request.body, 'id');
      const value =
        typeof sent === 'string' && sent !== '' ? readField(response.r, 'id') === sent : undefined;
      return { 'that it has the id': { value, requirement: 'PROFILE-02' } };
    },
    createWorkspace: collectSharedFacts,
    getWorkspace: (observed) => ({
      ...collectSharedFacts(observed),
      'that it shows the id of the header': {
        value:
          observed.resource &&
          collectValues(observed.response.body).has(
            String(observed.names.get(`${observed.resource.label}.workspace-id`)),
          ),
        requirement: 'WORKSPACE-01',
        isOpen: true,
      },
      ...collectAppFacts(observed),
    }),
    getOrganisation: ({ response, settings, names }) => {
      const name = settings.has('updateOrganisation') ? readOrganisationName(response) : undefined;
      const value = name === undefined ? undefined : name === names.get('settings.name');
      return { 'that it has the name that was set': { value, requirement: 'ORG-03' } };
    },
    getUsage: ({ response, settings }) => ({
      plan: { value: settings.has('setPlan') ? readPlan(response) : undefined, requirement: 'ORG-09' },
    }),
    setAutoTopUp: ({ response }) => ({
      settings: { value: readTopUpSettings(response), requirement: 'ORG-08' },
    }),
    getAutoTopUp: ({ response, settings }) => {
      const value = settings.has('setAutoTopUp') ? readTopUpSettings(response) : undefined;
      return { settings: { value, requirement: 'ORG-07' } };
    },
    updateProxy: ({ response, resource, names }) => ({
      auto_renew: { value: readField(response.r, 'auto_renew'), requirement: 'PROXY-02' },
      'that it is the proxy of the path': {
        value: resource && readField(response.r, 'id') === names.get(`${resource.label}.proxy_id`),
        requirement: 'PROXY-02',
        isOpen: true,
      },
    }),
    updateRequest: collectStatusFacts,
    setPlan: ({ response }) => ({
      group: { value: readField(response.r, 'group'), requirement: 'ORG-09', isOpen: true },
    }),
  };

/** Counts. They follow the facts about single entries, which explain a defect better. */
const COUNTS: typeof READ = {
  listChats: ({ response }, { query }) => {
    const rows = readRows(readPayload(response))?.length;
    return { 'number of chats': { value: rows, requirement: 'CHAT-01', isOpen: query?.t !== undefined } };
  },
  saveSop: ({ response }) => ({
    'number of SOPs': {
      value: readRows(readPayload(response))?.length,
      requirement: 'SOP-02',
      isOpen: true,
    },
  }),
  listSops: (observed) => ({
    'number of SOPs': {
      value: readRows(readPayload(observed.response))?.length,
      requirement: findRemovalRule(observed, 'sop') ?? 'SOP-01',
    },
  }),
  listAutomations: (observed) => ({
    'number of automations': {
      value: readRows(observed.response.r)?.length,
      requirement: findRemovalRule(observed, 'automation') ?? 'AUTO-01',
    },
  }),
};

/** The requirement of the removal, if a resource of this kind was removed from the workspace. */
function findRemovalRule(
  { resources, resource }: ObservedResponse,
  kind: ResourceKind,
): RequirementId | undefined {
  const gone = resources.find(
    (each) => each.kind === kind && each.workspace === resource?.label && !isPresent(each) && each.removedBy,
  );
  return gone && readRule(gone.removedBy!).id;
}

/** The id of the created resource is unique among its kind. */
function collectIdFacts(
  { response, resources, names }: ObservedResponse,
  kind: ResourceKind,
  requirement: RequirementId,
): Facts {
  const id = readField(response.r, 'id');
  const isTaken = resources.some((each) => each.kind === kind && names.get(formatIdName(each)) === id);
  return { 'that its id is its own': { value: !isTaken, requirement } };
}

/** The request has the status that was set, and no other request of the chat has it. */
function collectStatusFacts({ request, response, resource, resources, names }: ObservedResponse): Facts {
  const status = String(request.query?.status);
  const hasStatus = ({ label }: Resource) =>
    collectValues(findRecordById(response.body, names.get(`${label}.id`)) ?? {}).has(status);
  const others = resources.filter((each) => each.kind === 'request' && each !== resource);
  // Other requests may have been approved, too.
  const isOwn = status !== 'approved';
  const value = resource && hasStatus(resource) ? true : isOwn && others.some(hasStatus) ? false : undefined;
  return { 'that the status is set for the request': { value, requirement: 'CHAT-06' } };
}

/** The nested record that has this id among its values. */
function findRecordById(value: unknown, id: Name | undefined): unknown {
  if (value === null || typeof value !== 'object' || id === undefined) return undefined;
  const members = Object.values(value);
  if (!Array.isArray(value) && members.includes(id)) return value;
  for (const member of members) {
    const found = findRecordById(member, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The workspace shows each app that was connected to it. */
function collectAppFacts({ response, resource, names }: ObservedResponse): Facts {
  const shown = collectValues(response.body);
  return Object.fromEntries(
    [...(resource?.apps ?? [])].map((app) => [
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

function collectSharedFacts({ response }: ObservedResponse): Facts {
  return { shared: { value: readField(readPayload(response), 'shared'), requirement: 'WORKSPACE-02' } };
}

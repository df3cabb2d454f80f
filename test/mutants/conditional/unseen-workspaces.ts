import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isOver } from '../operators/events.js';
import { createRefusal, isRecord, MutantResponse } from '../operators/mutant-response.js';

/** Faults of workspaces, automations and accounts, written before the search was tuned for any of them. */
export const unseenWorkspaceMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'sop-of-same-title-replaced',
    'SOP-02',
    'several things',
    'A new SOP replaces the one of the same title that is there.',
    {
      of: 'saveSop',
      when: ({ query }) => Number(query.get('t') ?? 0) === 0,
      request: async (request, _, forward) => {
        const list = request.derive('GET', '/sop');
        list.headers['workspace-id'] = request.headers['workspace-id'] ?? '';
        const { sops } = (await forward(list)).record;
        const same = Array.isArray(sops)
          ? sops.filter(isRecord).find(({ title }) => title === request.json.title)
          : undefined;
        if (same) request.query.set('t', String(same.t));
      },
    },
  ),
  conditionalMutant(
    'renames-at-once-mixed-up',
    'CHAT-05',
    'requests at once',
    'Of two chats that get new titles at once the second gets the title of the first.',
    {
      of: 'renameChat',
      request: (request, past) => {
        const first = [...past.pending].find((other) => other !== request && other.is('renameChat'));
        const title = first?.query.get('title');
        if (typeof title === 'string') request.query.set('title', title);
      },
    },
  ),
  conditionalMutant(
    'chats-deleted-at-once-one-stays',
    'CHAT-03',
    'requests at once',
    'Of two chats deleted at once the second stays.',
    {
      of: 'deleteChat',
      when: (request, past) =>
        [...past.pending].some(
          (other) => other.is('deleteChat') && other.query.get('t') !== request.query.get('t'),
        ),
      request: () => new MutantResponse(200, { r: true }),
    },
  ),
  conditionalMutant(
    'automation-deleted-by-stranger',
    'SERVICE-04',
    'another key',
    'An automation can be deleted with every key.',
    {
      of: 'deleteAutomation',
      error: async (response, request, past, forward) => {
        const id = request.query.get('id');
        const creation = past
          .listSucceededByAll('createAutomation')
          .find((each) => each.response.record.id === id);
        if (!creation || creation.request.key === request.key || !/^other-/.test(request.key ?? ''))
          return response;
        request.key = creation.request.key;
        return forward(request);
      },
    },
  ),
  conditionalMutant(
    'automations-without-running',
    'AUTO-01',
    'order',
    'The list of automations lacks those whose run is under way.',
    {
      of: 'listAutomations',
      response: async (response, request, past, forward) => {
        const list = request.derive('GET', '/task');
        const tasks = (await forward(list)).list;
        const active = tasks.filter((task) => !isOver(task)).length;
        const called = past
          .listSucceededByAll('triggerWebhook')
          .map((each) => each.request.json.automation_id);
        if (active > 0) response.r = response.list.filter(({ id }) => !called.includes(id));
      },
    },
  ),
  conditionalMutant(
    'webhook-of-longer-id-accepted',
    'ERROR-03',
    'similar id',
    'A webhook for an id that begins with that of an automation sets that one off.',
    {
      of: 'triggerWebhook',
      request: (request, past) => {
        const wanted = String(request.json.automation_id);
        const ids = past
          .listSucceededByAll('createAutomation')
          .map(({ response }) => String(response.record.id));
        const id = ids.find((each) => each !== wanted && wanted.startsWith(each));
        if (id !== undefined) request.json = { ...request.json, automation_id: id };
      },
    },
  ),
  conditionalMutant(
    'apps-without-connected',
    'APP-01',
    'order',
    'The list of apps lacks those that a workspace is connected to.',
    {
      of: 'listApps',
      response: ({ record }, request, past) => {
        const connected = past
          .listSucceeded(request, 'connectApp')
          .map((each) => each.request.path.get('app_name'));
        if (Array.isArray(record.apps))
          record.apps = record.apps.filter(isRecord).filter(({ name }) => !connected.includes(String(name)));
      },
    },
  ),
  conditionalMutant(
    'workspace-shared-by-app',
    'WORKSPACE-02',
    'order',
    'A workspace is shown as shared once it is connected to an app.',
    {
      of: 'getWorkspace',
      response: ({ record }) => {
        if (Array.isArray(record.apps) && record.apps.length > 0) record.shared = true;
      },
    },
  ),
  conditionalMutant(
    'profile-deleted-in-all-organisations',
    'SERVICE-04',
    'another key',
    'The deletion of a profile deletes those of the same id in other organisations.',
    {
      of: 'deleteProfile',
      response: async (_, request, past, forward) => {
        const id = request.path.get('profile_id')!;
        const same = past.listSucceededByAll('createProfile').filter((each) => each.request.json.id === id);
        for (const key of new Set(same.map((each) => each.request.key))) {
          const copy = request.copy();
          copy.key = key;
          if (key !== request.key) await forward(copy);
        }
      },
    },
  ),
  conditionalMutant(
    'top-up-after-plan-not-shown',
    'ORG-04',
    'order',
    'The balance of credits lacks what was bought after a change of the plan.',
    {
      of: 'getUsage',
      response: ({ record }, request, past) => {
        const all = past.listSucceeded(request, 'topUp', 'setPlan');
        const change = all.findIndex((each) => each.request.is('setPlan'));
        const later = all.filter((each, at) => change >= 0 && at > change && each.request.is('topUp'));
        const bought = later.reduce((sum, each) => sum + Number(each.request.query.get('amount')), 0);
        if (typeof record.credits === 'number') record.credits -= bought;
      },
    },
  ),
  conditionalMutant(
    'organisation-name-lost-by-invite',
    'ORG-03',
    'order',
    'The organisation has its first name again once somebody was invited.',
    () => {
      let first: unknown;
      return {
        of: 'getOrganisation',
        response: ({ record }, request, past) => {
          first ??= record.name;
          const last = past.listSucceeded(request, 'updateOrganisation', 'inviteUser').at(-1);
          if (last?.request.is('inviteUser')) record.name = first;
        },
      };
    },
  ),
  conditionalMutant(
    'telemetry-without-events-500',
    'TELEMETRY-01',
    'bound',
    'A batch of telemetry with no events gets 500.',
    {
      of: 'sendTelemetry',
      when: ({ json: { events } }) => Array.isArray(events) && events.length === 0,
      request: () => createRefusal(500),
    },
  ),
];

import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { isRecord, type LooseRecord } from '../operators/mutant-response.js';

/** Faults of other resources than tasks that the cases of the suite once lacked: values, twins, a refusal, what comes after a removal. */
export const unseenResourceMutants: readonly ConditionalMutant[] = [
  conditionalMutant('invite-decoded-twice', 'ORG-01', 'value', 'A plus in an invited address is a blank.', {
    of: 'inviteUser',
    response: (response) => {
      const entries = Object.entries(isRecord(response.r) ? response.r : {});
      response.r = Object.fromEntries(entries.map(([email, count]) => [email.replaceAll('+', ' '), count]));
    },
  }),
  conditionalMutant(
    'shared-as-workspace-before',
    'WORKSPACE-02',
    'order',
    'A workspace that is created without shared has the value of the one before.',
    {
      of: 'createWorkspace',
      when: ({ query }) => !query.has('shared'),
      response: ({ record }, request, past) => {
        const last = past.listSucceeded(request, 'createWorkspace').at(-1);
        if (last?.request.query.get('shared') === 'true') record.shared = true;
      },
    },
  ),
  conditionalMutant('chat-title-escaped', 'CHAT-05', 'value', 'A title is stored as HTML.', {
    of: 'renameChat',
    request: ({ query }) => {
      const title = query.get('title');
      if (title !== null) query.set('title', title.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
    },
  }),
  conditionalMutant(
    'deleted-profile-listed-again',
    'PROFILE-04',
    'after a deletion',
    'A deleted profile is listed again once another one is created.',
    {
      of: 'listProfiles',
      response: (response, request, past) => {
        const all = past.listSucceeded(request, 'createProfile', 'deleteProfile');
        const isBack = (at: number) => all.slice(at).some((each) => each.request.is('createProfile'));
        const back = all.flatMap((each, at) =>
          each.request.is('deleteProfile') && isBack(at) ? [{ id: each.request.path.get('profile_id') }] : [],
        );
        response.r = [...response.list, ...back];
      },
    },
  ),
  conditionalMutant(
    'extension-deleted-in-one-list',
    'EXT-04',
    'after a deletion',
    'An extension that is deleted by the path below /browser is still in GET /extension.',
    {
      of: 'listExtensions',
      response: (response, request, past) => {
        const gone = past
          .listSucceeded(request, 'deleteBrowserExtension')
          .map((each) => each.request.path.get('extension_id'));
        const uploads = past.listSucceeded(request, 'uploadExtension', 'uploadBrowserExtension');
        const records = uploads.map((each) => each.response.record);
        response.r = [...response.list, ...records.filter(({ id }) => gone.includes(String(id)))];
      },
    },
  ),
  conditionalMutant(
    'extensions-of-same-name-deleted',
    'EXT-02',
    'several things',
    'The deletion of an extension deletes the others with its file name.',
    {
      of: 'deleteExtension',
      response: async (_, request, past, forward) => {
        const uploads = past.listSucceeded(request, 'uploadExtension');
        const own = uploads.find((each) => each.response.record.id === request.path.get('extension_id'));
        for (const each of uploads)
          if (own && each !== own && findFileName(each.request) === findFileName(own.request))
            await forward(request.derive('DELETE', `/extension/${String(each.response.record.id)}`));
      },
    },
  ),
  conditionalMutant('refused-plan-applied', 'ORG-09', 'value', 'The plan is the one that was refused.', {
    of: 'getUsage',
    response: ({ record }, request, past) => {
      const last = past.listSent(request, 'setPlan').at(-1);
      if (last?.response.status === 400) record.plan = last.request.query.get('plan');
    },
  }),
  conditionalMutant(
    'refused-top-up-applied-in-part',
    'ORG-07',
    'parameters together',
    'The amount of an automatic top-up is stored although another parameter is refused.',
    {
      of: 'getAutoTopUp',
      response: ({ record }, request, past) => {
        const last = past.listSent(request, 'setAutoTopUp').at(-1);
        const amount = last?.request.query.get('amount');
        if (last && !last.response.ok && amount) record.amount = Number(amount);
      },
    },
  ),
  conditionalMutant(
    'status-of-all-requests-set',
    'CHAT-06',
    'several things',
    'The status of one request is set for all of the chat.',
    {
      of: 'updateRequest',
      response: async (_, request, _past, forward) => {
        const list = request.derive('GET', '/chat/message');
        list.headers['chat-id'] = request.headers['chat-id']!;
        const { messages } = (await forward(list)).record as { messages?: { requests?: LooseRecord[] }[] };
        for (const { id, t } of messages?.flatMap(({ requests }) => requests ?? []) ?? []) {
          const same = request.copy();
          same.query.set('id', String(id));
          same.query.set('t', String(t));
          if (id !== request.query.get('id')) await forward(same);
        }
      },
    },
  ),
  conditionalMutant('request-rejected-as-approved', 'CHAT-06', 'value', 'A rejected request is approved.', {
    of: 'updateRequest',
    when: ({ query }) => /^(reject|den)/.test(query.get('status') ?? ''),
    request: ({ query }) => query.set('status', 'approved'),
  }),
  conditionalMutant(
    'renewal-of-all-proxies-set',
    'PROXY-02',
    'several things',
    'The renewal of one proxy is set for all.',
    {
      of: 'updateProxy',
      response: async (_, request, _past, forward) => {
        const { list } = await forward(request.derive('GET', '/proxy'));
        for (const { id } of list)
          if (id !== request.path.get('proxy_id'))
            await forward(request.derive('PATCH', `/proxy/${String(id)}${request.url.search}`));
      },
    },
  ),
  conditionalMutant(
    'refused-status-set',
    'CHAT-06',
    'value',
    'A status that is refused with 400 is shown all the same.',
    () => {
      const refused = new Map<unknown, string>();
      return {
        of: ['updateRequest', 'listMessages'],
        error: ({ status }, { query }) => {
          if (status === 400) refused.set(query.get('id'), query.get('status') ?? '');
        },
        response: ({ record }) => {
          const messages = Array.isArray(record.messages) ? record.messages.filter(isRecord) : [];
          for (const { requests } of messages)
            for (const each of Array.isArray(requests) ? requests.filter(isRecord) : [])
              each.status = refused.get(each.id) ?? each.status;
        },
      };
    },
  ),
  conditionalMutant('message-without-markup', 'CHAT-08', 'value', 'A message has no tags.', {
    of: 'createMessage',
    request: (request) => {
      const form = new FormData();
      for (const [name, part] of request.body instanceof FormData ? request.body : [])
        if (typeof part === 'string') form.append(name, part.replaceAll(/<[^>]*>/g, ''));
        else form.append(name, part, part.name);
      request.body = form;
    },
  }),
  conditionalMutant(
    'tasks-limited-before-organisation',
    'SERVICE-04',
    'another key',
    'The limit of the list of tasks counts those of all organisations.',
    {
      of: 'listTasks',
      when: ({ query }) => query.get('l') === '1',
      response: (response, request, past) => {
        const newest = past.listSucceededByAll('createTask').at(-1);
        if (newest && newest.request.key !== request.key) response.r = [];
      },
    },
  ),
  conditionalMutant(
    'chat-limit-before-workspace',
    'CHAT-01',
    'parameters together',
    'The limit of the list of chats counts the newer ones of other workspaces.',
    {
      of: 'listChats',
      when: ({ query }) => query.get('limit') === '1',
      response: ({ record }, request, past) => {
        const newest = past.listSucceeded(request, 'createChatTask').at(-1);
        if (newest && newest.request.headers['workspace-id'] !== request.headers['workspace-id'])
          record.chats = [];
      },
    },
  ),
];

function findFileName({ body }: MutantRequest): string | undefined {
  const parts = body instanceof FormData ? [...body.values()] : [];
  return parts.find((part) => typeof part !== 'string')?.name;
}

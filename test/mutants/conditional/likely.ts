import { operations } from '../../../spec/generated/operations.js';
import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import type { MutantRequest } from '../operators/mutant-request.js';
import { createRefusal, isRecord, type LooseRecord } from '../operators/mutant-response.js';

/** Faults of all else, such as services are likely to have; written before the suite and the search were tuned for any of them. */
export const likelyMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'profile-id-with-other-characters-not-found',
    'PROFILE-04',
    'value',
    'A profile cannot be deleted if its id holds a character that an address encodes.',
    {
      of: 'deleteProfile',
      when: ({ path }) => {
        const id = path.get('profile_id') ?? '';
        return encodeURIComponent(id) !== id;
      },
      request: () => createRefusal(404),
    },
  ),
  conditionalMutant('ten-profiles-listed', 'PROFILE-03', 'bound', 'The list of profiles ends after ten.', {
    of: 'listProfiles',
    response: (response) => {
      response.r = response.list.slice(0, 10);
    },
  }),
  conditionalMutant(
    'extension-of-same-file-name-replaced',
    'EXT-02',
    'similar id',
    'The upload of an extension removes an earlier one of the same file name.',
    {
      of: 'uploadExtension',
      async response(response, request, past, forward) {
        const { file_name } = response.record;
        for (const earlier of past.listSucceeded(request, 'uploadExtension'))
          if (earlier.response.record.file_name === file_name)
            await forward(request.derive('DELETE', `/extension/${String(earlier.response.record.id)}`));
      },
    },
  ),
  conditionalMutant(
    'chats-at-once-overwritten',
    'CHAT-02',
    'requests at once',
    'Of two chats that are created in a workspace at once one is lost.',
    {
      of: 'createChatTask',
      when: (request, past) =>
        [...past.pending].some(
          (other) =>
            other !== request &&
            other.is('createChatTask') &&
            readWorkspace(other) === readWorkspace(request),
        ),
      async response({ record }, request, _past, forward) {
        await forward(createInWorkspace(request, 'DELETE', `/chat/id?t=${String(record.t)}`));
      },
    },
  ),
  conditionalMutant(
    'deleted-chat-listed-with-limit',
    'CHAT-03',
    'parameters together',
    'A list of chats with a limit has deleted chats too.',
    () => {
      const deleted = new Map<string | undefined, unknown[]>();
      return {
        of: ['deleteChat', 'listChats'],
        async request(request, _past, forward) {
          if (!request.is('deleteChat')) return;
          const path = `/chat/id?t=${request.query.get('t')}`;
          const chat = await forward(createInWorkspace(request, 'GET', path));
          const before = deleted.get(readWorkspace(request)) ?? [];
          if (chat.ok) deleted.set(readWorkspace(request), [...before, chat.record]);
        },
        response({ record }, request) {
          if (!request.is('listChats') || !request.query.has('limit')) return;
          const all = [...(record.chats as unknown[]), ...(deleted.get(readWorkspace(request)) ?? [])];
          record.chats = all.slice(0, Number(request.query.get('limit')));
        },
      };
    },
  ),
  conditionalMutant(
    'newest-request-of-chat-updated',
    'CHAT-06',
    'several things',
    'In a chat with several requests the status of the newest is set, whichever is named.',
    {
      of: 'updateRequest',
      when: ({ query, headers }) =>
        query.has('id') && /^\d+$/.test(query.get('t') ?? '') && headers['chat-id'] !== undefined,
      async request(request, _past, forward) {
        const list = request.derive('GET', '/chat/message');
        list.headers['chat-id'] = request.headers['chat-id'] ?? '';
        const { messages } = (await forward(list)).record as { messages?: { requests?: LooseRecord[] }[] };
        const newest = messages?.flatMap(({ requests }) => requests ?? []).at(-1);
        if (!newest) return;
        request.query.set('id', String(newest.id));
        request.query.set('t', String(newest.t));
      },
    },
  ),
  conditionalMutant(
    'no-sops-left-not-found',
    'SOP-01',
    'after a deletion',
    'The list of SOPs is not found once the last was deleted.',
    {
      of: 'listSops',
      when: (request, past) => past.listInWorkspace(request, 'deleteSop').length > 0,
      response: ({ record }) =>
        Array.isArray(record.sops) && record.sops.length === 0 ? createRefusal(404) : undefined,
    },
  ),
  conditionalMutant(
    'threshold-kept-beside-amount',
    'ORG-08',
    'parameters together',
    'An auto top-up that is set with an amount alone keeps the threshold it had.',
    {
      of: 'setAutoTopUp',
      when: ({ query }) => query.has('amount') && !query.has('threshold'),
      request: (request, past) => {
        const threshold = past.listSucceeded(request, 'setAutoTopUp').at(-1)?.response.record.threshold;
        if (threshold) request.query.set('threshold', String(threshold));
      },
    },
  ),
  conditionalMutant(
    'organisation-name-decoded-twice',
    'ORG-03',
    'value',
    'A plus in the name of an organisation becomes a space.',
    {
      of: 'updateOrganisation',
      when: ({ query }) => (query.get('name') ?? '').includes('+'),
      request: ({ query }) => query.set('name', query.get('name')!.replaceAll('+', ' ')),
    },
  ),
  conditionalMutant(
    'renewal-stays-off',
    'PROXY-02',
    'order',
    'A renewal that is switched on again is listed as off.',
    {
      of: 'listProxies',
      response: (response, request, past) => {
        const switched = past.listSucceeded(request, 'updateProxy');
        for (const proxy of response.list)
          if (
            switched.some(
              (each) =>
                each.request.path.get('proxy_id') === proxy.id &&
                each.request.query.get('auto_renew') === 'false',
            )
          )
            proxy.auto_renew = false;
      },
    },
  ),
  conditionalMutant(
    'all-browsers-closed',
    'BROWSER-02',
    'several things',
    'The deletion of one browser session closes the others.',
    {
      of: 'closeBrowserSession',
      async response(_response, request, past, forward) {
        for (const { response } of past.listSucceeded(request, 'openBrowserSession'))
          await forward(request.derive('DELETE', `/browser/session/${String(response.record.live_id)}`));
      },
    },
  ),
  conditionalMutant(
    'cookie-after-another-unread',
    'AUTH-03',
    'order',
    'The key is not found in a cookie that follows another.',
    {
      of: Object.values(operations).map(({ id }) => id),
      when: ({ headers }) => !headers.apikey && /;\s*apikey=/.test(headers.cookie ?? ''),
      request: (request) => {
        request.key = undefined;
      },
    },
  ),
  conditionalMutant(
    'key-with-more-behind-accepted',
    'AUTH-06',
    'similar id',
    'A key is valid if it begins with a valid key.',
    () => {
      const valid = new Set<string>();
      return {
        of: Object.values(operations).map(({ id }) => id),
        request(request) {
          const { key } = request;
          const begins = [...valid].find((each) => key !== each && key?.startsWith(each));
          if (begins !== undefined) request.key = begins;
        },
        response(_response, { key, operation }) {
          if (key !== undefined && operations[operation!].auth === 'key') valid.add(key);
        },
      };
    },
  ),
  conditionalMutant(
    'other-text-for-downloads-taken',
    'ERROR-01',
    'value',
    'A downloads that is neither true nor false is taken as false.',
    {
      of: 'getTask',
      when: ({ query }) => query.has('downloads') && !/^(true|false)$/.test(query.get('downloads')!),
      request: ({ query }) => query.delete('downloads'),
    },
  ),
  conditionalMutant(
    'chats-of-same-title-renamed',
    'CHAT-05',
    'similar id',
    'A new title is given to all chats of the workspace that had the same title.',
    {
      of: 'renameChat',
      async request(request, _past, forward) {
        const title = request.query.get('title');
        if (title === null) return;
        const { chats } = (await forward(createInWorkspace(request, 'GET', '/chat'))).record;
        if (!Array.isArray(chats)) return;
        const own = chats.find(({ t }) => String(t) === request.query.get('t'));
        for (const chat of chats)
          if (chat !== own && chat.title === own?.title)
            await forward(
              createInWorkspace(request, 'POST', `/chat/id?t=${chat.t}&title=${encodeURIComponent(title)}`),
            );
      },
    },
  ),
  conditionalMutant(
    'second-invite-of-email-fails',
    'ORG-01',
    'n-th request',
    'A second invite for an email is responded to with 500.',
    {
      of: 'inviteUser',
      when: (request, past) =>
        past
          .listSucceeded(request, 'inviteUser')
          .some((each) => each.request.query.get('email') === request.query.get('email')),
      request: () => createRefusal(500),
    },
  ),
  conditionalMutant(
    'second-browser-lives-a-minute',
    'LIMIT-04',
    'later',
    'A browser that is opened while another is open is closed after a minute.',
    {
      of: 'closeBrowserSession',
      when: (request, past) => {
        const opened = past.listSucceeded(request, 'openBrowserSession');
        const index = opened.findIndex(
          ({ response }) => response.record.live_id === request.path.get('session_id'),
        );
        const [before, own] = [opened[index - 1], opened[index]];
        return (
          before !== undefined &&
          own !== undefined &&
          own.at - before.at < 60_000 &&
          past.now() - own.at > 60_000
        );
      },
      request: () => createRefusal(404),
    },
  ),
  conditionalMutant(
    'second-app-replaces-first',
    'WORKSPACE-01',
    'several things',
    'A workspace with several connected apps has the last alone.',
    {
      of: 'getWorkspace',
      response: ({ record }) => {
        if (Array.isArray(record.apps)) record.apps = record.apps.slice(-1);
      },
    },
  ),
  conditionalMutant(
    'two-invalid-parameters-fail',
    'ERROR-01',
    'parameters together',
    'A request with two invalid parameters is responded to with 500.',
    {
      of: Object.values(operations).map(({ id }) => id),
      error: ({ status, record, body }) => {
        const detail = isRecord(body) ? body.detail : record.detail;
        return status === 422 && Array.isArray(detail) && detail.length > 1 ? createRefusal(500) : undefined;
      },
    },
  ),
];

function readWorkspace({ headers }: MutantRequest): string | undefined {
  return headers['workspace-id'];
}

function createInWorkspace(request: MutantRequest, method: string, path: string): MutantRequest {
  const other = request.derive(method, path);
  other.headers['workspace-id'] = readWorkspace(request) ?? '';
  return other;
}

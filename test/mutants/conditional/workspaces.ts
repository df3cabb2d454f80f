import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { createRefusal, isRecord, type LooseRecord } from '../operators/mutant-response.js';

/** Workspaces, chats, messages and attachments. */
export const conditionalWorkspaceMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'shared-false-is-true',
    'WORKSPACE-02',
    'value',
    'A workspace created with shared=false is shared.',
    {
      of: 'createWorkspace',
      when: ({ query }) => query.get('shared') === 'false',
      request: ({ query }) => query.set('shared', 'true'),
    },
  ),
  conditionalMutant(
    'workspace-name-encoded',
    'WORKSPACE-02',
    'value',
    'The name of a workspace is stored as it is encoded in the path.',
    {
      of: ['createWorkspace', 'getWorkspace'],
      response: ({ record }) => {
        record.name = encodeURIComponent(String(record.name));
      },
    },
  ),
  conditionalMutant('workspace-0-422', 'WORKSPACE-02', 'value', 'A workspace with the name 0 is refused.', {
    of: 'createWorkspace',
    when: ({ path }) => path.get('name') === '0',
    request: () => createRefusal(422, 'name: missing'),
  }),
  conditionalMutant(
    'workspace-of-same-name-shown',
    'WORKSPACE-01',
    'several things',
    'GET /workspace shows the oldest of several workspaces of one name.',
    {
      of: 'getWorkspace',
      response: (response, request, past) => {
        const same = past
          .listSucceeded(request, 'createWorkspace')
          .find((each) => each.response.record.name === response.record.name);
        return same && same.response.record.id !== response.record.id ? same.response.copy() : undefined;
      },
    },
  ),
  conditionalMutant(
    'workspace-found-by-longer-id',
    'ERROR-03',
    'similar id',
    'A workspace is found under an id that begins with its own.',
    {
      of: 'getWorkspace',
      error: (_, request, past, forward) => {
        const wanted = request.headers['workspace-id'] ?? '';
        const ids = past
          .listSucceeded(request, 'createWorkspace')
          .map((each) => String(each.response.record.id));
        const id = ids.find((each) => each !== wanted && wanted.startsWith(each));
        if (id === undefined) return undefined;
        const copy = request.copy();
        copy.headers['workspace-id'] = id;
        return forward(copy);
      },
    },
  ),
  conditionalMutant(
    'shared-workspace-has-all-chats',
    'CHAT-01',
    'value',
    'The chats of a shared workspace are those of all workspaces.',
    {
      of: 'listChats',
      when: (request, past) =>
        past
          .listSucceeded(request, 'createWorkspace')
          .some(
            ({ response: { record } }) =>
              record.shared === true && record.id === request.headers['workspace-id'],
          ),
      response: async ({ record }, request, past, forward) => {
        const chats = Array.isArray(record.chats) ? [...record.chats] : [];
        for (const { response } of past.listSucceeded(request, 'createWorkspace')) {
          if (response.record.id === request.headers['workspace-id']) continue;
          const other = request.derive('GET', '/chat');
          other.headers['workspace-id'] = String(response.record.id);
          chats.push(...((await forward(other)).record.chats as unknown[]));
        }
        record.chats = chats;
      },
    },
  ),
  conditionalMutant(
    'chats-at-once-in-one-workspace',
    'CHAT-01',
    'requests at once',
    'Of two chats started at once in two workspaces the second is in the workspace of the first.',
    {
      of: ['createChatTask', 'createMessage'],
      request: (request, past) => {
        const first = [...past.pending].find(
          (other) => other !== request && other.is('createChatTask', 'createMessage'),
        );
        if (first && first.key === request.key && !request.query.has('t'))
          request.headers['workspace-id'] = first.headers['workspace-id'] ?? '';
      },
    },
  ),
  conditionalMutant(
    'chat-title-in-ascii',
    'CHAT-05',
    'value',
    'What is not ASCII in a new title of a chat is replaced by question marks.',
    {
      of: 'renameChat',
      request: ({ query }) => {
        const title = query.get('title');
        if (title !== null) query.set('title', title.replace(/[^\x20-\x7e]/gu, '?'));
      },
    },
  ),
  conditionalMutant(
    'chat-title-blanks-joined',
    'CHAT-05',
    'value',
    'Blanks in a row in a new title of a chat become one.',
    {
      of: 'renameChat',
      request: ({ query }) => {
        const title = query.get('title');
        if (title !== null) query.set('title', title.replace(/ +/g, ' '));
      },
    },
  ),
  conditionalMutant(
    'chat-title-without-tags',
    'CHAT-05',
    'value',
    'What looks like HTML is removed from a new title of a chat.',
    {
      of: 'renameChat',
      request: ({ query }) => {
        const title = query.get('title');
        if (title !== null) query.set('title', title.replace(/<[^>]*>/g, ''));
      },
    },
  ),
  conditionalMutant('chat-title-cut', 'CHAT-05', 'bound', 'A new title of a chat ends after 40 characters.', {
    of: 'renameChat',
    request: ({ query }) => {
      const title = query.get('title');
      if (title !== null) query.set('title', title.slice(0, 40));
    },
  }),
  conditionalMutant(
    'second-rename-lost',
    'CHAT-05',
    'n-th request',
    'A chat keeps the first title that it was given.',
    {
      of: 'renameChat',
      when: (request, past) =>
        past.listAbout(request, 'renameChat').some((each) => each.request.query.has('title')),
      request: ({ query }) => query.delete('title'),
    },
  ),
  conditionalMutant('chat-msg-0-422', 'CHAT-04', 'value', 'A chat is refused with msg=0.', {
    of: 'getChat',
    when: ({ query }) => query.get('msg') === '0',
    response: () => createRefusal(422, 'msg: missing'),
  }),
  conditionalMutant(
    'chat-without-newer-messages-404',
    'CHAT-04',
    'bound',
    'A chat gets 404 if no message is newer than msg.',
    {
      of: 'getChat',
      when: ({ query }) => query.has('msg'),
      response: ({ record: { messages } }) =>
        Array.isArray(messages) && messages.length === 0
          ? createRefusal(404, 'There are no such messages.')
          : undefined,
    },
  ),
  conditionalMutant('messages-t-0-422', 'CHAT-07', 'value', 'The messages of a chat are refused with t=0.', {
    of: 'listMessages',
    when: ({ query }) => query.get('t') === '0',
    response: () => createRefusal(422, 't: missing'),
  }),
  conditionalMutant(
    'messages-with-key-401',
    'CHAT-07',
    'another key',
    'The messages of a chat are refused with a key.',
    {
      of: 'listMessages',
      when: ({ key }) => key !== undefined,
      response: () => createRefusal(401, 'This takes no key.'),
    },
  ),
  conditionalMutant(
    'messages-of-second-turn-lost',
    'CHAT-07',
    'several things',
    'The messages of a chat are those of its first turn alone.',
    {
      of: 'listMessages',
      when: ({ query }) => !query.has('t'),
      response: ({ record }) => {
        if (Array.isArray(record.messages)) record.messages = record.messages.slice(0, 2);
      },
    },
  ),
  conditionalMutant(
    'second-attachment-404',
    'CHAT-09',
    'several things',
    'Of several files in a message the first alone can be read.',
    {
      of: 'getAttachment',
      when: ({ headers }, past) =>
        past.listSucceededByAll('createMessage', 'getChat', 'listMessages').some(({ response }) =>
          listMessages(response.record).some(({ attachments }) => {
            const ids = Array.isArray(attachments)
              ? attachments.map((each) => (isRecord(each) ? each.id : undefined))
              : [];
            return ids.indexOf(headers['attachment-id']) > 0;
          }),
        ),
      response: () => createRefusal(404, 'There is no such attachment.'),
    },
  ),
  conditionalMutant(
    'attachment-read-stays-old',
    'CHAT-10',
    'order',
    'An attachment that was read before a change is shown as it was then.',
    {
      of: 'getAttachment',
      response: (_, { headers }, past) =>
        past
          .listSucceededByAll('getAttachment')
          .find(({ request }) => request.headers['attachment-id'] === headers['attachment-id'])
          ?.response.copy(),
    },
  ),
  conditionalMutant(
    'request-status-in-small-letters',
    'CHAT-06',
    'value',
    'Capital letters in the status of a request become small.',
    {
      of: 'updateRequest',
      request: ({ query }) => query.set('status', (query.get('status') ?? '').toLowerCase()),
    },
  ),
];

function listMessages({ messages }: LooseRecord): LooseRecord[] {
  return Array.isArray(messages) ? messages.filter(isRecord) : [];
}

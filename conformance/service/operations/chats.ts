import type { OperationId } from '../../../spec/generated/operations.js';
import { collectValues, readPayload, readRows } from '../test-case/read-record.js';
import { createBodies } from '../test-case/requests.js';
import { createBodyRequests, createMessageForm, createTaskText } from './bodies.js';
import type { Name } from './command.js';
import { type Facts, isPresent, type ObservedResponse, type Resource } from './observed.js';
import type { CommandFields, OperationDefinition, ValueSource } from './operation.js';
import { type DrawSource, formatReference, refer } from './operation.js';

function createChatRequests(source: ValueSource, role = 'chat') {
  const names = ['task', 'text', 'prompt', 'message', 'content', 'title'];
  return createBodyRequests([createTaskText(source.unique(role)), names]);
}

function createMessageFields(draw: DrawSource, files: readonly string[] = []): CommandFields {
  return {
    form: [
      { name: 'message', text: `Open https://example.com (${draw.unique('message')}).` },
      ...files.map((file) => ({ name: 'files', file: `${file}.txt`, content: `hello ${file}` })),
    ],
  };
}

function pickChatTime(draw: DrawSource, { label }: Resource): string | undefined {
  const isWithin = (each: Resource) => each.workspace === label && isPresent(each);
  return refer(draw.pickResource('chat', isWithin), 't', (t) => t);
}

/** Later than every timestamp, ms. */
const FAR = 99_999_999_999_999;

/** Chats of a workspace, their messages and what those carry. */
export const chatOperations = {
  listChats: {
    needs: ['workspace'],
    lists: 'chat',
    mayQuote: true,
    counts: ({ response, resources }, { query, on }) => {
      const rows = readRows(readPayload(response))?.length;
      // What `t` leaves out is not stated, nor whether an automation has a chat.
      const isOpen =
        query?.t !== undefined ||
        resources.some((each) => each.kind === 'automation' && each.workspace === on);
      const value = isOpen ? undefined : rows;
      return { 'number of chats': { value, requirement: 'CHAT-01' } };
    },
    topics: ['chats'],
    weight: 1.3,
    optional: { limit: (draw) => draw.pick([1, 2, 256]), t: pickChatTime },
  },
  createChatTask: {
    needs: ['workspace'],
    creates: 'chat',
    open: 'fields',
    mayQuote: true,
    request: (source) => createChatRequests(source),
    topics: ['chats'],
    weight: 1.5,
    optional: { task_type: () => 'task' },
    also: [
      {
        topics: ['chats'],
        of: 'chat',
        plain: (draw, chat) => ({
          ...draw.pickForm('createChatTask', createChatRequests(draw, 'again')),
          query: { t: formatReference(chat, 't') },
          open: true,
        }),
      },
    ],
  },
  getChat: {
    needs: ['chat'],
    open: 'lookup',
    mayQuote: true,
    topics: ['chats'],
    weight: 1.3,
    optional: { msg: (draw) => draw.pick([0, FAR]) },
  },
  renameChat: {
    needs: ['chat'],
    open: 'lookup',
    replaces: true,
    request: { query: { title: 'Another title' } },
    topics: ['chats'],
    plain: (draw) => ({ query: { title: draw.unique('title') } }),
  },
  deleteChat: {
    needs: ['chat'],
    open: 'lookup',
    consumes: true,
    topics: ['chats'],
    weight: 0.8,
  },
  listMessages: {
    needs: ['chat'],
    open: 'lookup',
    mayQuote: true,
    topics: ['chats'],
    finds: ['request', 'attachment'],
    optional: { t: (draw, chat) => draw.pick([0, formatReference(chat, 't')]) },
  },
  createMessage: {
    needs: ['workspace'],
    creates: 'message',
    open: 'fields',
    mayQuote: true,
    request: () => [
      { form: createMessageForm(['message'], ['files']) },
      { form: createMessageForm(['message'], ['file']) },
      { form: createMessageForm(['message', 'text', 'content', 'prompt', 'task'], ['files', 'attachments']) },
    ],
    topics: ['chats'],
    plain: (draw) => createMessageFields(draw),
    often: ['with a file'],
    variants: {
      'with a file': (draw) => createMessageFields(draw, [draw.unique('attached')]),
      'with two files': (draw) =>
        createMessageFields(draw, [draw.unique('attached'), draw.unique('attached')]),
    },
    also: [
      {
        topics: ['chats'],
        of: 'chat',
        plain: (draw, chat) => ({
          ...createMessageFields(draw),
          query: { t: formatReference(chat, 't') },
          open: true,
        }),
      },
    ],
  },
  getAttachment: { needs: ['attachment'], open: 'lookup', topics: ['chats'] },
  updateAttachment: {
    needs: ['attachment'],
    open: 'lookup',
    replaces: true,
    request: [
      { body: { name: 'renamed.txt' } },
      {
        body: {
          ...createBodies(['renamed.txt', ['name', 'title', 'filename', 'file_name']])[0],
          content: 'hello',
        },
      },
    ],
    topics: ['chats'],
    plain: (draw) => ({ body: { name: `${draw.unique('attached')}.txt` }, open: true }),
    variants: { content: (draw) => ({ body: { content: draw.unique('content') }, open: true }) },
  },
  updateRequest: {
    needs: ['request'],
    open: 'lookup',
    replaces: true,
    mayQuote: true,
    request: { query: { status: 'approved' } },
    facts: collectStatusFacts,
    topics: ['chats'],
    plain: { query: { status: 'approved' }, open: true },
    variants: {
      'a status of its own': (draw) => ({ query: { status: draw.unique('status') }, open: true }),
    },
  },
} as const satisfies Partial<Record<OperationId, OperationDefinition>>;

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

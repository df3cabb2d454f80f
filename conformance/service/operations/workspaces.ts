import type { OperationId } from '../../../spec/generated/operations.js';
import { readField } from '../../conversation/json.js';
import { collectValues, readPayload, readRows } from '../test-case/read-record.js';
import { createBodies, type NamedValue } from '../test-case/requests.js';
import { createMessageForm, createTaskText } from './bodies.js';
import { collectRemovalCounts } from './collect-facts.js';
import type { Name } from './command.js';
import { type Facts, isPresent, type ObservedResponse, type Resource } from './observed.js';
import type { CommandFields, OperationDefinition, ValueSource } from './operation.js';
import { type DrawSource, formatReference, refer } from './operation.js';

function createBodyRequests(...fields: readonly NamedValue[]) {
  return createBodies(...fields).map((body) => ({ body }));
}

function createChatRequests(source: ValueSource, role = 'chat') {
  const names = ['task', 'text', 'prompt', 'message', 'content', 'title'];
  return createBodyRequests([createTaskText(source.unique(role)), names]);
}

/** Requests that save an SOP. */
function createSopRequests(source: ValueSource) {
  const title = source.unique('sop');
  const content = `First open the page. Then read it (${title}).`;
  const names = ['content', 'description', 'text', 'body', 'instructions'];
  return createBodyRequests([title, ['title', 'name']], [content, names]);
}

/** In the form that the service accepts. */
function createSop(draw: DrawSource): CommandFields {
  return draw.pickForm('saveSop', createSopRequests(draw));
}

function createTelemetryRequests(source: ValueSource) {
  const time = source.now();
  const event = {
    event: source.unique('telemetry'),
    timestamp: new Date(time).toISOString(),
    properties: {},
  };
  const [named] = createBodies([event.event, ['event', 'name', 'type', 'event_name']]);
  const other = { ...event, ...named, data: {} };
  const all = [event, other, { ...other, timestamp: Math.floor(time) }];
  return all.map((each) => ({ body: { events: [each] } }));
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

const WORKSPACES = ['chats', 'sops', 'automations'] as const;

export const workspaceOperations = {
  getWorkspace: {
    needs: ['workspace'],
    facts: (observed) => ({
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
    topics: WORKSPACES,
  },
  createWorkspace: {
    creates: 'workspace',
    request: (source) => ({ path: { name: source.unique('workspace') } }),
    facts: collectSharedFacts,
    topics: WORKSPACES,
    weight: 0.6,
    variants: {
      'the same name again': { path: { name: '{{word.workspacesame}}' }, open: true },
      // Earlier sequences may have created it.
      'the name 0': { path: { name: '0' }, open: true },
    },
    optional: { shared: (draw) => draw.drawBoolean(0.7) },
  },

  listChats: {
    needs: ['workspace'],
    lists: 'chat',
    mayQuote: true,
    counts: ({ response }, { query }) => {
      const rows = readRows(readPayload(response))?.length;
      // What `t` leaves out is not stated.
      const value = query?.t === undefined ? rows : undefined;
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

  listSops: {
    needs: ['workspace'],
    lists: 'sop',
    counts: (observed) => collectRemovalCounts(observed, 'sop', 'number of SOPs', 'SOP-01'),
    topics: ['sops'],
    weight: 1.3,
  },
  saveSop: {
    needs: ['workspace'],
    creates: 'sop',
    open: 'fields',
    replaces: true,
    request: createSopRequests,
    counts: ({ response }) => ({
      'number of SOPs': {
        value: readRows(readPayload(response))?.length,
        requirement: 'SOP-02',
        isOpen: true,
      },
    }),
    topics: ['sops'],
    weight: 1.5,
    variants: { 't is 0': (draw) => ({ ...createSop(draw), query: { t: 0 } }) },
    also: [
      {
        topics: ['sops'],
        of: 'sop',
        plain: (draw, sop) => ({ ...createSop(draw), query: { t: formatReference(sop, 't') } }),
        variants: {
          'an empty content': (draw, sop) => {
            const fields = Object.entries(createSop(draw).body as Record<string, string>);
            const title = fields[0]?.[1];
            // The content may have several field names.
            const emptied = fields.map(([name, value]) => [name, value === title ? value : '']);
            return { body: Object.fromEntries(emptied), query: { t: formatReference(sop, 't') }, open: true };
          },
        },
      },
    ],
  },
  deleteSop: { needs: ['sop'], open: 'lookup', consumes: true, topics: ['sops'] },

  listAutomations: {
    needs: ['workspace'],
    lists: 'automation',
    counts: (observed) => collectRemovalCounts(observed, 'automation', 'number of automations', 'AUTO-01'),
    topics: ['automations'],
  },
  createAutomation: {
    needs: ['workspace'],
    creates: 'automation',
    open: 'fields',
    request(source) {
      const name = source.unique('automation');
      const task = createTaskText(name);
      const triggers = ['webhook', { type: 'webhook' }].map((trigger) => ({ body: { name, task, trigger } }));
      return [
        ...createBodyRequests(
          [name, ['name', 'title']],
          [task, ['task', 'prompt', 'description', 'instructions', 'content']],
        ),
        ...triggers,
      ];
    },
    topics: ['automations'],
    weight: 1.5,
  },
  deleteAutomation: {
    needs: ['automation'],
    open: 'lookup',
    consumes: true,
    topics: ['automations'],
  },
  triggerWebhook: {
    needs: ['automation'],
    open: 'lookup',
    request: (_, { id }) => ({ body: { automation_id: id } }),
    topics: ['automations'],
  },
  getJob: { needs: ['job'], open: 'lookup' },
  listApps: { lists: 'app', topics: ['automations'], finds: ['app'] },
  connectApp: {
    needs: ['app', 'workspace'],
    open: 'lookup',
    request: { body: {} },
    topics: ['automations'],
    plain: (draw) =>
      refer(draw.pickResource('app'), 'app_name', (app_name) => ({ path: { app_name }, body: {} })),
  },
  sendTelemetry: {
    open: 'fields',
    request: createTelemetryRequests,
    topics: ['automations'],
    weight: 0.4,
    variants: {
      'two events of one name': (draw) => {
        const { body } = draw.pickForm('sendTelemetry', createTelemetryRequests(draw));
        const { events } = body as { events: string[] };
        return { body: { events: [...events, ...events] } };
      },
      'no events': { body: { events: [] }, open: true },
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

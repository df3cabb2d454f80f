import type { OperationId } from '../../../../../spec/generated/operations.js';
import { requestBuilders } from '../../../request-builders/builders.js';
import type { Command, Template } from '../../sequence/sequence.js';
import type { CommandBuilder, DrawContext } from '../draw.js';
import { formatReference } from '../draw.js';

/** A valid body of the operation, in the form that the service accepts. `role`: the purpose of its text. */
function createBody(draw: DrawContext, operation: OperationId, role: string): Partial<Command> {
  const marker = draw.createMarker(role);
  const { request } = requestBuilders[operation];
  const source = { unique: () => marker, now: () => 0 };
  const forms = [typeof request === 'function' ? request(source, {}) : (request ?? {})].flat();
  const { body } = forms[draw.forms.get(operation) ?? 0] ?? forms[0]!;
  return { body: body as Template };
}

function createMessageFields(draw: DrawContext, files: readonly string[] = []): Partial<Command> {
  return {
    form: [
      { name: 'message', text: `Open https://example.com (${draw.createMarker('message')}).` },
      ...files.map((file) => ({ name: 'files', file: `${file}.txt`, content: `hello ${file}` })),
    ],
  };
}

const pickResourceTime =
  (kind: 'chat' | 'sop') =>
  (draw: DrawContext, { label }: { label: string }) => {
    const resource = draw.pickResource(
      kind,
      ({ workspace, state }) => workspace === label && state !== 'gone',
    );
    return resource && formatReference(resource, 't');
  };

/** Later than every timestamp, ms. */
const FAR = 99_999_999_999_999;

const WORKSPACES = ['chats', 'sops', 'automations'] as const;
const chat: Pick<CommandBuilder, 'topics' | 'of'> = { topics: ['chats'], of: 'chat' };

export const workspaceBuilders: readonly CommandBuilder[] = [
  {
    operation: 'createWorkspace',
    topics: WORKSPACES,
    makes: 'workspace',
    weight: 0.6,
    request: (draw) => ({ path: { name: draw.createMarker('workspace') } }),
    variants: {
      'the same name again': () => ({ path: { name: '{{word.workspacesame}}' } }),
      'the name 0': () => ({ path: { name: '0' } }),
    },
    optional: { shared: (draw) => draw.drawBoolean(0.7) },
  },
  { operation: 'getWorkspace', topics: WORKSPACES, of: 'workspace' },

  {
    operation: 'createChatTask',
    topics: ['chats'],
    of: 'workspace',
    makes: 'chat',
    weight: 1.5,
    request: (draw) => createBody(draw, 'createChatTask', 'chat'),
    optional: { task_type: () => 'task' },
  },
  {
    operation: 'createMessage',
    topics: ['chats'],
    of: 'workspace',
    makes: 'chat',
    request: (draw) => createMessageFields(draw),
    variants: {
      'with a file': (draw) => createMessageFields(draw, [draw.createMarker('attached')]),
      'with two files': (draw) =>
        createMessageFields(draw, [draw.createMarker('attached'), draw.createMarker('attached')]),
    },
  },
  {
    operation: 'createChatTask',
    ...chat,
    request: (draw, resource) => ({
      ...createBody(draw, 'createChatTask', 'again'),
      query: { t: formatReference(resource, 't') },
      open: true,
    }),
  },
  {
    operation: 'createMessage',
    ...chat,
    request: (draw, resource) => ({
      ...createMessageFields(draw),
      query: { t: formatReference(resource, 't') },
      open: true,
    }),
  },
  {
    operation: 'listChats',
    topics: ['chats'],
    of: 'workspace',
    weight: 1.3,
    optional: { limit: (draw) => draw.pick([1, 2, 256]), t: pickResourceTime('chat') },
  },
  {
    operation: 'getChat',
    ...chat,
    weight: 1.3,
    optional: { msg: (draw) => draw.pick([0, FAR]) },
  },
  { operation: 'renameChat', ...chat, request: (draw) => ({ query: { title: draw.createMarker('title') } }) },
  { operation: 'deleteChat', ...chat, weight: 0.8 },
  {
    operation: 'listMessages',
    ...chat,
    finds: 'attachment',
    optional: { t: (draw, resource) => draw.pick([0, formatReference(resource, 't')]) },
  },
  { operation: 'getAttachment', topics: ['chats'], of: 'attachment' },
  {
    operation: 'updateAttachment',
    topics: ['chats'],
    of: 'attachment',
    request: (draw) => ({ body: { name: `${draw.createMarker('attached')}.txt` }, open: true }),
    variants: { content: (draw) => ({ body: { content: draw.createMarker('content') }, open: true }) },
  },
  {
    operation: 'updateRequest',
    topics: ['chats'],
    of: 'request',
    request: () => ({ query: { status: 'approved' }, open: true }),
    variants: {
      'a status of its own': (draw) => ({ query: { status: draw.createMarker('status') }, open: true }),
    },
  },

  { operation: 'listSops', topics: ['sops'], of: 'workspace', weight: 1.3 },
  {
    operation: 'saveSop',
    topics: ['sops'],
    of: 'workspace',
    makes: 'sop',
    weight: 1.5,
    request: (draw) => createBody(draw, 'saveSop', 'sop'),
    variants: { 't is 0': (draw) => ({ ...createBody(draw, 'saveSop', 'sop'), query: { t: 0 } }) },
  },
  {
    operation: 'saveSop',
    topics: ['sops'],
    of: 'sop',
    request: (draw, resource) => ({
      ...createBody(draw, 'saveSop', 'sop'),
      query: { t: formatReference(resource, 't') },
    }),
    variants: {
      'an empty content': (draw, resource) => {
        const { body } = createBody(draw, 'saveSop', 'sop');
        const fields = Object.entries(body as Record<string, Template>);
        const title = fields[0]?.[1];
        // The content may have several field names.
        const emptied = fields.map(([name, value]) => [name, value === title ? value : '']);
        return {
          body: Object.fromEntries(emptied),
          query: { t: formatReference(resource, 't') },
          open: true,
        };
      },
    },
  },
  { operation: 'deleteSop', topics: ['sops'], of: 'sop' },
  { operation: 'listAutomations', topics: ['automations'], of: 'workspace' },
  {
    operation: 'createAutomation',
    topics: ['automations'],
    of: 'workspace',
    makes: 'automation',
    weight: 1.5,
    request: (draw) => createBody(draw, 'createAutomation', 'automation'),
  },
  { operation: 'deleteAutomation', topics: ['automations'], of: 'automation' },
  {
    operation: 'triggerWebhook',
    topics: ['automations'],
    of: 'automation',
    request: (_, { label }) => ({ body: { automation_id: `{{${label}.id}}` } }),
  },
  { operation: 'listApps', topics: ['automations'], finds: 'app' },
  {
    operation: 'connectApp',
    topics: ['automations'],
    of: 'workspace',
    request: (draw) => {
      const app = draw.pickResource('app');
      return app && { path: { app_name: formatReference(app, 'app_name') }, body: {} };
    },
  },
  {
    operation: 'sendTelemetry',
    topics: ['automations'],
    weight: 0.4,
    request: (draw) => createBody(draw, 'sendTelemetry', 'telemetry'),
    variants: {
      'two events of one name': (draw) => {
        const { body } = createBody(draw, 'sendTelemetry', 'telemetry');
        const events = (body as { events: Template[] }).events;
        return { body: { events: [...events, ...events] } };
      },
      'no events': () => ({ body: { events: [] }, open: true }),
    },
  },
];

import type { OperationId } from '../../../../../spec/generated/operations.js';
import { requestBuilders } from '../../../request-builders/builders.js';
import type { Command, Template } from '../../sequence/sequence.js';
import type { Draw, Row } from '../draw.js';
import { ref } from '../draw.js';

/** A valid body of the operation, in the form that the service takes. `role`: what its text is. */
function bodyOf(draw: Draw, operation: OperationId, role: string): Partial<Command> {
  const word = draw.word(role);
  const { request } = requestBuilders[operation];
  const source = { unique: () => word, now: () => 0 };
  const forms = [typeof request === 'function' ? request(source, {}) : (request ?? {})].flat();
  const { body } = forms[draw.forms.get(operation) ?? 0] ?? forms[0]!;
  return { body: body as Template };
}

function message(draw: Draw, files: readonly string[] = []): Partial<Command> {
  return {
    form: [
      { name: 'message', text: `Open https://example.com (${draw.word('message')}).` },
      ...files.map((file) => ({ name: 'files', file: `${file}.txt`, content: `hello ${file}` })),
    ],
  };
}

/** The `t` of something in the workspace. */
const timeOf =
  (kind: 'chat' | 'sop') =>
  (draw: Draw, { label }: { label: string }) => {
    const thing = draw.thing(kind, ({ workspace, state }) => workspace === label && state !== 'gone');
    return thing && ref(thing, 't');
  };

/** Ahead of every time, ms. */
const FAR = 99_999_999_999_999;

const WORKSPACES = ['chats', 'sops', 'automations'] as const;
const chat: Pick<Row, 'families' | 'of'> = { families: ['chats'], of: 'chat' };

/** Workspaces and what is in them. */
export const workspaceRows: readonly Row[] = [
  {
    operation: 'createWorkspace',
    families: WORKSPACES,
    makes: 'workspace',
    weight: 0.6,
    request: (draw) => ({ path: { name: draw.word('workspace') } }),
    variants: {
      'the same name again': () => ({ path: { name: '{{word.workspacesame}}' } }),
      'the name 0': () => ({ path: { name: '0' } }),
    },
    optional: { shared: (draw) => draw.chance(0.7) },
  },
  { operation: 'getWorkspace', families: WORKSPACES, of: 'workspace' },

  {
    operation: 'createChatTask',
    families: ['chats'],
    of: 'workspace',
    makes: 'chat',
    weight: 1.5,
    request: (draw) => bodyOf(draw, 'createChatTask', 'chat'),
    optional: { task_type: () => 'task' },
  },
  {
    operation: 'createMessage',
    families: ['chats'],
    of: 'workspace',
    makes: 'chat',
    request: (draw) => message(draw),
    variants: {
      'with a file': (draw) => message(draw, [draw.word('attached')]),
      'with two files': (draw) => message(draw, [draw.word('attached'), draw.word('attached')]),
    },
  },
  {
    operation: 'createChatTask',
    ...chat,
    request: (draw, thing) => ({
      ...bodyOf(draw, 'createChatTask', 'again'),
      query: { t: ref(thing, 't') },
      open: true,
    }),
  },
  {
    operation: 'createMessage',
    ...chat,
    request: (draw, thing) => ({ ...message(draw), query: { t: ref(thing, 't') }, open: true }),
  },
  {
    operation: 'listChats',
    families: ['chats'],
    of: 'workspace',
    weight: 1.3,
    optional: { limit: (draw) => draw.pick([1, 2, 256]), t: timeOf('chat') },
  },
  {
    operation: 'getChat',
    ...chat,
    weight: 1.3,
    optional: { msg: (draw) => draw.pick([0, FAR]) },
  },
  { operation: 'renameChat', ...chat, request: (draw) => ({ query: { title: draw.word('title') } }) },
  { operation: 'deleteChat', ...chat, weight: 0.8 },
  {
    operation: 'listMessages',
    ...chat,
    finds: 'attachment',
    optional: { t: (draw, thing) => draw.pick([0, ref(thing, 't')]) },
  },
  { operation: 'getAttachment', families: ['chats'], of: 'attachment' },
  {
    operation: 'updateAttachment',
    families: ['chats'],
    of: 'attachment',
    request: (draw) => ({ body: { name: `${draw.word('attached')}.txt` }, open: true }),
    variants: { content: (draw) => ({ body: { content: draw.word('content') }, open: true }) },
  },
  {
    operation: 'updateRequest',
    families: ['chats'],
    of: 'request',
    request: () => ({ query: { status: 'approved' }, open: true }),
    variants: {
      'a status of its own': (draw) => ({ query: { status: draw.word('status') }, open: true }),
    },
  },

  { operation: 'listSops', families: ['sops'], of: 'workspace', weight: 1.3 },
  {
    operation: 'saveSop',
    families: ['sops'],
    of: 'workspace',
    makes: 'sop',
    weight: 1.5,
    request: (draw) => bodyOf(draw, 'saveSop', 'sop'),
    variants: { 't is 0': (draw) => ({ ...bodyOf(draw, 'saveSop', 'sop'), query: { t: 0 } }) },
  },
  {
    operation: 'saveSop',
    families: ['sops'],
    of: 'sop',
    request: (draw, thing) => ({ ...bodyOf(draw, 'saveSop', 'sop'), query: { t: ref(thing, 't') } }),
    variants: {
      'an empty content': (draw, thing) => {
        const { body } = bodyOf(draw, 'saveSop', 'sop');
        const fields = Object.entries(body as Record<string, Template>);
        const title = fields[0]?.[1];
        // It may stand under several names.
        const emptied = fields.map(([name, value]) => [name, value === title ? value : '']);
        return { body: Object.fromEntries(emptied), query: { t: ref(thing, 't') }, open: true };
      },
    },
  },
  { operation: 'deleteSop', families: ['sops'], of: 'sop' },
  { operation: 'listAutomations', families: ['automations'], of: 'workspace' },
  {
    operation: 'createAutomation',
    families: ['automations'],
    of: 'workspace',
    makes: 'automation',
    weight: 1.5,
    request: (draw) => bodyOf(draw, 'createAutomation', 'automation'),
  },
  { operation: 'deleteAutomation', families: ['automations'], of: 'automation' },
  {
    operation: 'triggerWebhook',
    families: ['automations'],
    of: 'automation',
    request: (_, { label }) => ({ body: { automation_id: `{{${label}.id}}` } }),
  },
  { operation: 'listApps', families: ['automations'], finds: 'app' },
  {
    operation: 'connectApp',
    families: ['automations'],
    of: 'workspace',
    request: (draw) => {
      const app = draw.thing('app');
      return app && { path: { app_name: ref(app, 'app_name') }, body: {} };
    },
  },
  {
    operation: 'sendTelemetry',
    families: ['automations'],
    weight: 0.4,
    request: (draw) => bodyOf(draw, 'sendTelemetry', 'telemetry'),
    variants: {
      'two events of one name': (draw) => {
        const { body } = bodyOf(draw, 'sendTelemetry', 'telemetry');
        const events = (body as { events: Template[] }).events;
        return { body: { events: [...events, ...events] } };
      },
      'no events': () => ({ body: { events: [] }, open: true }),
    },
  },
];

import type { OperationId } from '../../../spec/generated/operations.js';
import { readField } from '../../conversation/json.js';
import { collectValues, readPayload, readRows } from '../test-case/read-record.js';
import { createBodies } from '../test-case/requests.js';
import { createBodyRequests, createTaskText } from './bodies.js';
import { collectRemovalCounts } from './collect-facts.js';
import type { Facts, ObservedResponse } from './observed.js';
import type { CommandFields, OperationDefinition, ValueSource } from './operation.js';
import { type DrawSource, formatReference, refer } from './operation.js';

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

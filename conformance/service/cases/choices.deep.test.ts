import { describe, expect, it } from 'vitest';
import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { type FetchInterceptor, runAgainstMock } from '../../../test/support/cases/target.js';

type Json = Record<string, unknown>;

/** Renames fields anywhere in responses that are not about tasks. */
function renamed(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((each) => renamed(each, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      Object.hasOwn(names, name) ? names[name] : name,
      renamed(part, names),
    ]),
  );
}

/** Replaces records by their ids, in lists of that name. */
function byId(value: unknown, list: string): unknown {
  if (Array.isArray(value)) return value.map((each) => byId(each, list));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === list && Array.isArray(part) ? part.map(({ id }) => id) : byId(part, list),
    ]),
  );
}

const isOfTask = (operation: OperationId) => operations[operation].tag === 'tasks';

/** Changes successful responses. */
const answering =
  (
    change: (body: Json, operation: OperationId) => unknown,
    wanted?: readonly OperationId[],
  ): FetchInterceptor =>
  async ({ operation, url, init }, pass) => {
    const response = await pass(url, init);
    const isWanted = wanted ? wanted.includes(operation) : !isOfTask(operation) && operation !== 'uploadFile';
    if (!response.ok || !isWanted) return response;
    return Response.json(change((await response.json()) as Json, operation), { status: response.status });
  };

/** Requires a body with exactly these fields, and maps it to that of the mock. */
const taking =
  (wanted: OperationId, fields: readonly string[], translate: (body: Json) => unknown): FetchInterceptor =>
  ({ operation, url, init }, pass) => {
    if (operation !== wanted || init.method === 'GET' || typeof init.body !== 'string')
      return pass(url, init);
    const isJson = !init.body.endsWith('[');
    const body = (isJson ? JSON.parse(init.body) : {}) as Json;
    if (JSON.stringify(Object.keys(body).sort()) !== JSON.stringify([...fields].sort()))
      return Promise.resolve(Response.json({ detail: `only ${fields}` }, { status: 422 }));
    return pass(url, { ...init, body: JSON.stringify(translate(body)) });
  };

/** Requires a form with other part names. */
const takingParts =
  (wanted: readonly OperationId[], names: Readonly<Record<string, string>>): FetchInterceptor =>
  ({ operation, url, init }, pass) => {
    if (!wanted.includes(operation) || !(init.body instanceof FormData)) return pass(url, init);
    const form = new FormData();
    for (const [name, value] of init.body) {
      if (!Object.hasOwn(names, name))
        return Promise.resolve(Response.json({ detail: `no ${name}` }, { status: 422 }));
      if (typeof value === 'string') form.append(names[name]!, value);
      else form.append(names[name]!, value, value.name);
    }
    return pass(url, { ...init, body: form });
  };

/** Another response for a missing resource. */
const missing =
  (response: () => Response, ...wanted: OperationId[]): FetchInterceptor =>
  async ({ operation, url, init }, pass) => {
    const given = await pass(url, init);
    return given.status === 404 && wanted.includes(operation) ? response() : given;
  };

const REMOVALS: OperationId[] = [
  'deleteProfile',
  'deleteBrowserProfile',
  'deleteFile',
  'deleteExtension',
  'deleteBrowserExtension',
  'closeBrowserSession',
  'deleteChat',
  'deleteSop',
  'deleteAutomation',
];

const DESIGNS: readonly (readonly [what: string, bend: FetchInterceptor, passed: number])[] = [
  [
    'records in snake case with ids of their kind',
    answering((body) =>
      renamed(body, { id: 'uuid', t: 'created_at', created_at: 'made_at', title: 'label', content: 'text' }),
    ),
    60,
  ],
  [
    'records in camel case',
    answering((body) =>
      renamed(body, {
        live_id: 'sessionId',
        task_id: 'taskId',
        created_at: 'createdAt',
        t: 'timestamp',
        webhook_token: 'hookSecret',
      }),
    ),
    65,
  ],
  [
    'everything in the envelope',
    answering((body, operation) => (operations[operation].body2xx === 'bare' ? { r: body } : body)),
    65,
  ],
  [
    'lists as they are',
    answering((body) => Object.values(body)[0], ['listSops', 'listApps', 'listChats']),
    65,
  ],
  [
    'old lists without a name',
    answering(
      ({ r }) => ({ r: Object.values(r as Json)[0] }),
      ['listBrowserProfiles', 'listBrowserExtensions'],
    ),
    65,
  ],
  [
    'an upload whose response has no id',
    answering(() => ({ r: { uploaded: true } }), ['uploadExtension', 'uploadBrowserExtension']),
    60,
  ],
  [
    'a usage in parts, with no limit to browsers',
    answering(
      ({ r }) => ({
        r: {
          api: { credit_balance: (r as Json).credits },
          browser: { sessions: null },
          plan: { name: (r as Json).plan },
        },
      }),
      ['getUsage'],
    ),
    65,
  ],
  [
    'an organisation in another, an automatic top-up in other words',
    answering(
      ({ r }, operation) =>
        operation === 'getOrganisation'
          ? { r: { organisation: { display_name: (r as Json).name }, seats: 3 } }
          : {
              r: {
                enabled: (r as Json).active,
                topup_amount: (r as Json).amount,
                threshold: (r as Json).threshold,
                currency: 'usd',
              },
            },
      ['getOrganisation', 'getAutoTopUp', 'setAutoTopUp'],
    ),
    65,
  ],
  [
    'an account with empty records',
    answering(() => ({ r: { status: 'ok' } }), ['getOrganisation', 'getAutoTopUp', 'setAutoTopUp']),
    65,
  ],
  ['money that is paid elsewhere', answering(() => ({ r: 'https://pay.test/' }), ['topUp', 'setPlan']), 65],
  [
    'a plan that changes at the end of the month',
    ({ operation, url, init }, pass) => {
      const next = new URL(url).searchParams.get('plan');
      return operation === 'setPlan' && next !== 'growth'
        ? Promise.resolve(Response.json({ r: { plan: 'growth', next } }))
        : pass(url, init);
    },
    65,
  ],
  [
    'no bodies where none is stated',
    async ({ operation, url, init }, pass) => {
      const response = await pass(url, init);
      const isOpen = operations[operation].body2xx === 'open';
      return isOpen && response.ok ? new Response(null, { status: 204 }) : response;
    },
    65,
  ],
  [
    '201 for what was made',
    async ({ url, init }, pass) => {
      const response = await pass(url, init);
      return init.method === 'POST' && response.ok
        ? Response.json(await response.json(), { status: 201 })
        : response;
    },
    65,
  ],
  [
    'removals of missing resources that return false',
    missing(() => Response.json({ r: false }), ...REMOVALS),
    65,
  ],
  ['removals that can be repeated', missing(() => Response.json({ r: true }), ...REMOVALS), 65],
  [
    'removals of nothing that count as mistakes',
    missing(() => Response.json({ detail: 'x' }, { status: 400 }), ...REMOVALS),
    65,
  ],
  [
    'what belongs to others is forbidden',
    async ({ operation, url, init }, pass) => {
      const response = await pass(url, init);
      const key = (init.headers as Record<string, string>).apikey;
      const isOther = response.status === 404 && key === 'other-key' && !isOfTask(operation);
      return isOther ? Response.json({ detail: 'not yours' }, { status: 403 }) : response;
    },
    65,
  ],
  [
    'SOPs of a name and a text',
    taking('saveSop', ['name', 'text'], ({ name, text }) => ({ title: name, content: text })),
    65,
  ],
  [
    'automations with a prompt',
    taking('createAutomation', ['name', 'prompt'], ({ name, prompt }) => ({ name, task: prompt })),
    65,
  ],
  ['webhooks by token', taking('triggerWebhook', ['token'], ({ token }) => ({ automation_id: token })), 65],
  [
    'chats that begin with a message',
    taking('createChatTask', ['message'], ({ message }) => ({ task: message })),
    65,
  ],
  ['telemetry in batches', taking('sendTelemetry', ['batch'], ({ batch }) => ({ events: batch })), 65],
  ['telemetry with unknown fields', taking('sendTelemetry', ['x'], (body) => body), 65],
  ['SOPs with unknown fields', taking('saveSop', ['x', 'y'], (body) => body), 65],
  [
    'extensions in a part of their own',
    takingParts(['uploadExtension', 'uploadBrowserExtension'], { extension: 'file' }),
    65,
  ],
  [
    'messages in parts of other names',
    takingParts(['createMessage'], { text: 'message', attachment: 'files' }),
    65,
  ],
  [
    'attachments listed by their ids alone',
    answering((body) => byId(body, 'attachments'), ['createMessage', 'listMessages', 'getChat']),
    65,
  ],
  [
    'workspaces alone: nothing of chats, SOPs and automations',
    async ({ operation, url, init }, pass) =>
      /Chat|Message|Sop|Automation|Webhook|connectApp/.test(operation)
        ? Response.json({ detail: 'Not on your plan.' }, { status: 403 })
        : pass(url, init),
    45,
  ],
  [
    'what is new shows late',
    lately('listProfiles', 'listExtensions', 'listSops', 'listAutomations', 'listChats'),
    65,
  ],
];

describe('a correct service with other choices', () => {
  it.each(DESIGNS)('is not failed: %s', async (_, bend, passed) => {
    const { checks, ids, faults } = await runAgainstMock({ bend });
    const failures = checks.filter(({ outcome }) => outcome === 'failed');
    expect(failures.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(faults).toEqual([]);
    expect(ids.passed.length).toBeGreaterThanOrEqual(passed);
  });
});

/** Every other list is outdated. */
function lately(...wanted: OperationId[]): FetchInterceptor {
  const before = new Map<string, unknown>();
  return async ({ operation, url, init }, pass) => {
    const response = await pass(url, init);
    if (!wanted.includes(operation) || !response.ok) return response;
    const of = JSON.stringify([url, init.headers]);
    const [old, now] = [before.get(of), await response.json()];
    before.set(of, now);
    return Response.json(old ?? now);
  };
}

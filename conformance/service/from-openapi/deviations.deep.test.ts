import { describe, expect, it } from 'vitest';
import {
  listMessages,
  type RequestChange,
  type ResponseChange,
  runWithoutRules,
} from '../../../test/support/from-openapi/run-cases.js';
import { generatedCases } from '../all-cases.js';

/** Deviations that a service may have, since the API does not specify these points. */

const cases = generatedCases.filter(({ id }) => id !== 'limits/listChats-default');

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Changes every object in a body. */
function everywhere(value: unknown, change: (object: Record<string, unknown>) => object): unknown {
  if (Array.isArray(value)) return value.map((each) => everywhere(each, change));
  if (value === null || typeof value !== 'object') return value;
  const inner = Object.entries(value).map(([name, each]) => [name, everywhere(each, change)]);
  return change(Object.fromEntries(inner));
}

/** Fields that the API names. */
const STATED = new Set(
  'r detail id status output live_url recording_url credits_used events name payload timestamp input code auto_renew'.split(
    ' ',
  ),
);

const renamed = (suffix: string): ResponseChange => {
  return ({ status, body, path }) => {
    if (!isSuccess(status) || /^\/task(?!\/zero)/.test(path)) return undefined;
    const change = (object: object) =>
      Object.fromEntries(
        Object.entries(object).map(([name, value]) => [STATED.has(name) ? name : `${name}${suffix}`, value]),
      );
    return { body: everywhere(body, change) };
  };
};

const OPEN_BODIES =
  /^(POST \/org|DELETE \/task\/[^/]+|DELETE \/profile\/.*|DELETE \/browser\/(session|profile)\/.*|POST \/telemetry|GET \/job\/.*|DELETE \/(sop|automation)|POST \/webhook)$/;

/** `__proto__` is an own field here. */
const INHERITED = JSON.parse(
  '{"constructor":"c","toString":7,"hasOwnProperty":[],"valueOf":null,"__proto__":{"more":1}}',
);

const WHIMS: [string, { before?: RequestChange; after?: ResponseChange }][] = [
  [
    'responds with 201 to creations',
    { after: ({ method, status }) => (method === 'POST' && status === 200 ? { status: 201 } : undefined) },
  ],
  [
    'sends no body where none is stated',
    {
      after: ({ method, path, status }) =>
        isSuccess(status) && OPEN_BODIES.test(`${method} ${path}`)
          ? { status: 204, body: undefined }
          : undefined,
    },
  ],
  [
    'has more fields everywhere',
    { after: ({ body }) => ({ body: everywhere(body, (each) => ({ ...each, more: { more: [1] } })) }) },
  ],
  [
    'has fields named like the members that every object inherits',
    { after: ({ body }) => ({ body: everywhere(body, (each) => ({ ...INHERITED, ...each })) }) },
  ],
  ['calls the fields that are open otherwise', { after: renamed('_of_ours') }],
  [
    'wraps what is named without the envelope',
    {
      after: ({ status, body, method, path }) => {
        const isOpen = OPEN_BODIES.test(`${method} ${path}`) || body?.r !== undefined;
        return isSuccess(status) && !isOpen ? { body: { r: body } } : undefined;
      },
    },
  ],
  [
    'has null where there is nothing',
    {
      after: ({ body }) => ({
        body: everywhere(body, (each) => ({ cookie_count: null, downloads_url: null, ...each })),
      }),
    },
  ],
  [
    'refuses with 403 what has no key',
    { after: ({ status }) => (status === 401 ? { status: 403 } : undefined) },
  ],
  [
    'gives no reason for a missing key',
    { after: ({ status }) => (status === 401 ? { body: undefined } : undefined) },
  ],
  [
    'refuses with 400 what is invalid, where 422 is not stated',
    {
      after: ({ status, body, path }) =>
        status === 422 && !/^\/task(\/[^/]+\/event)?$/.test(path)
          ? { status: 400, body: { detail: JSON.stringify(body.detail) } }
          : undefined,
    },
  ],
  [
    'deletes what is not there',
    {
      after: ({ method, path, status }) =>
        method === 'DELETE' && status === 404 && !path.startsWith('/task')
          ? { status: 200, body: { r: false } }
          : undefined,
    },
  ],
  [
    'lists nothing where there is no workspace',
    {
      after: ({ method, path, status }) =>
        method === 'GET' && status === 404 && /^\/(chat|sop|automation)$/.test(path)
          ? { status: 200, body: { r: [] } }
          : undefined,
    },
  ],
  [
    'forbids what is not there',
    {
      after: ({ path, status }) =>
        status === 404 && !path.startsWith('/task')
          ? { status: 403, body: { detail: 'Not yours' } }
          : undefined,
    },
  ],
  [
    'takes bodies of other fields',
    {
      after: ({ method, path, status }) =>
        method === 'POST' &&
        status === 200 &&
        /^\/(sop|automation|telemetry|webhook|task\/zero|workspace\/app\/.*|extension|browser\/.*|chat\/message|attachment)$/.test(
          path,
        )
          ? { status: 422, body: { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] } }
          : undefined,
    },
  ],
  [
    'distinguishes a body of another type from an invalid one',
    {
      after: ({ method, path, status, headers }) =>
        method === 'POST' &&
        status === 422 &&
        /^\/(browser\/)?extension$|^\/chat\/message$/.test(path) &&
        headers.get('content-type')?.includes('json')
          ? { status: 415, body: { detail: 'Send a form.' } }
          : undefined,
    },
  ],
  [
    'has premium features only',
    {
      after: ({ path, status }) =>
        isSuccess(status) && !path.startsWith('/task')
          ? { status: 403, body: { detail: 'Upgrade' } }
          : undefined,
    },
  ],
  [
    'keeps no list of what was stopped',
    {
      after: ({ method, path, status, body }) =>
        method === 'GET' && path === '/task' && status === 200
          ? { body: { r: body.r.filter((each: { status: string }) => each.status !== 'cancelled') } }
          : undefined,
    },
  ],
];

/** Field names that the service requires instead of the mock's. */
const OTHER_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/task/zero': { prompt: 'task' },
  '/sop': { name: 'title', text: 'content' },
  '/automation': { title: 'name', instructions: 'task' },
};

/** Requires exactly these fields. */
const otherFields: RequestChange = ({ url, init }) => {
  const wanted = OTHER_FIELDS[url.pathname.replace('/api/v1', '')];
  if (!wanted || init.method !== 'POST' || typeof init.body !== 'string' || !init.body.endsWith('}')) return;
  const body = JSON.parse(init.body) as Record<string, unknown>;
  const converted = Object.entries(wanted).map(([theirs, ours]) => [ours, body[theirs]]);
  init.body = JSON.stringify(Object.fromEntries(converted));
};

describe('generated cases fail nothing of a service that', () => {
  it.each(WHIMS)('%s', async (_, whim) => {
    const result = await runWithoutRules(cases, whim);
    expect(result.stopped).toBeUndefined();
    expect(result.faults).toEqual([]);
    expect(listMessages(result.checks, 'failed')).toEqual([]);
    expect(listMessages(result.checks, 'passed').length).toBeGreaterThan(80);
  });

  it('lists attachments by their ids alone', async () => {
    const after: ResponseChange = ({ path, body }) => {
      if (path !== '/chat/message') return undefined;
      const ids = (each: Record<string, unknown>) =>
        Array.isArray(each.attachments)
          ? { ...each, attachments: each.attachments.map(({ id }) => id) }
          : each;
      return { body: everywhere(body, ids) };
    };
    const ofAttachments = cases.filter(({ id }) => id === 'resources/getAttachment-answer');
    const { checks, faults } = await runWithoutRules(ofAttachments, { after });
    expect(faults).toEqual([]);
    expect(listMessages(checks, 'passed')).toHaveLength(checks.length);
    expect(checks.length).toBeGreaterThan(0);
  });

  it('wants other fields, which it is given under their usual names', async () => {
    const result = await runWithoutRules(cases, { before: otherFields });
    expect(result.faults).toEqual([]);
    expect(result.checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });
});

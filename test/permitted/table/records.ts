import { createRandom } from '../../../mock/generate/random.js';
import type { OperationId } from '../../../spec/generated/operations.js';
import { operations } from '../../../spec/generated/operations.js';
import type { MutantRequest } from '../../mutants/operators/mutant-request.js';
import { isRecord, type LooseRecord, MutantResponse } from '../../mutants/operators/mutant-response.js';
import { type Variation, variation } from '../variation.js';

/** What records hold beside what is described, in which order, and how it is written. */

type RecordChange = (record: LooseRecord, at: { nth: number; depth: number }) => LooseRecord;

/** What the client or its tools said, or the agent made for them: no record of the service. */
const FOREIGN = ['input', 'output', 'payload', 'events'];

/** Changes every object of a success, inner ones first. */
function createRecordVariation(what: string, change: RecordChange, passes?: number): Variation {
  return variation(
    what,
    () => {
      let nth = 0;
      const changeAll = (value: unknown, depth: number): unknown => {
        if (Array.isArray(value)) return value.map((each) => changeAll(each, depth));
        if (!isRecord(value)) return value;
        const inner = Object.entries(value).map(([name, each]) => [
          name,
          FOREIGN.includes(name) ? each : changeAll(each, depth + 1),
        ]);
        return change(Object.fromEntries(inner), { nth: ++nth, depth });
      };
      return async (request, next) => {
        const response = await next(request);
        if (response.ok) response.body = changeAll(response.body, 0);
        return response;
      };
    },
    passes,
  );
}

/** Fields that the description names in responses. */
const DESCRIBED = new Set(
  'r detail id status output live_url recording_url credits_used events name payload timestamp input code auto_renew shared'.split(
    ' ',
  ),
);

const renameFields: RecordChange = (record) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      DESCRIBED.has(name) ? name : `x${name.replace('_', '')}y`,
      value,
    ]),
  );

const INHERITED = JSON.parse(
  '{"constructor":"c","toString":7,"hasOwnProperty":[],"valueOf":null,"__proto__":{"id":"9"},"length":0,"then":"now"}',
) as LooseRecord;

/** Fields of tasks that may come late. */
const LATE = ['live_url', 'recording_url', 'downloads_url', 'device', 'created_at'];

/** Operations whose records are described by nothing but their name. */
const OPEN: readonly OperationId[] = [
  'createProfile',
  'listProfiles',
  'uploadExtension',
  'listExtensions',
  'uploadBrowserExtension',
  'listBrowserExtensions',
  'listBrowserProfiles',
  'createWorkspace',
  'getWorkspace',
  'listChats',
  'createChatTask',
  'getChat',
  'listMessages',
  'createMessage',
  'updateRequest',
  'getToolData',
  'listApps',
  'connectApp',
  'listSops',
  'saveSop',
  'listAutomations',
  'createAutomation',
  'getAttachment',
  'openBrowserSession',
  'getOrganisation',
  'getJob',
];

/** Records of which the description shows no field hold only `of`. */
function createOpaqueVariation(
  what: string,
  of: (nth: number, request: MutantRequest) => LooseRecord,
  passes: number,
): Variation {
  return variation(
    what,
    () => {
      let nth = 0;
      const hide = (value: unknown, request: MutantRequest): unknown =>
        Array.isArray(value)
          ? value.map((each) => hide(each, request))
          : isRecord(value)
            ? of(++nth, request)
            : value;
      return async (request, next) => {
        const response = await next(request);
        if (!request.is(...OPEN) || !response.ok) return response;
        if (response.r !== undefined) response.r = hide(response.r, request);
        else if (isRecord(response.body)) {
          // A list keeps its members, whatever it is called.
          const list = Object.values(response.body).find(Array.isArray);
          response.body = list ? { list: hide(list, request) } : hide(response.body, request);
        }
        return response;
      };
    },
    passes,
  );
}

function createListVariation(what: string, order: (list: unknown[]) => unknown[]): Variation {
  return variation(what, () => async (request, next) => {
    const response = await next(request);
    const sortLists = (value: unknown): unknown => {
      if (Array.isArray(value)) return order(value.map(sortLists));
      if (!isRecord(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, FOREIGN.includes(name) ? each : sortLists(each)]),
      );
    };
    if (response.ok) response.body = sortLists(response.body);
    return response;
  });
}

/** Operations whose success has no described body. */
const BODILESS = Object.values(operations)
  .filter(({ body2xx }) => body2xx === 'open')
  .map(({ id }) => id);

function createBodyVariation(what: string, body: MutantResponse): Variation {
  return variation(what, () => async (request, next) => {
    const response = await next(request);
    if (response.ok && request.is(...BODILESS) && !request.is('getJob')) {
      const { status, text } = body;
      return new MutantResponse(status, body.body, text === '' && status === 204 ? {} : body.headers, text);
    }
    return response;
  });
}

/** The values of fields of this name in another form. */
function createFieldVariation(what: string, name: RegExp, form: (value: unknown) => unknown): Variation {
  return createRecordVariation(what, (record) =>
    Object.fromEntries(
      Object.entries(record).map(([key, value]) => [
        key,
        name.test(key) && value !== null ? form(value) : value,
      ]),
    ),
  );
}

const toSeconds = (value: unknown) => (Number(value) > 1e11 ? Number(value) / 1000 : Number(value));

/** Operations on records that the service names, and the field that could say so. */
const NAMED: Partial<Record<OperationId, string>> = {
  createWorkspace: 'workspace_id',
  getWorkspace: 'workspace_id',
  uploadExtension: 'extension_id',
  uploadBrowserExtension: 'extension_id',
  listExtensions: 'extension_id',
  createAutomation: 'automation_id',
  listAutomations: 'automation_id',
  listProxies: 'proxy_id',
  updateProxy: 'proxy_id',
};

/** Numbers of the service's own stand where ids usually are. */
const keyed = variation('has keys of its own beside what names a record', () => {
  let nth = 0;
  return async (request, next) => {
    const response = await next(request);
    const name = request.operation && NAMED[request.operation];
    if (name !== undefined && response.ok)
      for (const record of response.list.length > 0 ? response.list : [response.record])
        if ('id' in record) Object.assign(record, { [name]: record.id, id: ++nth });
    return response;
  };
});

/** Each record says which were made before it, whatever they are. */
export const mentioning = variation('mentions ids of other records in its texts', () => {
  const known: string[] = [];
  const annotate = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((each) => annotate(each, depth));
    if (!isRecord(value)) return value;
    const own = typeof value.id === 'string' || typeof value.id === 'number' ? `${value.id}` : undefined;
    const inner = Object.entries(value).map(([field, each]) => [
      field,
      FOREIGN.includes(field) ? each : annotate(each, depth + 1),
    ]);
    const note = `made after ${known.slice(-9).join(', ')}`;
    if (own !== undefined && !known.includes(own)) known.push(own);
    return {
      ...Object.fromEntries(inner),
      ...(depth > 0 ? { note, links: [note, `/x/${known.at(-2)}`] } : {}),
    };
  };
  return async (request, next) => {
    const response = await next(request);
    if (response.ok) response.body = annotate(response.body, 0);
    return response;
  };
});

export const counting = createRecordVariation(
  'counts its records, in numbers and in texts',
  (record, { nth, depth }) =>
    depth === 0
      ? record
      : { ...record, position: nth % 7, revision: `v${nth % 5}`, size: `${nth % 9} of 10`, tags: ['1', '2'] },
);

export const records: readonly Variation[] = [
  counting,
  mentioning,
  keyed,
  createRecordVariation('has other lists beside those that are asked for', (record, { depth }) =>
    depth > 0
      ? record
      : {
          warnings: [],
          columns: ['id', 'name', 't', 'more'],
          links: [{ rel: 'self' }, { rel: 'next' }],
          ...record,
        },
  ),
  createRecordVariation('has more fields in every record', (record, { nth }) => ({
    more: { more: [1, nth], none: null },
    'x-cost': 0.1,
    note: 'created by hand',
    ...record,
  })),
  createRecordVariation('has fields named like members that objects inherit', (record) => ({
    ...INHERITED,
    ...record,
  })),
  createRecordVariation('names the fields otherwise that are not described', renameFields, 700),
  createRecordVariation('has the described fields last and null for some that it never fills', (record) => ({
    owner: null,
    owner_id: null,
    parent_id: null,
    deleted_at: null,
    error: null,
    message: null,
    t_id: null,
    ...record,
  })),
  variation('fills fields of tasks late that may be null', () => {
    const seen = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if (!request.is('createTask', 'getTask') || !response.ok) return response;
      const { record } = response;
      const times = (seen.get(String(record.id)) ?? 0) + 1;
      seen.set(String(record.id), times);
      if (times < 3) for (const name of LATE) record[name] = null;
      return response;
    };
  }),
  variation('leaves fields out of the list of tasks that it does not fill', () => async (request, next) => {
    const response = await next(request);
    if (request.is('listTasks') && response.ok)
      response.r = response.list.map((task) =>
        Object.fromEntries(Object.entries(task).filter(([, value]) => value !== null && value !== '')),
      );
    return response;
  }),
  variation('has null for the events of new and of listed tasks', () => async (request, next) => {
    const response = await next(request);
    if (!response.ok || !request.is('createTask', 'listTasks')) return response;
    for (const task of request.is('listTasks') ? response.list : [response.record])
      Object.assign(task, { events: null });
    return response;
  }),
  variation('has no flag in the record of a workspace', () => async (request, next) => {
    const response = await next(request);
    if (request.is('createWorkspace', 'getWorkspace') && response.ok) delete response.record.shared;
    return response;
  }),
  variation(
    'ends a session once its actions have their results',
    () => {
      /** Actions without a result, by the session. */
      const sessions = new Map<string, Set<string>>();
      const over = new Set<string>();
      const finishTask = (task: LooseRecord) =>
        Object.assign(task, { status: 'done', output: null, credits_used: 1, recording_url: '' });
      return async (request, next) => {
        const { task, json } = request;
        if (over.has(task) && request.is('sendTaskEvent'))
          return new MutantResponse(400, { detail: 'The session is over.' });
        // For the service around which this is, it is still running.
        if (over.has(task) && request.is('deleteTaskData'))
          await next(request.derive('DELETE', `/task/${task}`));
        const response = await next(request);
        if (over.has(task) && request.is('deleteTask'))
          return new MutantResponse(404, { detail: 'The session is over.' });
        if (!response.ok) return response;
        if (request.is('createTask') && json.task === null)
          sessions.set(String(response.record.id), new Set());
        const open = sessions.get(task);
        const { status } = response.record;
        if (request.is('sendTaskEvent') && json.name !== 'tool_call') open?.add(String(json.id));
        if (request.is('getTask') && open && open.size > 0 && status === 'running') {
          for (const event of (response.record.events ?? []) as LooseRecord[])
            if (event.name !== 'tool_call') open.delete(String(event.id));
          if (open.size === 0) over.add(task);
        }
        if (request.is('getTask') && over.has(task)) {
          finishTask(response.record);
          response.status = 200;
        }
        if (request.is('listTasks'))
          for (const each of response.list) if (over.has(String(each.id))) finishTask(each);
        return response;
      };
    },
    600,
  ),
  createOpaqueVariation('shows no field of records that are not described', (nth) => ({ n: nth }), 450),
  createOpaqueVariation(
    'shows nothing but a time of records that are not described',
    () => ({ updated: '2026-01-01' }),
    450,
  ),
  createListVariation('lists everything backwards', (list) => list.toReversed()),
  createListVariation('lists everything in any order', (list) => {
    const random = createRandom(list.length);
    return list.toSorted(() => random.next() - 0.5);
  }),
  createFieldVariation(
    'writes times of creation as texts',
    /^(created_at|creation_time|expires_at|last_saved_at)$/,
    (value) => new Date(toSeconds(value) * 1000).toISOString(),
  ),
  createFieldVariation(
    'writes times of creation with fractions',
    /^(created_at|creation_time|expires_at)$/,
    (value) => toSeconds(value) + 0.25,
  ),
  createFieldVariation('writes balances as texts', /^(credits|browser_sessions)$/, String),
  variation('answers 201 to what makes something', () => async (request, next) => {
    const response = await next(request);
    if (request.method === 'POST' && response.status === 200) response.status = 201;
    return response;
  }),
  createBodyVariation('has an empty body where none is described', new MutantResponse(204, undefined)),
  createBodyVariation('says "OK" where no body is described', new MutantResponse(200, 'OK')),
  createBodyVariation('has an empty list where no body is described', new MutantResponse(200, [])),
  variation('puts records into an envelope that have none', () => async (request, next) => {
    const response = await next(request);
    const isBare = operations[request.operation ?? 'getTask'].body2xx === 'bare';
    if (response.ok && isBare) response.body = { r: response.body };
    return response;
  }),
  variation('adds fields to events and what is in them', () => async (request, next) => {
    const response = await next(request);
    const { events } = response.record;
    if (!request.is('getTask') || !Array.isArray(events)) return response;
    response.record.events = events.map((event: LooseRecord) => ({
      ...event,
      index: 3,
      payload: { ...(event.payload as LooseRecord), duration_ms: 12, trace: null },
      agent: { name: 'a', id: '1' },
    }));
    return response;
  }),
];

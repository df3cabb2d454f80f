import type { OperationId } from '../../../spec/generated/operations.js';
import type { MutantRequest } from '../../mutants/operators/mutant-request.js';
import { MutantResponse } from '../../mutants/operators/mutant-response.js';
import { type Variation, variation } from '../variation.js';

/** What a service may need of valid requests: required flags, allowed values, sizes and counts are not shown. */

/** What a refusal says: a text (400), or the entries of a validation error (422). */
type RefusalDetail = string | { loc: (string | number)[]; msg: string; type: string; ctx?: object }[];

function createNeedVariation(
  what: string,
  operation: OperationId,
  refused: (request: MutantRequest, now: number) => RefusalDetail | false | undefined,
  passes?: number,
): Variation {
  return variation(
    what,
    ({ now }) =>
      (request, next) => {
        const detail = request.is(operation) && isObject(request) && refused(request, now());
        return detail
          ? new MutantResponse(typeof detail === 'string' ? 400 : 422, { detail })
          : next(request);
      },
    passes,
  );
}

/** What is no JSON is refused as such. */
function isObject({ body }: MutantRequest): boolean {
  return typeof body === 'string' && body.startsWith('{') && body.endsWith('}');
}

const listMissing = (...names: string[]) =>
  names.map((name) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' }));

const listTools = ({ json }: MutantRequest) =>
  (Array.isArray(json.custom_tools) ? json.custom_tools : []) as Record<string, unknown>[];

const isSession = ({ json }: MutantRequest) => (json.task ?? null) === null;

const readInput = ({ payload }: MutantRequest) => (payload.input ?? {}) as Record<string, unknown>;

export const needs: readonly Variation[] = [
  createNeedVariation('needs the start page of a session', 'createTask', (request) =>
    isSession(request) && request.json.url == null ? listMissing('url') : undefined,
  ),
  createNeedVariation('says in words that a session needs a start page', 'createTask', (request) =>
    isSession(request) && request.json.url == null ? 'A session needs a start page.' : undefined,
  ),
  createNeedVariation(
    'needs a device',
    'createTask',
    ({ json }) => json.device == null && listMissing('device'),
  ),
  createNeedVariation('says which devices there are', 'createTask', ({ json }) =>
    json.device !== 'mobile' && json.device !== 'tablet'
      ? 'device must be one of: mobile, tablet'
      : undefined,
  ),
  createNeedVariation('takes two tools at most', 'createTask', (request) =>
    listTools(request).length > 2 ? 'At most two tools per task.' : undefined,
  ),
  createNeedVariation('takes one tool at most', 'createTask', (request) =>
    listTools(request).length > 1
      ? [
          {
            loc: ['body', 'custom_tools'],
            msg: `List should have at most 1 item after validation, not ${listTools(request).length}`,
            type: 'too_long',
            ctx: { max_length: 1 },
          },
        ]
      : undefined,
  ),
  variation('keeps three profiles at most', () => {
    const kept = new Set<string>();
    return async (request, next) => {
      const formatKey = (id: unknown) => `${request.key} ${id}`;
      const own = [...kept].filter((each) => each.startsWith(formatKey('')));
      if (request.is('createProfile') && isObject(request) && own.length >= 3)
        return new MutantResponse(400, { detail: 'There are too many profiles.' });
      const response = await next(request);
      if (request.is('createProfile') && response.ok) kept.add(formatKey(request.json.id));
      if (request.is('deleteProfile', 'deleteBrowserProfile'))
        kept.delete(formatKey(request.path.get('profile_id')));
      return response;
    };
  }),
  createNeedVariation(
    'needs metadata',
    'createTask',
    ({ json }) => json.metadata == null && listMissing('metadata'),
  ),
  createNeedVariation('needs a region, which the description does not name', 'createTask', ({ json }) =>
    json.region === 'eu' || json.region === 'us' ? undefined : "region is required: one of 'eu', 'us'",
  ),
  createNeedVariation('needs three fields, and says so one after the other', 'createTask', ({ json }) => {
    const first = ['device', 'url', 'team_name'].find((name) => json[name] == null);
    return first === undefined ? undefined : `Missing required field: ${first}`;
  }),
  createNeedVariation('needs three fields, and says so at once', 'createTask', ({ json }) => {
    const names = ['device', 'url', 'metadata'].filter((name) => json[name] == null);
    return names.length > 0 ? listMissing(...names) : undefined;
  }),
  variation('takes no underscores in names of tools', () => async (request, next) => {
    const isWrong = listTools(request).some(({ name }) => String(name).includes('_'));
    const detail = [
      {
        loc: ['body', 'custom_tools', 0, 'name'],
        msg: "String should match pattern '^[a-z0-9-]+$'",
        type: 'string_pattern_mismatch',
      },
    ];
    if (request.is('createTask') && isWrong) return new MutantResponse(422, { detail });
    const response = await next(request);
    const { events } = response.record;
    // The mock calls the tools of its scenarios by the names that they have there.
    for (const { name, payload } of request.is('getTask') && Array.isArray(events) ? events : [])
      if (name === 'tool_call' && typeof payload.name === 'string')
        payload.name = payload.name.replaceAll('_', '-');
    return response;
  }),
  createNeedVariation('needs 70 characters in the text of a task', 'createTask', ({ json }) =>
    typeof json.task === 'string' && json.task.length < 70
      ? 'task: expected at least 70 characters'
      : undefined,
  ),
  createNeedVariation('takes 200 characters in the text of a task at most', 'createTask', ({ json }) =>
    typeof json.task === 'string' && json.task.length > 200
      ? 'task is longer than 200 characters'
      : undefined,
  ),
  createNeedVariation('takes no event whose time is a minute off', 'sendTaskEvent', ({ json }, now) =>
    Math.abs(Number(json.timestamp ?? now) - now) > 60_000
      ? 'The timestamp is too far from the time of the server.'
      : undefined,
  ),
  createNeedVariation('takes times of events in seconds', 'sendTaskEvent', ({ json }) =>
    Number(json.timestamp ?? 0) > 1e11 ? 'timestamp has to be in seconds' : undefined,
  ),
  variation('takes the events of a task in the order of their times alone', () => {
    const last = new Map<string, number>();
    return (request, next) => {
      const { timestamp } = request.json;
      if (!request.is('sendTaskEvent') || typeof timestamp !== 'number') return next(request);
      const before = last.get(request.task) ?? 0;
      if (timestamp < before)
        return new MutantResponse(400, { detail: 'The timestamp is earlier than that of the last event.' });
      last.set(request.task, timestamp);
      return next(request);
    };
  }),
  createNeedVariation('takes 5 to 50 steps', 'sendTaskEvent', (request) => {
    const { max_steps } = readInput(request);
    return typeof max_steps === 'number' && (max_steps < 5 || max_steps > 50)
      ? 'input.max_steps has to be between 5 and 50'
      : undefined;
  }),
  createNeedVariation('needs to know in which tab a script runs', 'sendTaskEvent', (request) =>
    request.payload.name === 'evaluate_js' &&
    typeof readInput(request).js === 'string' &&
    readInput(request).tab == null
      ? [
          {
            loc: ['body', 'payload', 'input', 'tab'],
            msg: 'Input should be a valid integer',
            type: 'int_type',
          },
        ]
      : undefined,
  ),
  createNeedVariation('takes letters and digits in ids of profiles', 'createProfile', ({ json }) =>
    /[^A-Za-z0-9]/.test(String(json.id ?? '')) ? 'id: letters and digits only' : undefined,
  ),
];

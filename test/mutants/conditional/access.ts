import { type OperationId, operations } from '../../../spec/generated/operations.js';
import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { isOver } from '../operators/events.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';

const ALL = Object.keys(operations) as OperationId[];

/** Keys, what the organisations see of each other, and errors. */
export const conditionalAccessMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'key-in-second-cookie-401',
    'AUTH-03',
    'several things',
    'The cookie with the key has to be the first.',
    {
      of: ALL,
      when: ({ headers }) => headers.apikey === undefined && /;\s*apikey=/.test(headers.cookie ?? ''),
      response: () => createRefusal(401, 'The key is missing.'),
    },
  ),
  conditionalMutant(
    'key-beside-cookie-401',
    'AUTH-02',
    'parameters together',
    'A key in the header is not found beside a cookie of something else.',
    {
      of: ALL,
      when: ({ headers }) =>
        headers.apikey !== undefined && headers.cookie !== undefined && !headers.cookie.includes('apikey='),
      response: () => createRefusal(401, 'The key is missing.'),
    },
  ),
  conditionalMutant(
    'key-of-request-under-way',
    'SERVICE-04',
    'requests at once',
    'A request that comes while another is under way acts with the key of that one.',
    {
      of: ALL,
      request: (request, past) => {
        const other = [...past.pending].find((each) => each !== request && each.key !== undefined);
        if (other && request.key !== undefined && isGood(request.key) && isGood(other.key!))
          request.key = other.key;
      },
    },
  ),
  conditionalMutant(
    'ended-task-for-all-keys',
    'SERVICE-04',
    'another key',
    'A task that is over can be polled with every key.',
    {
      of: 'getTask',
      error: (response, request, past) => {
        const polls = past.listSucceededByAll('getTask').filter((each) => each.request.task === request.task);
        const end = polls.find((each) => each.request.key !== request.key && isOver(each.response.record));
        return response.status === 404 ? end?.response.copy() : undefined;
      },
    },
  ),
  conditionalMutant(
    'list-beside-t-of-all-keys',
    'SERVICE-04',
    'another key',
    'A list of tasks with a t has those of all organisations.',
    {
      of: 'listTasks',
      when: ({ query }) => query.has('t'),
      response: async (response, request, past, forward) => {
        const keys = new Set(past.listSucceededByAll('createTask').map((each) => each.request.key));
        const all = [...response.list];
        for (const key of keys) {
          if (key === request.key) continue;
          const copy = request.copy();
          copy.key = key;
          all.push(...(await forward(copy)).list);
        }
        response.r = all.slice(0, Number(request.query.get('l') ?? 32));
      },
    },
  ),
  conditionalMutant(
    'shared-workspace-without-key',
    'AUTH-05',
    'value',
    'A shared workspace is shown to a request without a key.',
    {
      of: 'getWorkspace',
      when: ({ key }) => key === undefined,
      error: (_, { headers }, past) =>
        past
          .listSucceededByAll('createWorkspace')
          .find(({ response: { record } }) => record.shared === true && record.id === headers['workspace-id'])
          ?.response.copy(),
    },
  ),
  conditionalMutant(
    'session-without-credits',
    'ERROR-06',
    'value',
    'An organisation without credits may create sessions.',
    {
      of: 'createTask',
      when: ({ json }) => json.task === null,
      error: (response) =>
        response.status === 429
          ? new MutantResponse(200, {
              r: { id: 'session', status: 'running', output: null, live_url: 'https://live.test/session' },
            })
          : undefined,
    },
  ),
  conditionalMutant(
    'premium-at-second-attempt',
    'ERROR-04',
    'n-th request',
    'A profile on the free plan is refused once and made at the second attempt.',
    {
      of: 'createProfile',
      when: (request, past) =>
        past.listSent(request, 'createProfile').some(({ response }) => response.status === 403),
      error: (response, { json }) =>
        response.status === 403 ? new MutantResponse(200, { r: { id: json.id ?? 'profile' } }) : undefined,
    },
  ),
  conditionalMutant(
    'two-errors-without-detail',
    'ERROR-02',
    'several things',
    'The body of a 422 lacks detail where more than one thing is wrong.',
    {
      of: ALL,
      error: (response) => {
        const { detail } = response.record;
        if (response.status === 422 && Array.isArray(detail) && detail.length > 1)
          response.body = { errors: detail };
      },
    },
  ),
  conditionalMutant(
    'not-found-of-encoded-in-html',
    'ENV-02',
    'value',
    'The 404 for something whose name has to be encoded in the path is a page of HTML.',
    {
      of: ALL,
      when: ({ url }) => /%/.test(url.pathname),
      error: (response) => {
        if (response.status === 404) response.write('<h1>Not Found</h1>', 'text/html');
      },
    },
  ),
  conditionalMutant(
    'json-with-charset-415',
    'SERVICE-02',
    'value',
    'A JSON body is refused whose content type names a charset.',
    {
      of: ALL,
      when: ({ headers }) => /^application\/json\s*;/.test(headers['content-type'] ?? ''),
      response: () => createRefusal(415, 'Send application/json.'),
    },
  ),
  conditionalMutant(
    'false-lacks-r',
    'ENV-01',
    'value',
    'The visibility of a task that is not visible lacks r.',
    {
      of: 'getTaskVisibility',
      response: (response) => {
        if (response.r === false) response.body = {};
      },
    },
  ),
];

function isGood(key: string): boolean {
  return !/^(invalid|exhausted|free)-/.test(key);
}

import type { Mutant } from '../mutant.js';
import { changeErrors, changeResponses, type Interception, mutant } from '../operators/make.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';

/** Errors: their bodies, and which status stands for what. */
export const errorMutants: readonly Mutant[] = [
  mutant(
    'error-without-detail',
    'ENV-02',
    'Errors carry a message in place of detail.',
    changeErrors('all', (response) => {
      response.body = { message: 'It did not work.' };
    }),
  ),
  mutant(
    'error-404-detail-list',
    'ENV-02',
    'The detail of a 404 is a list.',
    changeErrors('all', (response) => {
      if (response.status === 404) response.body = { detail: [{ msg: 'There is no such thing.' }] };
    }),
  ),
  mutant(
    'error-404-detail-object',
    'ENV-02',
    'The detail of a 404 is an object.',
    changeErrors('all', (response) => {
      if (response.status === 404) response.body = { detail: { code: 'not_found' } };
    }),
  ),
  mutant(
    'error-404-detail-empty',
    'ENV-02',
    'The detail of a 404 is null.',
    changeErrors('all', (response) => {
      if (response.status === 404) response.body = { detail: null };
    }),
  ),
  mutant(
    'error-html',
    'ENV-02',
    'Errors other than 422 come as a page in HTML.',
    changeErrors('all', (response) => {
      if (response.status !== 422)
        response.write('<html><body><h1>Not Found</h1></body></html>', 'text/html');
    }),
  ),
  mutant(
    'error-empty',
    'ENV-02',
    'The body of a 404 is empty.',
    changeErrors('all', (response) => {
      if (response.status === 404) response.write('');
    }),
  ),
  mutant(
    'error-in-envelope',
    'ENV-02',
    'The detail of an error stands in the envelope.',
    changeErrors('all', (response) => {
      response.body = { r: response.body };
    }),
  ),
  mutant(
    'validation-without-detail',
    'ERROR-02',
    'The body of a 422 names its problems errors.',
    changeErrors('all', (response) => {
      if (response.status === 422) response.body = { errors: (response.body as { detail?: unknown }).detail };
    }),
  ),
  mutant(
    'validation-detail-null',
    'ERROR-02',
    'The detail of a 422 is null.',
    changeErrors('all', (response) => {
      if (response.status === 422) response.body = { detail: null };
    }),
  ),
  mutant(
    'validation-detail-number',
    'ERROR-02',
    'The detail of a 422 is a number.',
    changeErrors('all', (response) => {
      if (response.status === 422) response.body = { detail: 17 };
    }),
  ),
  mutant(
    'validation-html',
    'ERROR-02',
    'A 422 comes as a page in HTML.',
    changeErrors('all', (response) => {
      if (response.status === 422) response.write('<html><body>Unprocessable</body></html>', 'text/html');
    }),
  ),
  mutant(
    'malformed-json-500',
    'ERROR-01',
    'A body that is no JSON is answered with 500.',
    respondToMalformed(() => createRefusal(500, 'Internal error.')),
  ),
  mutant(
    'malformed-json-accepted',
    'ERROR-01',
    'A body that is no JSON is taken for an empty one.',
    respondToMalformed((request) =>
      request.is('createTask')
        ? new MutantResponse(200, {
            r: { id: `task-${request.key}`, status: 'running', live_url: 'https://live.test/1' },
          })
        : new MutantResponse(200, { r: true }),
    ),
  ),
  mutant(
    'missing-parameter-500',
    'ERROR-01',
    'A required parameter of the query that is missing is answered with 500.',
    changeErrors('all', (response, request) => {
      if (response.status === 422 && request.method !== 'GET' && typeof request.body !== 'string')
        response.status = 500;
    }),
  ),
  mutant(
    'missing-plan-404',
    'ERROR-01',
    'A change of plan without a plan is answered with 404.',
    changeErrors('setPlan', (response) => {
      if (response.status === 422) response.status = 404;
    }),
  ),
  mutant(
    'wrong-type-accepted',
    'ERROR-01',
    'A task whose text is no text is taken for an empty one.',
    acceptWrongTask((json) => json.task != null && typeof json.task !== 'string'),
  ),
  mutant(
    'wrong-tools-accepted',
    'ERROR-01',
    'A task whose custom_tools are no list is taken for one without tools.',
    acceptWrongTask((json) => json.custom_tools != null && !Array.isArray(json.custom_tools)),
  ),
  mutant(
    'wrong-type-500',
    'ERROR-01',
    'A body of POST /task that does not validate is answered with 500.',
    changeErrors('createTask', (response) => {
      if (response.status === 422) response.status = 500;
    }),
  ),
  mutant(
    'missing-body-500',
    'ERROR-01',
    'A required body that is missing is answered with 500.',
    changeErrors('all', (response, request) => {
      if (response.status === 422 && request.method !== 'GET' && request.body === undefined)
        response.status = 500;
    }),
  ),
  mutant(
    'unknown-visibility-200',
    'ERROR-03',
    'The visibility of a task that does not exist is false.',
    changeErrors('getTaskVisibility', (response) =>
      response.status === 404 ? new MutantResponse(200, { r: false }) : undefined,
    ),
  ),
  mutant(
    'unknown-visibility-set',
    'ERROR-03',
    'The visibility of a task that does not exist can be set.',
    changeErrors('setTaskVisibility', (response) =>
      response.status === 404 ? new MutantResponse(200, { r: true }) : undefined,
    ),
  ),
  mutant(
    'unknown-task-deleted',
    'ERROR-03',
    'A task that never existed can be stopped.',
    respondToUnknownTask('deleteTask', () => new MutantResponse(200, { r: true })),
  ),
  mutant(
    'unknown-task-data-500',
    'ERROR-03',
    'The deletion of the data of an unknown task is answered with 500.',
    changeErrors('deleteTaskData', (response) => {
      if (response.status === 404) response.status = 500;
    }),
  ),
  mutant(
    'unknown-workspace-200',
    'ERROR-03',
    'A workspace that does not exist is answered with null.',
    changeErrors('getWorkspace', (response) =>
      response.status === 404 ? new MutantResponse(200, null) : undefined,
    ),
  ),
  mutant(
    'unknown-attachment-500',
    'ERROR-03',
    'An attachment that does not exist is answered with 500.',
    changeErrors('getAttachment', (response) => {
      if (response.status === 404) response.status = 500;
    }),
  ),
  mutant(
    'unknown-proxy-200',
    'ERROR-03',
    'The renewal of a proxy that does not exist can be set.',
    changeErrors('updateProxy', (response, request) =>
      response.status === 404
        ? new MutantResponse(200, {
            r: { id: request.path.get('proxy_id'), auto_renew: request.query.get('auto_renew') === 'true' },
          })
        : undefined,
    ),
  ),
  mutant(
    'premium-402',
    'ERROR-04',
    'A feature that the plan does not have is answered with 402.',
    changeErrors('all', (response) => {
      if (response.status === 403) response.status = 402;
    }),
  ),
  {
    ...mutant(
      'rate-limit-503',
      'ERROR-05',
      'A client that asks too fast is answered with 503.',
      changeErrors('all', (response) => {
        if (response.status === 429 && response.headers['retry-after'] !== undefined) response.status = 503;
      }),
    ),
    dialect: { 'limits.rate': 20 },
  },
  mutant(
    'no-credits-402',
    'ERROR-06',
    'A task of an organisation without credits is answered with 402.',
    changeCreditErrors((response) => {
      response.status = 402;
    }),
  ),
  mutant(
    'no-credits-403',
    'ERROR-06',
    'A task of an organisation without credits is answered with 403.',
    changeCreditErrors((response) => {
      response.status = 403;
    }),
  ),
  mutant(
    'no-credits-accepted',
    'ERROR-06',
    'An organisation without credits may start tasks.',
    changeCreditErrors(
      () =>
        new MutantResponse(200, {
          r: { id: 'on-credit', status: 'running', live_url: 'https://live.test/1' },
        }),
    ),
  ),
  mutant(
    'answers-as-text',
    'SERVICE-02',
    'The usage is answered in plain text.',
    changeResponses('getUsage', (response) => {
      response.write(`credits=${response.record.credits}`);
    }),
  ),
  mutant(
    'answers-as-xml',
    'SERVICE-02',
    'Lists of tasks are answered in XML.',
    changeResponses('listTasks', (response) => {
      response.write('<tasks/>', 'application/xml');
    }),
  ),
  mutant(
    'byte-order-mark',
    'SERVICE-02',
    'Lists of tasks begin with a byte order mark.',
    changeResponses('listTasks', (response) => {
      response.write(`\ufeff${JSON.stringify(response.body)}`, 'application/json');
    }),
  ),
  mutant(
    'media-type-with-parameter-refused',
    'SERVICE-02',
    'JSON whose media type has a parameter is refused with 415.',
    () => (request, next) =>
      /^application\/json\s*;/.test(request.headers['content-type'] ?? '')
        ? createRefusal(415)
        : next(request),
  ),
  mutant(
    'media-type-in-capitals-refused',
    'SERVICE-02',
    'JSON whose media type has a capital is refused with 415.',
    () => (request, next) =>
      request.headers['content-type']?.startsWith('Application/JSON') ? createRefusal(415) : next(request),
  ),
  mutant(
    'json-refused',
    'PROFILE-02',
    'A new profile in JSON is refused with 415.',
    () => (request, next) =>
      request.is('createProfile') && request.headers['content-type']?.startsWith('application/json')
        ? createRefusal(415, 'Send a form.')
        : next(request),
  ),
];

type InterceptionArguments = Parameters<Interception>;

function respondToMalformed(make: (request: InterceptionArguments[0]) => MutantResponse): () => Interception {
  return () => async (request, next) => {
    const response = await next(request);
    if (response.status !== 422 || typeof request.body !== 'string' || request.body === '') return response;
    try {
      JSON.parse(request.body);
      return response;
    } catch {
      return make(request);
    }
  };
}

function acceptWrongTask(wrong: (json: Record<string, unknown>) => boolean): () => Interception {
  return () => (request, next) => {
    if (request.is('createTask') && wrong(request.json)) request.json = { task: 'Say hello.' };
    return next(request);
  };
}

function changeCreditErrors(change: (response: MutantResponse) => unknown): () => Interception {
  return changeErrors('createTask', (response) => (response.status === 429 ? change(response) : undefined));
}

/** Answers for tasks that the service has not made; one that is over may be answered for as it likes. */
function respondToUnknownTask(operation: 'deleteTask', make: () => MutantResponse): () => Interception {
  return () => async (request, next) => {
    const response = await next(request);
    if (!request.is(operation) || response.status !== 404) return response;
    const known = await next(request.derive('GET', `/task/${request.task}`));
    return known.status === 404 ? make() : response;
  };
}

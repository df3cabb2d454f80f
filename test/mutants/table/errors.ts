import type { Mutant } from '../mutant.js';
import { answers, type Between, errors, mutant } from '../operators/make.js';
import { refusal, Told } from '../operators/told.js';

/** Errors: their bodies, and which status stands for what. */
export const errorMutants: readonly Mutant[] = [
  mutant(
    'error-without-detail',
    'ENV-02',
    'Errors carry a message in place of detail.',
    errors('all', (told) => {
      told.body = { message: 'It did not work.' };
    }),
  ),
  mutant(
    'error-404-detail-list',
    'ENV-02',
    'The detail of a 404 is a list.',
    errors('all', (told) => {
      if (told.status === 404) told.body = { detail: [{ msg: 'There is no such thing.' }] };
    }),
  ),
  mutant(
    'error-404-detail-object',
    'ENV-02',
    'The detail of a 404 is an object.',
    errors('all', (told) => {
      if (told.status === 404) told.body = { detail: { code: 'not_found' } };
    }),
  ),
  mutant(
    'error-404-detail-empty',
    'ENV-02',
    'The detail of a 404 is null.',
    errors('all', (told) => {
      if (told.status === 404) told.body = { detail: null };
    }),
  ),
  mutant(
    'error-html',
    'ENV-02',
    'Errors other than 422 come as a page in HTML.',
    errors('all', (told) => {
      if (told.status !== 422) told.write('<html><body><h1>Not Found</h1></body></html>', 'text/html');
    }),
  ),
  mutant(
    'error-empty',
    'ENV-02',
    'The body of a 404 is empty.',
    errors('all', (told) => {
      if (told.status === 404) told.write('');
    }),
  ),
  mutant(
    'error-in-envelope',
    'ENV-02',
    'The detail of an error stands in the envelope.',
    errors('all', (told) => {
      told.body = { r: told.body };
    }),
  ),
  mutant(
    'validation-without-detail',
    'ERROR-02',
    'The body of a 422 names its problems errors.',
    errors('all', (told) => {
      if (told.status === 422) told.body = { errors: (told.body as { detail?: unknown }).detail };
    }),
  ),
  mutant(
    'validation-detail-null',
    'ERROR-02',
    'The detail of a 422 is null.',
    errors('all', (told) => {
      if (told.status === 422) told.body = { detail: null };
    }),
  ),
  mutant(
    'validation-detail-number',
    'ERROR-02',
    'The detail of a 422 is a number.',
    errors('all', (told) => {
      if (told.status === 422) told.body = { detail: 17 };
    }),
  ),
  mutant(
    'validation-html',
    'ERROR-02',
    'A 422 comes as a page in HTML.',
    errors('all', (told) => {
      if (told.status === 422) told.write('<html><body>Unprocessable</body></html>', 'text/html');
    }),
  ),
  mutant(
    'malformed-json-500',
    'ERROR-01',
    'A body that is no JSON is answered with 500.',
    malformed(() => refusal(500, 'Internal error.')),
  ),
  mutant(
    'malformed-json-accepted',
    'ERROR-01',
    'A body that is no JSON is taken for an empty one.',
    malformed((asked) =>
      asked.is('createTask')
        ? new Told(200, {
            r: { id: `task-${asked.key}`, status: 'running', live_url: 'https://live.test/1' },
          })
        : new Told(200, { r: true }),
    ),
  ),
  mutant(
    'missing-parameter-500',
    'ERROR-01',
    'A required parameter of the query that is missing is answered with 500.',
    errors('all', (told, asked) => {
      if (told.status === 422 && asked.method !== 'GET' && typeof asked.body !== 'string') told.status = 500;
    }),
  ),
  mutant(
    'missing-plan-404',
    'ERROR-01',
    'A change of plan without a plan is answered with 404.',
    errors('setPlan', (told) => {
      if (told.status === 422) told.status = 404;
    }),
  ),
  mutant(
    'wrong-type-accepted',
    'ERROR-01',
    'A task whose text is no text is taken for an empty one.',
    wrongTask((json) => json.task != null && typeof json.task !== 'string'),
  ),
  mutant(
    'wrong-tools-accepted',
    'ERROR-01',
    'A task whose custom_tools are no list is taken for one without tools.',
    wrongTask((json) => json.custom_tools != null && !Array.isArray(json.custom_tools)),
  ),
  mutant(
    'wrong-type-500',
    'ERROR-01',
    'A body of POST /task that does not validate is answered with 500.',
    errors('createTask', (told) => {
      if (told.status === 422) told.status = 500;
    }),
  ),
  mutant(
    'missing-body-500',
    'ERROR-01',
    'A required body that is missing is answered with 500.',
    errors('all', (told, asked) => {
      if (told.status === 422 && asked.method !== 'GET' && asked.body === undefined) told.status = 500;
    }),
  ),
  mutant(
    'unknown-visibility-200',
    'ERROR-03',
    'The visibility of a task that does not exist is false.',
    errors('getTaskVisibility', (told) => (told.status === 404 ? new Told(200, { r: false }) : undefined)),
  ),
  mutant(
    'unknown-visibility-set',
    'ERROR-03',
    'The visibility of a task that does not exist can be set.',
    errors('setTaskVisibility', (told) => (told.status === 404 ? new Told(200, { r: true }) : undefined)),
  ),
  mutant(
    'unknown-task-deleted',
    'ERROR-03',
    'A task that never existed can be stopped.',
    neverMade('deleteTask', () => new Told(200, { r: true })),
  ),
  mutant(
    'unknown-task-data-500',
    'ERROR-03',
    'The deletion of the data of an unknown task is answered with 500.',
    errors('deleteTaskData', (told) => {
      if (told.status === 404) told.status = 500;
    }),
  ),
  mutant(
    'unknown-workspace-200',
    'ERROR-03',
    'A workspace that does not exist is answered with null.',
    errors('getWorkspace', (told) => (told.status === 404 ? new Told(200, null) : undefined)),
  ),
  mutant(
    'unknown-attachment-500',
    'ERROR-03',
    'An attachment that does not exist is answered with 500.',
    errors('getAttachment', (told) => {
      if (told.status === 404) told.status = 500;
    }),
  ),
  mutant(
    'unknown-proxy-200',
    'ERROR-03',
    'The renewal of a proxy that does not exist can be set.',
    errors('updateProxy', (told, asked) =>
      told.status === 404
        ? new Told(200, {
            r: { id: asked.path.get('proxy_id'), auto_renew: asked.query.get('auto_renew') === 'true' },
          })
        : undefined,
    ),
  ),
  mutant(
    'premium-402',
    'ERROR-04',
    'A feature that the plan has not got is answered with 402.',
    errors('all', (told) => {
      if (told.status === 403) told.status = 402;
    }),
  ),
  {
    ...mutant(
      'rate-limit-503',
      'ERROR-05',
      'A client that asks too fast is answered with 503.',
      errors('all', (told) => {
        if (told.status === 429 && told.headers['retry-after'] !== undefined) told.status = 503;
      }),
    ),
    dialect: { 'limits.rate': 20 },
  },
  mutant(
    'no-credits-402',
    'ERROR-06',
    'A task of an organisation without credits is answered with 402.',
    noCredits((told) => {
      told.status = 402;
    }),
  ),
  mutant(
    'no-credits-403',
    'ERROR-06',
    'A task of an organisation without credits is answered with 403.',
    noCredits((told) => {
      told.status = 403;
    }),
  ),
  mutant(
    'no-credits-accepted',
    'ERROR-06',
    'An organisation without credits may start tasks.',
    noCredits(
      () => new Told(200, { r: { id: 'on-credit', status: 'running', live_url: 'https://live.test/1' } }),
    ),
  ),
  mutant(
    'answers-as-text',
    'SERVICE-02',
    'The usage is answered in plain text.',
    answers('getUsage', (told) => {
      told.write(`credits=${told.record.credits}`);
    }),
  ),
  mutant(
    'answers-as-xml',
    'SERVICE-02',
    'Lists of tasks are answered in XML.',
    answers('listTasks', (told) => {
      told.write('<tasks/>', 'application/xml');
    }),
  ),
  mutant(
    'json-refused',
    'PROFILE-02',
    'A new profile in JSON is refused with 415.',
    () => (asked, next) =>
      asked.is('createProfile') && asked.headers['content-type']?.startsWith('application/json')
        ? refusal(415, 'Send a form.')
        : next(asked),
  ),
];

type Asks = Parameters<Between>;

function malformed(make: (asked: Asks[0]) => Told): () => Between {
  return () => async (asked, next) => {
    const told = await next(asked);
    if (told.status !== 422 || typeof asked.body !== 'string' || asked.body === '') return told;
    try {
      JSON.parse(asked.body);
      return told;
    } catch {
      return make(asked);
    }
  };
}

function wrongTask(wrong: (json: Record<string, unknown>) => boolean): () => Between {
  return () => (asked, next) => {
    if (asked.is('createTask') && wrong(asked.json)) asked.json = { task: 'Say hello.' };
    return next(asked);
  };
}

function noCredits(change: (told: Told) => unknown): () => Between {
  return errors('createTask', (told) => (told.status === 429 ? change(told) : undefined));
}

/** Answers for tasks that the service has not made; one that is over may be answered for as it likes. */
function neverMade(operation: 'deleteTask', make: () => Told): () => Between {
  return () => async (asked, next) => {
    const told = await next(asked);
    if (!asked.is(operation) || told.status !== 404) return told;
    const known = await next(asked.other('GET', `/task/${asked.task}`));
    return known.status === 404 ? make() : told;
  };
}

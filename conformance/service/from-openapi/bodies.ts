import type { RequirementId } from '../../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { ApiRequest } from '../http-client/response.js';
import { CHEAP_TASK, fileForm } from '../request-builders/bodies.js';
import { summarize } from '../test-case/read-task.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { TOOLS } from '../test-case/texts.js';
import { type BodyCase, bodyCases } from './body-cases.js';
import { attempt, baseline, derivedCase, everyOperation, nameOf } from './derived-case.js';
import { judgeDetail, judgeRefusal, REFUSAL_COVERS } from './refusal.js';

/** Bodies to start from in place of the request builder's: with everything in them that may be invalid inside. */
const FULL_BODIES: Readonly<Partial<Record<OperationId, Readonly<Record<string, unknown>>>>> = {
  createTask: {
    task: CHEAP_TASK,
    custom_tools: [TOOLS.get_weather],
    response_model: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] },
  },
};

/** Requirements about the body of one operation. */
const MORE: Readonly<Partial<Record<OperationId, RequirementId[]>>> = {
  createTask: ['TOOL-08'],
  sendTaskEvent: ['EVENT-05'],
};

/** For each operation with a JSON body: no JSON, no UTF-8, no object, and each field that is missing or of the wrong type. */
export const invalidBodyCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id, body } = operation;
  if (body?.kind !== 'json') return [];
  return derivedCase(
    operation,
    {
      id: `errors/${id}-body`,
      title: 'refuses a body that is not JSON, or whose fields are missing or of the wrong type',
      covers: [...REFUSAL_COVERS, 'ERROR-02', ...(MORE[id] ?? [])],
      successes: FULL_BODIES[id] ? 2 : 1,
    },
    (t) => run(t, operation),
  );
});

async function run(t: TestContext, { id, body }: Operation): Promise<void> {
  const { next } = await baseline(t, id);
  const refuse = async (
    valid: ApiRequest,
    change: Partial<ApiRequest>,
    what: string,
    more?: BodyCase['requirements'],
  ) => judgeRefusal(t, await attempt(t, id, valid, change), `${nameOf(id)} ${what}`, more);

  const first = next();
  const raw = { content: JSON.stringify(first.body).slice(0, -1), type: 'application/json' };
  await refuse(first, { raw }, 'with a body that is JSON but for its end');
  await refuse(next(), { body: 42 }, 'with the number 42 as its body');
  if (body?.requiredIsChoice === false) await refuse(next(), { body: undefined }, 'without a body');
  await notUtf8(t, id, next());

  const full = FULL_BODIES[id];
  const base = (): ApiRequest => ({ ...next(), ...(full ? { body: full } : {}) });
  // It is a valid request as well before anything of it is changed.
  if (full && !(await attempt(t, id, base())).ok) return;
  const casesOf = (request: ApiRequest) => bodyCases(body!.schema, request.body as Record<string, unknown>);
  for (const i of casesOf(base()).keys()) {
    const request = base();
    const invalid = casesOf(request)[i]!;
    await refuse(request, { body: invalid.body }, invalid.what, invalid.requirements);
  }
}

/** Whether it is refused is not stated: a service may read it with replacement characters. It must not fail. */
async function notUtf8(t: TestContext, id: OperationId, valid: ApiRequest): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(valid.body).replace('{', '{"odd": "?", '));
  bytes[bytes.indexOf(0x3f)] = 0xff;
  const response = await attempt(t, id, valid, { raw: { content: bytes, type: 'application/json' } });
  if (response.status >= 500) {
    const message = `${nameOf(id)} with a body that is not UTF-8: expected 422 (or 400), got ${summarize(response)}`;
    t.fail('ERROR-01', message, response);
  }
}

/** The one form whose part has a stated name: `file` of POST /file. */
const withoutItsPart = derivedCase(
  operations.uploadFile,
  {
    id: 'errors/uploadFile-form',
    title: 'refuses a form without the part "file"',
    covers: REFUSAL_COVERS,
    successes: 2,
  },
  async (t) => {
    const { next } = await baseline(t, 'uploadFile');
    const response = await attempt(t, 'uploadFile', next(), { form: fileForm('other_part') });
    judgeRefusal(t, response, `${nameOf('uploadFile')} with a form without the part "file"`);
  },
);

/** What says the same as JSON, for the operations whose parts are not named. */
const AS_JSON = {
  uploadExtension: { file: 'hello' },
  uploadBrowserExtension: { file: 'hello' },
  createMessage: { message: CHEAP_TASK },
} satisfies Partial<Record<OperationId, object>>;

const asJson = Object.entries(AS_JSON).map(([name, body]): TestCase => {
  const id = name as keyof typeof AS_JSON;
  return derivedCase(
    operations[id],
    {
      id: `errors/${id}-form`,
      title: 'refuses JSON in place of a form',
      covers: REFUSAL_COVERS,
      successes: 2,
    },
    async (t) => {
      const { next } = await baseline(t, id);
      const { form: _, ...others } = next();
      const response = await attempt(t, id, { ...others, body });
      const what = `${nameOf(id)} with JSON in place of a form`;
      // A service may check the content type before it reads the body.
      if (response.status !== 415) return judgeRefusal(t, response, what);
      t.expect('ERROR-01', true, what, response);
      judgeDetail(t, response, what);
    },
  );
});

export const formCases: readonly TestCase[] = [withoutItsPart, ...asJson];

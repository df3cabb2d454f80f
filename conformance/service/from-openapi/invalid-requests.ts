import type { RequirementId } from '../../../spec/generated/documents.js';
import {
  type Operation,
  type OperationId,
  type OperationParameter,
  operations,
} from '../../../spec/generated/operations.js';
import type { ApiRequest } from '../http-client/response.js';
import { CHEAP_TASK, fileForm } from '../request-builders/bodies.js';
import { attempt } from '../request-builders/requests.js';
import { summarize } from '../test-case/read-task.js';
import { describeRequest } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { TOOLS } from '../test-case/texts.js';
import { baseline, derivedCase, everyOperation } from './derived-case.js';
import { describeInvalidField, invalidFieldsOf, requirementsOf, withInvalidField } from './invalid-fields.js';
import { judgeDetail, judgeRefusal, REFUSAL_COVERS } from './refusal.js';

/** A request without one of its parameters, or with another value for it. */
export function withParameter(
  request: ApiRequest,
  { name, in: where }: OperationParameter,
  value: string | undefined,
): Partial<ApiRequest> {
  const part = where === 'header' ? 'headers' : where;
  const { [name]: _, ...others } = (request[part] ?? {}) as Record<string, string>;
  return { [part]: value === undefined ? others : { ...others, [name]: value } };
}

/** One invalid parameter. */
interface InvalidParameter {
  parameter: OperationParameter;
  /** Undefined: missing. */
  value?: string;
  requirement?: RequirementId;
}

/** Rules that say that something is required, and nothing else about it that a refusal would have to show. */
const REQUIRES: Readonly<Partial<Record<OperationId, RequirementId>>> = {
  deleteSop: 'SOP-03',
  deleteAutomation: 'AUTO-03',
};

/** For each operation with parameters: each required one missing, and each of the wrong type. */
export const parameterCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id } = operation;
  const invalid = invalidParametersOf(operation);
  if (invalid.length === 0) return [];
  const more = invalid.flatMap(({ requirement = [] }) => requirement);
  const about = {
    id: `errors/${id}-parameters`,
    title: 'refuses a parameter that is missing or of the wrong type',
    covers: [...new Set([...REFUSAL_COVERS, ...more])],
    successes: 2,
  } as const;
  return derivedCase(operation, about, async (t) => {
    const { next } = await baseline(t, id);
    for (const { parameter, value, requirement } of invalid) {
      const valid = next();
      const response = await attempt(t, id, valid, withParameter(valid, parameter, value));
      const { name, in: where } = parameter;
      const kind = where === 'header' ? 'header' : 'query parameter';
      const what = value === undefined ? `without the ${kind} "${name}"` : `with ${name}=${value}`;
      judgeRefusal(t, response, `${describeRequest(id)} ${what}`, requirement ? [requirement] : []);
    }
  });
});

function invalidParametersOf({ id, params }: Operation): InvalidParameter[] {
  return params.flatMap((parameter): InvalidParameter[] => {
    const { type, required, in: where } = parameter;
    if (where === 'path') return [];
    const requirement = where === 'header' ? 'CHAT-12' : REQUIRES[id];
    const missing = { parameter, ...(requirement === undefined ? {} : { requirement }) };
    const wrong = { parameter, value: type === 'integer' ? 'abc' : 'perhaps' };
    return [...(required ? [missing] : []), ...(type === 'string' ? [] : [wrong])];
  });
}

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
export const bodyCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id, body } = operation;
  if (body?.kind !== 'json') return [];
  const about = {
    id: `errors/${id}-body`,
    title: 'refuses a body that is not JSON, or whose fields are missing or of the wrong type',
    covers: [...REFUSAL_COVERS, 'ERROR-02', ...(MORE[id] ?? [])],
    successes: FULL_BODIES[id] ? 2 : 1,
  } as const;
  return derivedCase(operation, about, (t) => refuseBodies(t, id, body));
});

async function refuseBodies(
  t: TestContext,
  id: OperationId,
  { schema, requiredIsChoice }: NonNullable<Operation['body']>,
): Promise<void> {
  const { next } = await baseline(t, id);
  const refuse = async (
    valid: ApiRequest,
    change: Partial<ApiRequest>,
    what: string,
    more?: readonly RequirementId[],
  ) => judgeRefusal(t, await attempt(t, id, valid, change), `${describeRequest(id)} ${what}`, more);

  const first = next();
  const raw = { content: JSON.stringify(first.body).slice(0, -1), type: 'application/json' };
  await refuse(first, { raw }, 'with a body that is JSON but for its end');
  await refuse(next(), { body: 42 }, 'with the number 42 as its body');
  if (!requiredIsChoice) await refuse(next(), { body: undefined }, 'without a body');
  await sendNotUtf8(t, id, next());

  const full = FULL_BODIES[id];
  const nextFull = (): ApiRequest & { body: Readonly<Record<string, unknown>> } => {
    const request = next();
    return { ...request, body: full ?? (request.body as Record<string, unknown>) };
  };
  // It is a valid request as well before anything of it is changed.
  if (full && !(await attempt(t, id, nextFull())).ok) return;
  for (const invalid of invalidFieldsOf(schema, nextFull().body)) {
    const valid = nextFull();
    const body = withInvalidField(valid.body, invalid);
    await refuse(valid, { body }, describeInvalidField(invalid), requirementsOf(schema, invalid));
  }
}

/** Whether it is refused is not stated: a service may read it with replacement characters. It must not fail. */
async function sendNotUtf8(t: TestContext, id: OperationId, valid: ApiRequest): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(valid.body).replace('{', '{"odd": "?", '));
  bytes[bytes.indexOf(0x3f)] = 0xff;
  const response = await attempt(t, id, valid, { raw: { content: bytes, type: 'application/json' } });
  const message = `${describeRequest(id)} with a body that is not UTF-8: expected 422 (or 400), got ${summarize(response)}`;
  if (response.status >= 500) t.fail('ERROR-01', message, response);
}

interface WrongForm {
  title: string;
  change: (valid: ApiRequest) => ApiRequest;
}

/** JSON that says the same, for the operations whose parts are not named. */
function asJson(body: object): WrongForm {
  const change = ({ form: _, ...others }: ApiRequest) => ({ ...others, body });
  return { title: 'JSON in place of a form', change };
}

/** `file` of POST /file is the one part with a stated name. */
const WRONG_FORMS: Readonly<Partial<Record<OperationId, WrongForm>>> = {
  uploadFile: {
    title: 'a form without the part "file"',
    change: (valid) => ({ ...valid, form: fileForm('other_part') }),
  },
  uploadExtension: asJson({ file: 'hello' }),
  uploadBrowserExtension: asJson({ file: 'hello' }),
  createMessage: asJson({ message: CHEAP_TASK }),
};

export const formCases: readonly TestCase[] = Object.entries(WRONG_FORMS).map(([name, wrong]) => {
  const id = name as OperationId;
  const title = `refuses ${wrong.title}`;
  const about = { id: `errors/${id}-form`, title, covers: REFUSAL_COVERS, successes: 2 } as const;
  return derivedCase(operations[id], about, async (t) => {
    const { next } = await baseline(t, id);
    const response = await attempt(t, id, wrong.change(next()));
    const what = `${describeRequest(id)} with ${wrong.title}`;
    // A service may check the content type before it reads the body.
    if (response.status !== 415 || id === 'uploadFile') return judgeRefusal(t, response, what);
    t.expect('ERROR-01', true, what, response);
    judgeDetail(t, response, what);
  });
});

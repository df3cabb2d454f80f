import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation, OperationId } from '../../../spec/generated/operations.js';
import { isObject, type SchemaObject } from '../../../spec/json-schema/schema.js';
import { JSON_MEDIA_TYPES, PART_PARAMETERS } from '../../common/interesting-values.js';
import { SOME_RECORD, selectStated } from '../../rules/stated-schema.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import { CHEAP_TASK, createMessageForm } from '../operations/bodies.js';
import { attempt, type RequestFactory } from '../operations/requests.js';
import { describeRequest } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { TOOLS } from '../test-case/texts.js';
import {
  createDerivedCase,
  establishBaseline,
  everyOperation,
  judgeRefusal,
  judgeUnusual,
  REFUSAL_COVERS,
} from './derived-case.js';

type BodyFields = Readonly<Record<string, unknown>>;

/** Bodies that replace those of the request builders, since they contain all nested fields that can be invalid. */
const FULL_BODIES: Readonly<Partial<Record<OperationId, BodyFields>>> = {
  createTask: {
    task: CHEAP_TASK,
    custom_tools: [TOOLS.get_weather],
    response_model: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] },
  },
};

/** Further requirements about the body of one operation, and the invalid fields whose refusal is evidence for them. */
const MORE: Readonly<Partial<Record<OperationId, { requirement: RequirementId; fields: RegExp }>>> = {
  createTask: { requirement: 'TOOL-08', fields: /^without custom_tools\.0\./ },
  sendTaskEvent: { requirement: 'EVENT-05', fields: /^with(out)? (name|payload)\b/ },
};

/** For each operation with a JSON body: no JSON, no UTF-8, no object, and each field missing or of the wrong type. */
export const bodyCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id, body } = operation;
  if (body?.kind !== 'json') return [];
  const about = {
    id: `errors/${id}-body`,
    title: 'refuses a body that is not JSON, or whose fields are missing or of the wrong type',
    covers: [...REFUSAL_COVERS, 'ERROR-02', 'SERVICE-02', ...[MORE[id]?.requirement ?? []].flat()],
    successes: FULL_BODIES[id] ? 3 : 2,
  } as const;
  return createDerivedCase(operation, about, (t) => expectRefusals(t, id, body));
});

async function expectRefusals(
  t: TestContext,
  id: OperationId,
  { schema, requiredIsChoice }: NonNullable<Operation['body']>,
): Promise<void> {
  const { next } = await establishBaseline(t, id);
  const expectRefusal = async (
    valid: ApiRequest,
    change: Partial<ApiRequest>,
    what: string,
    more: RequirementId[] = [],
  ) => judgeRefusal(t, await attempt(t, id, valid, change), `${describeRequest(id)} ${what}`, more);

  const first = next();
  const raw = { content: JSON.stringify(first.body).slice(0, -1), type: 'application/json' };
  const cut = await attempt(t, id, first, { raw });
  judgeRefusal(t, cut, `${describeRequest(id)} with a body that is JSON but for its end`);
  for (const body of [42, []]) await expectRefusal(next(), { body }, `with the body ${JSON.stringify(body)}`);
  if (!requiredIsChoice) await expectRefusal(next(), { body: undefined }, 'without a body');
  const none = await attempt(t, id, next(), { body: null });
  judgeUnusual(t, none, `${describeRequest(id)} with the body null`);
  await sendNotUtf8(t, id, next());
  await sendOtherMediaType(t, id, next, cut);

  const whole = FULL_BODIES[id];
  // The unchanged body has to be valid, too.
  if (whole && !(await attempt(t, id, { ...next(), body: whole })).ok) return;
  const full = whole && t.amend(id, { body: whole }).body;
  const sample = full ?? (next().body as BodyFields);
  for (const { path, value } of listInvalidFields(selectStated({ $ref: `#/${schema}` }), sample)) {
    const valid = next();
    const body = replaceField(full ?? (valid.body as BodyFields), path, value);
    const name = path.join('.');
    const what = value === undefined ? `without ${name}` : `with ${name} ${JSON.stringify(value)}`;
    const { requirement, fields } = MORE[id] ?? {};
    await expectRefusal(valid, { body }, what, requirement && fields?.test(what) ? [requirement] : []);
  }
}

/** A refusal is not required: a service may use replacement characters. It must not fail with a server error. */
async function sendNotUtf8(t: TestContext, id: OperationId, valid: ApiRequest): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(valid.body).replace('{', '{"odd": "?", '));
  bytes[bytes.indexOf(0x3f)] = 0xff;
  const response = await attempt(t, id, valid, { raw: { content: bytes, type: 'application/json' } });
  judgeUnusual(t, response, `${describeRequest(id)} with a body that is not UTF-8`);
}

/** The same request as the baseline but for the spelling of its media type. `cut`: the response to a body that is no JSON. */
async function sendOtherMediaType(
  t: TestContext,
  id: OperationId,
  next: RequestFactory,
  cut: ApiResponse,
): Promise<void> {
  const type = t.pick(JSON_MEDIA_TYPES);
  const valid = next();
  const response = await attempt(t, id, valid, { raw: { content: JSON.stringify(valid.body), type } });
  const what = `${describeRequest(id)} with the media type ${type}: expected a success as with application/json`;
  await expectSameSuccess(t, { response, wrong: cut, what, sendUsual: () => attempt(t, id, next()) });
}

/** A success as of the usual request. Only a service that refuses the `wrong` one, whose body cannot be read, shows anything by it. */
async function expectSameSuccess(
  t: TestContext,
  sent: { response: ApiResponse; wrong: ApiResponse; what: string; sendUsual: () => Promise<ApiResponse> },
): Promise<void> {
  const { response, wrong, what } = sent;
  if (response.ok) return void (wrong.status >= 400 && t.expect('SERVICE-02', true, '', wrong, response));
  const usual = await sent.sendUsual();
  const message = `${what}, got ${summarize(response)}`;
  if (usual.ok && response.status !== 429) t.fail('SERVICE-02', message, response, usual);
}

/** One defect of a JSON body. */
interface InvalidField {
  path: readonly string[];
  /** Undefined: missing. */
  value?: unknown;
}

/**
 * The possible defects of a body like `sample` according to the API: each required field missing, and each field with a wrong
 * type or value. Fields that the API does not state are not changed.
 */
function listInvalidFields(
  schema: SchemaObject,
  sample: BodyFields,
  parent: readonly string[] = [],
): InvalidField[] {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, SchemaObject>>);
  return properties.flatMap(([name, field]) => {
    if (field === SOME_RECORD) return [];
    const path = [...parent, name];
    const { [name]: members } = sample;
    const item = field.items as SchemaObject | undefined;
    // The first entry represents the list.
    const first: unknown = Array.isArray(members) ? members[0] : undefined;
    const wrong = [...listWrongValues(field), ...(item ? listWrongValues(item).map((value) => [value]) : [])];
    return [
      ...(schema.required?.includes(name) ? [{ path }] : []),
      ...wrong.map((value) => ({ path, value })),
      ...(item && isObject(first) ? listInvalidFields(item, first, [...path, '0']) : []),
    ];
  });
}

/** Values that cannot be converted to the type: numeric texts are not among them. */
function listWrongValues({ type = [], enum: values }: SchemaObject): unknown[] {
  const types: readonly string[] = [type].flat();
  const wrong: unknown[] = values ? ['something_else'] : [];
  if (types.includes('string')) wrong.push({ wrong: true });
  else if (types.includes('array')) wrong.push(42);
  else if (types.length > 0) wrong.push('wrong');
  if (types.includes('object')) wrong.push([]);
  return wrong;
}

/** A copy of the body with this value in the field, or without the field. */
function replaceField(body: BodyFields, path: readonly string[], value: unknown): BodyFields {
  const changed = structuredClone(body);
  const record = path.slice(0, -1).reduce((at: BodyFields, name) => at[name] as BodyFields, changed);
  // JSON omits undefined values.
  (record as Record<string, unknown>)[path.at(-1)!] = value;
  return changed;
}

/** For each operation with a form: JSON instead of the form, or a form without its named part. */
export const formCases: readonly TestCase[] = everyOperation.flatMap((operation) => {
  const { id, body } = operation;
  if (body?.kind !== 'multipart') return [];
  const isPartNamed = id === 'uploadFile';
  const wrongForm = isPartNamed ? 'a form without the part "file"' : 'JSON in place of a form';
  const title = `refuses ${wrongForm}`;
  const about = {
    id: `errors/${id}-form`,
    title,
    covers: [...REFUSAL_COVERS, 'SERVICE-02'],
    successes: 4,
  } as const;
  return createDerivedCase(operation, about, async (t) => {
    const { next } = await establishBaseline(t, id);
    const content = JSON.stringify({ file: 'hello', message: CHEAP_TASK });
    const json = { raw: { content, type: 'application/json' } };
    const wrong = isPartNamed ? { form: createMessageForm([], ['other_part']) } : json;
    const response = await attempt(t, id, next(), wrong);
    const what = `${describeRequest(id)} with ${wrongForm}`;
    // A service may check the content type before it reads the body.
    judgeRefusal(t, response, what, [], isPartNamed ? undefined : 415);
    await sendPartParameter(t, id, next, response);
  });
});

/** The same form as the baseline but for a parameter of the media types of its parts. `wrong`: the response to another form. */
async function sendPartParameter(
  t: TestContext,
  id: OperationId,
  next: RequestFactory,
  wrong: ApiResponse,
): Promise<void> {
  const parameter = t.pick(PART_PARAMETERS);
  const valid = next();
  const form = new FormData();
  for (const [name, part] of valid.form ?? [])
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([part], { type: part.type + parameter }), part.name);
  const response = await attempt(t, id, valid, { form });
  const what = `${describeRequest(id)} with a part of the media type that it usually has, and ${parameter}: expected a success as without`;
  await expectSameSuccess(t, { response, wrong, what, sendUsual: () => attempt(t, id, next()) });
}

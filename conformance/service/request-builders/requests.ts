import { type OperationId, type OperationParameter, operations } from '../../../spec/generated/operations.js';
import type { ApiRequest, ApiResponse } from '../http-client/response.js';
import { idIn, integerIn, memberWith, payloadOf } from '../test-case/read-record.js';
import { needSuccess } from '../test-case/requests.js';
import type { Settings } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { requestBuilders, type Source } from './builders.js';
import { type Names, type ResourceName, resources } from './resources.js';

/** Creates what a request of the operation needs; each call of the result makes a valid request. */
export async function prepareRequest(t: TestContext, id: OperationId): Promise<() => ApiRequest> {
  const names = await createAll(t, requestBuilders[id].needs);
  return () => requestFor(t, id, names);
}

/** A request that names resources which do not exist. */
export function requestForUnknown(t: TestContext, id: OperationId): ApiRequest {
  return requestFor(t, id, new Proxy({}, { get: () => t.unique() }));
}

/** A request of the operation on the resources with these names. */
export function requestFor(t: TestContext, id: OperationId, names: Names): ApiRequest {
  const more = formsOf(id, t, names)[formsTried(t, id).form] ?? {};
  const parts = { path: { ...more.path }, query: { ...more.query }, header: { ...more.headers } };
  for (const { name, in: where, required } of parametersOf(id)) {
    if (!required || name in parts[where]) continue;
    const value = names[name];
    if (value === undefined) t.inconclusive(`${id} takes "${name}", which no response has shown`);
    if (where === 'query') parts.query[name] = value;
    else parts[where][name] = String(value);
  }
  return { ...more, path: parts.path, query: parts.query, headers: parts.header };
}

/** Creates a resource; it is removed again with all that the test case created. */
export async function create(t: TestContext, name: ResourceName): Promise<Names> {
  const { by, find, needs } = resources[name];
  if (find) return find(t, await createAll(t, needs));
  const { response, request } = await createBy(t, by!, await prepareRequest(t, by!));
  return namesOf(name, response, request);
}

/** Sends requests that have to succeed and create something. */
export async function createBy(t: TestContext, by: OperationId, next: () => ApiRequest) {
  const sent = await sendInSomeForm(t, by, next);
  needSuccess(t, by, sent.response);
  return sent;
}

/** What names the resource that a request created. */
export function namesOf(name: ResourceName, response: ApiResponse, sent: ApiRequest): Names {
  const { names, ids, remove = [], isAmongOthers } = resources[name];
  if (names) return names(response, sent);
  const payload = payloadOf(response);
  const own = isAmongOthers && memberWith(payload, ...Object.values(sent.body as Record<string, string>));
  const id = ids ? idOf(remove[0]!, own ?? payload, ids) : idIn(sent.body, ['id']);
  return { 'workspace-id': sent.headers?.['workspace-id'], [idParameterOf(remove[0]!).name]: id };
}

/** What a request of the operation names its resource by. */
export function idParameterOf(id: OperationId): OperationParameter {
  return parametersOf(id).find(({ required, in: where }) => required && where !== 'header')!;
}

/** The id that the operation takes, from the first of these fields that holds one. */
export function idOf(operation: OperationId, record: unknown, ids: readonly string[]) {
  return idParameterOf(operation).type === 'integer' ? integerIn(record, ids) : idIn(record, ids);
}

async function createAll(t: TestContext, needs: readonly ResourceName[] = []): Promise<Names> {
  let names: Names = {};
  for (const name of needs) names = { ...names, ...(await create(t, name)) };
  return names;
}

/** Sends a valid request, or one that differs from it by `change`. What a success creates is removed again. */
export async function attempt(
  t: TestContext,
  id: OperationId,
  valid: ApiRequest,
  change: Partial<ApiRequest> = {},
): Promise<ApiResponse> {
  const response = await t.send(id, { ...valid, ...change });
  // Also where the request should have been refused: the valid one names what it created.
  if (response.ok) removeLater(t, id, response, valid);
  return response;
}

function removeLater(t: TestContext, id: OperationId, response: ApiResponse, request: ApiRequest): void {
  const { creates } = requestBuilders[id];
  if (creates === undefined) return;
  const { remove = [] } = resources[creates];
  const created = namesOf(creates, response, request);
  for (const operation of remove) {
    if (parametersOf(operation).some(({ name, required }) => required && created[name] === undefined))
      continue;
    const removal = requestFor(t, operation, created);
    const named = Object.values({ ...removal.path, ...removal.query }).join(' ');
    t.cleanup(`${operation} ${named}`, () => t.send(operation, removal));
  }
}

/** How far the forms of a request have been tried, and whether one was accepted or none is. */
interface TriedForms {
  form: number;
  isSettled: boolean;
}

/** Of the test cases of a run: its settings stand for it. */
const triedForms = new WeakMap<Settings, Map<OperationId, TriedForms>>();

function formsTried({ settings }: TestContext, id: OperationId): TriedForms {
  const forms = triedForms.get(settings) ?? new Map<OperationId, TriedForms>();
  triedForms.set(settings, forms);
  const tried = forms.get(id) ?? { form: 0, isSettled: false };
  forms.set(id, tried);
  return tried;
}

function parametersOf(id: OperationId): readonly OperationParameter[] {
  return operations[id].params;
}

/** Everything but the names of resources, in each form that a service may take. */
export function formsOf(id: OperationId, source: Source, names: Names = {}): ApiRequest[] {
  const { request = {} } = requestBuilders[id];
  return [typeof request === 'function' ? request(source, names) : request].flat();
}

/** Attempts a request, in its next form as long as the last was refused for its body. */
export async function sendInSomeForm(
  t: TestContext,
  id: OperationId,
  next: () => ApiRequest,
): Promise<{ request: ApiRequest; response: ApiResponse }> {
  const tried = formsTried(t, id);
  for (;;) {
    const { form } = tried;
    const request = next();
    const response = await attempt(t, id, request);
    if (response.ok) tried.isSettled = true;
    if (tried.isSettled || (response.status !== 400 && response.status !== 422)) return { request, response };
    // Others may have gone on meanwhile.
    if (tried.form === form) tried.form++;
    if (tried.form < formsOf(id, t).length) continue;
    tried.form = 0;
    tried.isSettled = true;
    return { request, response };
  }
}

/** Operations that a request of this one and what it needs take, with removal. */
export function operationsUsed(id: OperationId): OperationId[] {
  const { needs = [], creates } = requestBuilders[id];
  const removal = creates === undefined ? [] : (resources[creates].remove ?? []);
  return [...new Set([id, ...needs.flatMap(operationsOf), ...removal])];
}

function operationsOf(name: ResourceName): OperationId[] {
  const { by, needs = [], uses = [], remove = [] } = resources[name];
  return [...needs.flatMap(operationsOf), ...(by ? operationsUsed(by) : []), ...uses, ...remove];
}

const STARTS_TASK = new Set<OperationId>(['createTask', 'createChatTask', 'createMessage', 'triggerWebhook']);

/** Tasks and sessions that so many successes start, with those of what they need. */
export function tasksStarted(id: OperationId, successes: number): number {
  const { needs = [], consumes } = requestBuilders[id];
  const prerequisites = needs.reduce((sum, name) => sum + tasksOf(name), 0);
  return (STARTS_TASK.has(id) ? successes : 0) + prerequisites * (consumes && successes > 1 ? 2 : 1);
}

function tasksOf(name: ResourceName): number {
  const { by, needs = [], uses = [] } = resources[name];
  const own = uses.filter((each) => STARTS_TASK.has(each)).length;
  return needs.reduce((sum, each) => sum + tasksOf(each), own + (by ? tasksStarted(by, 1) : 0));
}

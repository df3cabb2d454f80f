import { type OperationId, type OperationParameter, operations } from '../../../spec/generated/operations.js';
import { TEXT_ENDS } from '../../common/interesting-values.js';
import { show, toFields } from '../../conversation/json.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import { findMember, readId, readInteger, readPayload } from '../test-case/read-record.js';
import { removeLater, requireResponse } from '../test-case/requests.js';
import type { Settings } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { definitions, listForms } from './definitions.js';
import type { ValueSource } from './operation.js';
import { type ResourceName, type ResourceNames, resources } from './resources.js';
import { readRule } from './rules.js';

/** Builds a valid request in the given form, else in the one that the service has accepted in this run. */
export type RequestFactory = (form?: number, source?: ValueSource) => ApiRequest;

/** Creates the resources that the operation needs, and returns a factory of valid requests. */
export async function createRequestFactory(t: TestContext, id: OperationId): Promise<RequestFactory> {
  const names = await createResources(t, definitions[id].needs);
  return (form, source) => createRequest(t, id, names, form, source);
}

/** A request with ids that do not exist. */
export function createUnknownRequest(t: TestContext, id: OperationId): ApiRequest {
  return { ...createRequest(t, id, new Proxy({}, { get: () => t.unique() })), mayBeRefused: true };
}

/** A request of the operation about the resources with these names. */
export function createRequest(
  t: TestContext,
  id: OperationId,
  names: ResourceNames,
  form = getSettledForms(t).get(id) ?? 0,
  source: ValueSource = t,
): ApiRequest {
  const more = listForms(id, source, names)[form]!;
  const parts = { path: { ...more.path }, query: { ...more.query }, header: { ...more.headers } };
  for (const { name, in: where, required } of listParameters(id)) {
    if (!required || name in parts[where]) continue;
    const value = names[name];
    if (value === undefined) t.inconclusive(`${id} takes "${name}", which no response has shown`);
    if (where === 'query') parts.query[name] = value;
    else parts[where][name] = String(value);
  }
  return t.amend(id, { ...more, path: parts.path, query: parts.query, headers: parts.header });
}

/** Creates a resource and, unless `given`, those it needs. All are removed with the other resources of the test case. */
export async function createResource(
  t: TestContext,
  name: ResourceName,
  given?: ResourceNames,
): Promise<ResourceNames> {
  const { by, find, needs } = resources[name];
  if (find) return find(t, given ?? (await createResources(t, needs)));
  const next = given
    ? (form?: number, source?: ValueSource) => createRequest(t, by!, given, form, source)
    : await createRequestFactory(t, by!);
  const { response, request } = await sendInSomeForm(t, by!, next);
  return readResourceNames(name, requireResponse(t, by!, response), request);
}

/** Reads the ids of the resource that a request created. */
export function readResourceNames(
  name: ResourceName,
  response: ApiResponse,
  sent: ApiRequest,
): ResourceNames {
  const { id, ids, also = {}, isAmongOthers } = resources[name];
  const payload = readPayload(response);
  const own = isAmongOthers && findMember(payload, ...Object.values(sent.body as Record<string, string>));
  // A service may choose the id if the client sent none.
  const chosen = ids ? undefined : readId(sent.body, ['id']);
  const read = id === 't' ? readInteger : readId;
  const more = Object.entries(also).map(([each, fields]) => [each, readId(toFields(payload), fields)]);
  return {
    'workspace-id': sent.headers?.['workspace-id'],
    ...Object.fromEntries(more),
    [id!]: chosen ?? read(own ?? payload, ids ?? ['id']),
  };
}

async function createResources(t: TestContext, needs: readonly ResourceName[] = []): Promise<ResourceNames> {
  let names: ResourceNames = {};
  for (const name of needs) names = { ...names, ...(await createResource(t, name)) };
  return names;
}

/** Sends a valid request, or one changed by `change` that may be refused. What a success creates is removed again. */
export async function attempt(
  t: TestContext,
  id: OperationId,
  valid: ApiRequest,
  change: Partial<ApiRequest> = {},
): Promise<ApiResponse> {
  const isChanged = Object.keys(change).length > 0;
  const response = await t.send(id, { ...valid, ...change, ...(isChanged && { mayBeRefused: true }) });
  // Also if the request should have been refused: the valid one identifies what it created.
  if (response.ok) removeCreated(t, id, response, response.amended ?? valid);
  return response;
}

/** With the key of the valid request. */
function removeCreated(t: TestContext, id: OperationId, response: ApiResponse, request: ApiRequest): void {
  const { creates } = definitions[id];
  if (creates === undefined) return;
  const { remove = [] } = resources[creates];
  const created = readResourceNames(creates, response, request);
  for (const operation of remove) {
    if (listParameters(operation).some(({ name, required }) => required && created[name] === undefined))
      continue;
    const removal = createRequest(t, operation, created);
    const named = Object.values({ ...removal.path, ...removal.query }).join(' ');
    removeLater(t, `${operation} ${named}`, operation, { ...removal, key: request.key ?? 'main' });
  }
}

/** The accepted form of each request (default: the first), per run; the settings object identifies the run. */
const formsByRun = new WeakMap<Settings, Map<OperationId, number>>();

function getSettledForms({ settings }: TestContext): Map<OperationId, number> {
  const forms = formsByRun.get(settings) ?? new Map<OperationId, number>();
  formsByRun.set(settings, forms);
  return forms;
}

function listParameters(id: OperationId): readonly OperationParameter[] {
  return operations[id].params;
}

/** Attempts a request, first with an unusual text, and the next form of it after a refusal of its body. */
export async function sendInSomeForm(
  t: TestContext,
  id: OperationId,
  next: RequestFactory,
  source: ValueSource = t,
): Promise<{ request: ApiRequest; response: ApiResponse }> {
  const settled = getSettledForms(t);
  const unusual = await sendUnusualText(t, id, next, source);
  if (unusual) return unusual;
  const forms = settled.has(id) ? 1 : listForms(id, t, {}).length;
  for (let form = 0; ; form++) {
    const request = next(settled.get(id) ?? form, source);
    const response = await attempt(t, id, request);
    const isRefused = response.status === 400 || response.status === 422;
    if (isRefused && form < forms - 1) continue;
    if (!settled.has(id) && (response.ok || isRefused)) settled.set(id, response.ok ? form : 0);
    return { request: response.amended ?? request, response };
  }
}

/** Operations that have refused an unusual text, per run. */
const plainByRun = new WeakMap<Settings, Set<OperationId>>();

const endsByRun = new WeakMap<Settings, Map<OperationId, string[]>>();

/** Each end once for each operation of a run, in random order, before one comes again. */
function dealEnd(t: TestContext, id: OperationId): string {
  const decks = endsByRun.get(t.settings) ?? new Map<OperationId, string[]>();
  endsByRun.set(t.settings, decks);
  const left = decks.get(id) ?? [];
  if (left.length === 0) left.push(...Object.values(TEXT_ENDS));
  const end = t.pick(left);
  left.splice(left.indexOf(end), 1);
  decks.set(id, left);
  return end;
}

/** In the form that is known to be accepted. Undefined if the request has no text, or if the text is refused: its bounds are not stated. */
async function sendUnusualText(
  t: TestContext,
  id: OperationId,
  next: RequestFactory,
  source: ValueSource,
): Promise<{ request: ApiRequest; response: ApiResponse } | undefined> {
  const form = getSettledForms(t).get(id);
  const refused = plainByRun.get(t.settings) ?? new Set<OperationId>();
  plainByRun.set(t.settings, refused);
  if (form === undefined || refused.has(id)) return undefined;
  const end = dealEnd(t, id);
  let hasText = false;
  const unique = (role: string) => {
    hasText = true;
    return source.unique(role) + end;
  };
  const request = next(form, { unique, now: () => source.now() });
  if (!hasText) return undefined;
  const response = await attempt(t, id, request, { mayBeRefused: true });
  if (response.ok) return { request, response };
  refused.add(id);
  const message = `${operations[id].method} ${operations[id].path} with a text that ends with ${show(end)}: expected a success or a refusal, got ${summarize(response)}`;
  if (response.status === 500) t.fail(readRule(id).id, message, response);
  return undefined;
}

/** Operations that a request of this one and its resources use, including removal. */
export function listUsedOperations(id: OperationId): OperationId[] {
  const { needs = [], creates } = definitions[id];
  const removal = creates === undefined ? [] : (resources[creates].remove ?? []);
  return [...new Set([id, ...needs.flatMap(listResourceOperations), ...removal])];
}

function listResourceOperations(name: ResourceName): OperationId[] {
  const { by, needs = [], uses = [], remove = [] } = resources[name];
  return [
    ...needs.flatMap(listResourceOperations),
    ...(by ? listUsedOperations(by) : []),
    ...uses,
    ...remove,
  ];
}

const STARTS_TASK = new Set<OperationId>(['createTask', 'createChatTask', 'createMessage', 'triggerWebhook']);

/** Number of tasks and sessions that this many successes start, including those of their resources. */
export function countStartedTasks(id: OperationId, successes: number): number {
  const { needs = [], consumes } = definitions[id];
  const prerequisites = needs.reduce((sum, name) => sum + countResourceTasks(name), 0);
  return (STARTS_TASK.has(id) ? successes : 0) + prerequisites * (consumes && successes > 1 ? 2 : 1);
}

function countResourceTasks(name: ResourceName): number {
  const { by, needs = [], uses = [] } = resources[name];
  const own = uses.filter((each) => STARTS_TASK.has(each)).length;
  return needs.reduce(
    (sum, each) => sum + countResourceTasks(each),
    own + (by ? countStartedTasks(by, 1) : 0),
  );
}

import type { RequirementId } from '../../../spec/generated/documents.js';
import type { Operation } from '../../../spec/generated/operations.js';
import { findResultMismatch } from '../../rules/stated-schema.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import { definitions } from '../operations/definitions.js';
import {
  attempt,
  createRequestFactory,
  createUnknownRequest,
  sendInSomeForm,
} from '../operations/requests.js';
import { readRule } from '../operations/rules.js';
import { describeRequest, requireResponse } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { createDerivedCase, everyOperation } from './derived-case.js';

/** For each operation: a valid request succeeds, and the response has the stated shape. */
export const responseCases: readonly TestCase[] = everyOperation.map((operation) => {
  const { id, deprecated, envelope } = operation;
  const rule = readRule(id);
  const covers: RequirementId[] = rule.isShown ? [rule.id, 'SERVICE-02'] : ['SERVICE-02'];
  if (envelope) covers.push('ENV-01');
  if (deprecated) covers.push('VERSION-04');
  if (canProvePath(operation)) covers.push('VERSION-01');
  const title = 'succeeds with the described response';
  const about = { id: `resources/${id}-answer`, title, covers, successes: 1 } as const;
  return createDerivedCase(operation, about, (t) => judgeResponse(t, operation, covers));
});

async function judgeResponse(
  t: TestContext,
  operation: Operation,
  covers: readonly RequirementId[],
): Promise<void> {
  const { id } = operation;
  const { request, response } = await sendInSomeForm(t, id, await createRequestFactory(t, id));
  if (!response.ok) return judgeFailure(t, operation, request, response);
  if (!hasStatedShape(t, operation, response)) return;
  const contrast = await sendContrasting(t, operation, request);
  if (contrast.ok || contrast.status === response.status)
    return t.inconclusive(`a request that should not succeed has the same response (${summarize(contrast)})`);
  // An empty response is no evidence for JSON, and none against it.
  const shown = covers.filter((requirement) => requirement !== 'SERVICE-02' || response.text !== '');
  t.expect(shown, true, '', response);
}

/** The same request without a key or, if none is required, with ids that do not exist. */
function sendContrasting(t: TestContext, { id, auth }: Operation, request: ApiRequest): Promise<ApiResponse> {
  return auth === 'none'
    ? attempt(t, id, createUnknownRequest(t, id))
    : attempt(t, id, request, { key: null });
}

/** Statuses that refuse the content of a request. */
const REFUSALS = [400, 402, 409, 413, 415, 422];

/** The request has only a path that could cause a 404. */
function canProvePath({ method, params }: Operation): boolean {
  return method === 'GET' && params.length === 0;
}

async function judgeFailure(
  t: TestContext,
  operation: Operation,
  request: ApiRequest,
  response: ApiResponse,
): Promise<void> {
  const { id, deprecated } = operation;
  const { open } = definitions[id];
  const { status } = response;
  if (status === 422) await tryDefaults(t, operation, request, response);
  const isTolerated =
    open !== undefined && (REFUSALS.includes(status) || (open === 'lookup' && status === 404));
  if (isTolerated || status === 403 || status === 429) requireResponse(t, id, response);
  const message = `${describeRequest(id)}: expected a valid request to succeed, got ${summarize(response)}`;
  t.fail(readRule(id).id, message, response);
  if (deprecated && [404, 405, 410, 501].includes(status)) t.fail('VERSION-04', message, response);
  // The request names nothing that could be missing: the path is not served.
  if (status === 404 && canProvePath(operation)) t.fail('VERSION-01', message, response);
}

/** Optional parameters were omitted: a request that states their defaults must not get a better response. */
async function tryDefaults(
  t: TestContext,
  { id, params }: Operation,
  request: ApiRequest,
  refused: ApiResponse,
): Promise<void> {
  const defaults = params.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
  if (defaults.length === 0) return;
  const query = { ...Object.fromEntries(defaults), ...request.query };
  const response = await attempt(t, id, request, { query });
  const message = `${describeRequest(id)}: expected it to be accepted as with ${JSON.stringify(query)}, got ${summarize(refused)}`;
  if (response.ok) t.fail(readRule(id).id, message, response, refused);
}

function hasStatedShape(t: TestContext, operation: Operation, response: ApiResponse): boolean {
  const { id, body2xx, envelope } = operation;
  if (body2xx === 'open' && response.text === '') return true;
  const fail = (requirement: RequirementId, found: string) => {
    t.fail(requirement, `${describeRequest(id)}: ${found}`, response);
    return false;
  };
  if (response.body === undefined)
    return fail('SERVICE-02', `expected a body in JSON, got ${summarize(response)}`);
  if (envelope && response.r === undefined)
    return fail('ENV-01', `expected an object with the field "r", got ${summarize(response)}`);
  const found = findResultMismatch(id, response);
  return found === undefined || fail(readRule(id).id, found);
}

/** How requests about resources are made and weighed where the description leaves a part of them open. */
import type { RequirementId } from '../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import type { TestContext } from './test-context.js';

/** `POST /task/{task_id}/visibility?visibility=true`, for messages. */
export function describeRequest(operation: OperationId, { path = {}, query = {} }: ApiRequest = {}): string {
  const { method, path: template } = operations[operation];
  const address = template.replace(/\{(\w+)\}/g, (name, key: string) => `${path[key] ?? name}`);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${method} ${address}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

/** Judges the response to the request `what`. */
type ResponseCheck = (
  t: TestContext,
  requirement: RequirementId,
  response: ApiResponse,
  what: string,
) => void;

/** Sends a request that has to be carried out, as `judge` sees it. */
export async function sendAndCheck(
  t: TestContext,
  requirement: RequirementId,
  operation: OperationId,
  sending: ApiRequest = {},
  judge: ResponseCheck = requireSuccess,
): Promise<ApiResponse> {
  const response = await t.send(operation, sending);
  judge(t, requirement, response, describeRequest(operation, sending));
  return response;
}

/**
 * Ends the case unless a request that the description gives in full was carried out. 403 stands for a feature that is not
 * on the plan, so that it is skipped.
 */
export const requireSuccess: ResponseCheck = (t, requirement, response, what) => {
  if (!response.ok) skipUnavailable(t, response, what);
  requireFollowUp(t, requirement, response, what);
};

/** The same for what is done to something that was made before: the plan includes it then. */
export const requireFollowUp: ResponseCheck = (t, requirement, response, what) => {
  if (response.ok) return;
  if (response.status === 429) skipUnavailable(t, response, what);
  t.fail(requirement, `${what}: expected it to be carried out, got ${summarize(response)}`, response);
  t.inconclusive(`${what} was answered with ${summarize(response)}`);
};

/**
 * The same for a request whose body the description does not show: that it is found wanting proves nothing. That the
 * operation is not there, refuses the key or fails by itself does.
 */
export const requireOpenSuccess: ResponseCheck = (t, requirement, response, what) => {
  if (response.ok) return;
  skipUnavailable(t, response, what);
  const got = summarize(response);
  const message = `${what}: expected a success or, as its body is not described, a complaint about the body; got ${got}`;
  const isBodyRefusal = [400, 402, 406, 409, 412, 413, 422, 501, 503].includes(response.status);
  if (!isBodyRefusal) t.fail(requirement, message, response);
  t.inconclusive(`${what}: none of the bodies tried was taken, the last was answered with ${got}`);
};

function skipUnavailable(t: TestContext, response: ApiResponse, what: string): void {
  if (response.status === 403) t.skip(`${what} is refused with 403: not available on this plan`);
  if (response.status === 429) t.inconclusive(`${what} is refused with 429 however long one waits`);
}

/** Statuses that complain about input. */
const INPUT_REFUSALS: readonly number[] = [400, 415, 422];

/** The first request that is carried out, else the last one that was refused. Another one is tried only after a complaint. */
export async function tryUntilAccepted(
  t: TestContext,
  operation: OperationId,
  requests: readonly ApiRequest[],
  refusals = INPUT_REFUSALS,
): Promise<ApiResponse> {
  let last: ApiResponse | undefined;
  for (const request of requests) {
    last = await t.send(operation, request);
    if (!refusals.includes(last.status)) return last;
  }
  return last!;
}

/** A value, and what the field may be called that holds it. */
export type NamedValue = readonly [value: string, names: readonly string[]];

/** Bodies that say the same: under all the names that the fields may have at once, then under each. */
export function createBodies(...values: readonly NamedValue[]): Record<string, string>[] {
  const every = values.flatMap(([value, names]) => names.map((name) => [name, value]));
  const each = values.reduce<Record<string, string>[]>(
    (bodies, [value, names]) => bodies.flatMap((body) => names.map((name) => ({ ...body, [name]: value }))),
    [{}],
  );
  return [Object.fromEntries(every), ...each];
}

/** How often something that takes effect late is looked at. */
const MOST_READS = 4;

/** Asks again for a while until `holds`; the last response. What was changed need not show at once. */
export async function readUntil(
  t: TestContext,
  send: () => Promise<ApiResponse>,
  holds: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  for (let reads = 1; ; reads++) {
    const response = await send();
    if (reads === MOST_READS || holds(response)) return response;
    await t.sleep(t.settings.pollIntervalMs * 2 ** (reads - 1));
  }
}

/** Reads until `holds`, which has to come about; the last response. */
export async function expectRead(
  t: TestContext,
  requirement: RequirementId,
  read: () => Promise<ApiResponse>,
  holds: (response: ApiResponse) => boolean,
  expected: string,
  ...shown: ApiResponse[]
): Promise<ApiResponse> {
  const response = await readUntil(t, read, holds);
  t.expect(requirement, holds(response), `${expected}, got ${summarize(response)}`, ...shown, response);
  return response;
}

/** The envelope of a success holds true or false. */
export const expectBoolean: ResponseCheck = (t, requirement, response, what) => {
  const message = `${what}: expected r to be true or false, got ${summarize(response)}`;
  t.expect(requirement, typeof response.r === 'boolean', message, response);
};

/** Removes something when the case ends, unless it is removed by then. */
export function removeLater(t: TestContext, what: string, operation: OperationId, sending: ApiRequest): void {
  t.cleanup(what, async () => {
    const response = await t.send(operation, sending);
    if (!response.ok && ![400, 404, 410].includes(response.status)) throw new Error(summarize(response));
  });
}

/**
 * Whether what was removed is told apart from what is there: asked for again it is answered like something that never
 * was. Undefined where the target responses a removal of anything in the same way.
 */
export function isGone(never: ApiResponse, first: ApiResponse, again: ApiResponse): boolean | undefined {
  const isAccepted = (response: ApiResponse) => response.ok && response.r !== false;
  if (isAccepted(never) || !isAccepted(first)) return undefined;
  return !isAccepted(again);
}

/** Sends a request without whose success the case cannot go on. */
export async function sendRequired(
  t: TestContext,
  operation: OperationId,
  request: ApiRequest = {},
): Promise<ApiResponse> {
  return requireResponse(t, operation, await t.send(operation, request));
}

export function requireResponse(t: TestContext, operation: OperationId, response: ApiResponse): ApiResponse {
  if (response.ok) return response;
  const message = `this check needs ${operation} to succeed, got ${summarize(response)}`;
  return response.status === 403
    ? t.skip(`not on the plan of this key: ${message}`)
    : t.inconclusive(message);
}

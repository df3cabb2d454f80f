/** Sends requests about resources and checks the responses, where the description leaves a part of them open. */
import type { RequirementId } from '../../../spec/generated/documents.js';
import { type OperationId, operations } from '../../../spec/generated/operations.js';
import { type ApiRequest, type ApiResponse, summarize } from '../http-client/response.js';
import type { TestContext } from './test-context.js';

export function describeRequest(operation: OperationId, { path = {}, query = {} }: ApiRequest = {}): string {
  const { method, path: template } = operations[operation];
  const address = template.replace(/\{(\w+)\}/g, (name, key: string) => `${path[key] ?? name}`);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${method} ${address}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}

/** Checks the response to the request `what`. */
type ResponseCheck = (
  t: TestContext,
  requirement: RequirementId,
  response: ApiResponse,
  what: string,
) => void;

/** Sends a request that has to succeed according to `judge`. */
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
 * Ends the case unless a fully described request succeeded. 403 means that the plan does not include the feature: the case is
 * skipped.
 */
export const requireSuccess: ResponseCheck = (t, requirement, response, what) => {
  if (!response.ok) skipUnavailable(t, response, what);
  requireFollowUp(t, requirement, response, what);
};

/** The same for a request about an existing resource: the plan includes the feature then. */
export const requireFollowUp: ResponseCheck = (t, requirement, response, what) => {
  if (response.ok) return;
  if (response.status === 429) skipUnavailable(t, response, what);
  t.fail(requirement, `${what}: expected it to be carried out, got ${summarize(response)}`, response);
  t.inconclusive(`the response to ${what} was ${summarize(response)}`);
};

/**
 * The same for a request with an undescribed body: a refusal of its input shows nothing. A missing operation, a refused key or a
 * server error breaks the requirement.
 */
export const requireOpenSuccess: ResponseCheck = (t, requirement, response, what) => {
  if (response.ok) return;
  skipUnavailable(t, response, what);
  const got = summarize(response);
  const message = `${what}: expected a success or, as its body is not described, a refusal of the body; got ${got}`;
  const isBodyRefusal = [400, 402, 406, 409, 412, 413, 422, 501, 503].includes(response.status);
  if (!isBodyRefusal) t.fail(requirement, message, response);
  t.inconclusive(`${what}: none of the bodies was accepted, the last response was ${got}`);
};

function skipUnavailable(t: TestContext, response: ApiResponse, what: string): void {
  if (response.status === 403) t.skip(`${what} is refused with 403: not available on this plan`);
  if (response.status === 429) t.inconclusive(`${what} is refused with 429 however long one waits`);
}

/** Statuses that reject the input. */
const INPUT_REFUSALS: readonly number[] = [400, 415, 422];

/** The first request that succeeds, else the last refusal. Only a rejected input leads to the next request. */
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

/** A value, and possible names of its field. */
export type NamedValue = readonly [value: string, names: readonly string[]];

/** Equivalent bodies: first with all possible field names at once, then with each name. */
export function createBodies(...values: readonly NamedValue[]): Record<string, string>[] {
  const every = values.flatMap(([value, names]) => names.map((name) => [name, value]));
  const each = values.reduce<Record<string, string>[]>(
    (bodies, [value, names]) => bodies.flatMap((body) => names.map((name) => ({ ...body, [name]: value }))),
    [{}],
  );
  return [Object.fromEntries(every), ...each];
}

/** Number of reads for a delayed effect. */
const MOST_READS = 4;

/** Reads until `holds` is true, with pauses; returns the last response. A change may take effect with a delay. */
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

/** The longest wait for an effect that the service has announced, ms. */
const SETTLED_MS = 10_000;

/** The same with a last read after a longer wait, for an effect that an account may show late. */
export async function readUntilSettled(
  t: TestContext,
  send: () => Promise<ApiResponse>,
  holds: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  const response = await readUntil(t, send, holds);
  if (holds(response)) return response;
  await t.sleep(Math.min(t.settings.longestWaitMs ?? SETTLED_MS, SETTLED_MS));
  return send();
}

/** Reads until `holds`, and fails the requirement if it never does; returns the last response. */
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

/** Removes a resource when the case ends, unless it is already removed. */
export function removeLater(t: TestContext, what: string, operation: OperationId, sending: ApiRequest): void {
  t.cleanup(what, async () => {
    const response = await t.send(operation, sending);
    if (!response.ok && ![400, 404, 410].includes(response.status)) throw new Error(summarize(response));
  });
}

/**
 * Whether a removed resource gets the same response as one that never existed. Undefined if the target responds to every removal
 * in the same way.
 */
export function isGone(never: ApiResponse, first: ApiResponse, again: ApiResponse): boolean | undefined {
  const isAccepted = (response: ApiResponse) => response.ok && response.r !== false;
  if (isAccepted(never) || !isAccepted(first)) return undefined;
  return !isAccepted(again);
}

/** Sends a request that the rest of the case depends on. */
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

import { type Operation, operations } from '../../spec/generated/operations.js';
import { findNearest } from '../../spec/nearest.js';
import { truncateText } from '../../spec/show.js';
import { API_PREFIX } from '../../spec/vocabulary.js';
import type { Organisation } from '../engine/organisation.js';
import { TableFull } from '../engine/resources/records.js';
import { ApiError, InvalidInput } from '../exchange/errors.js';
import type { NoRoute } from '../exchange/route.js';
import { formatAllow } from '../exchange/route.js';
import { API_HEADERS, createJsonResponse, type WireRequest, type WireResponse } from '../exchange/wire.js';
import { HandlerResponse } from './context.js';

/** Longest path that is compared with those of the API, in characters. */
const LONGEST_COMPARED = 120;

export function toResponse(organisation: Organisation, operation: Operation, result: unknown): WireResponse {
  if (result instanceof HandlerResponse) {
    const { status, headers, text } = result;
    const all = Object.keys(headers).length === 0 ? API_HEADERS : { ...API_HEADERS, ...headers };
    return { status, headers: all as Record<string, string>, body: text };
  }
  if (operation.body2xx !== 'bare') return createJsonResponse(200, result);
  // A record without the envelope, unless the dialect wraps it in `r`.
  const isEnveloped = organisation.dialect['envelope.unwrapped-rows'] === 'enveloped';
  return createJsonResponse(200, isEnveloped ? { r: result } : result);
}

/** The response to an error; undefined for a fault of the mock itself. */
export function respondToError(organisation: Organisation, error: unknown): WireResponse | undefined {
  if (error instanceof InvalidInput) return respondToInvalidInput(organisation, error);
  if (error instanceof ApiError) return respondToApiError(error);
  return error instanceof TableFull ? respondToApiError(new ApiError(400, error.message)) : undefined;
}

export function respondToFault(): WireResponse {
  return createJsonResponse(500, {
    detail: 'A fault of the mock itself: its log says more. Please report it.',
  });
}

/** Dialects `errors.validation-detail` and, for parameters, `errors.invalid-parameters`. */
function respondToInvalidInput(organisation: Organisation, error: InvalidInput): WireResponse {
  const { dialect } = organisation;
  // The key is not a parameter: a missing key is a separate open point.
  const isInParameters = error.problems.every(({ loc }) => loc[0] !== 'body' && loc[1] !== 'apikey');
  if (isInParameters && dialect['errors.invalid-parameters'] === '400')
    return respondToApiError(new ApiError(400, error.detail));
  return dialect['errors.validation-detail'] === 'string'
    ? respondToApiError(error)
    : createJsonResponse(422, { detail: error.problems });
}

function respondToApiError(error: ApiError): WireResponse {
  return createJsonResponse(error.status, { detail: error.detail }, { ...API_HEADERS, ...error.headers });
}

/**
 * The response to a request without an operation for its path and method. It lists the existing methods or a
 * similar path.
 */
export function respondToUnknownPath(method: string, path: string, found: NoRoute): WireResponse {
  if (found.isMalformed)
    return respondToApiError(
      new ApiError(404, `The path ${truncateText(path, 120)} has a broken percent-encoding.`),
    );
  if (!found.allowed) {
    const detail = `There is no operation at ${method} ${truncateText(path, 120)}. The API lives under ${API_PREFIX}.${suggestOperation(method, path)}`;
    return respondToApiError(new ApiError(404, detail));
  }
  const allow = formatAllow(found.allowed);
  return respondToApiError(
    new ApiError(405, `${method} is not allowed at ${truncateText(path, 120)}, only ${allow}.`, { allow }),
  );
}

/** The operation with the most similar path; the parameters are those of the request. */
function suggestOperation(method: string, path: string): string {
  const given = path.replace(/^\/+(api\/+)?(v\d+\/+)?/, '').replace(/\/+$/, '');
  if (given.length > LONGEST_COMPARED) return '';
  const segments = given.split('/');
  const all = Object.values(operations).sort(
    (one, other) => Number(other.method === method) - Number(one.method === method),
  );
  const candidates = new Map<string, Operation>();
  for (const operation of all) {
    const filled = operation.segments.map((segment, at) =>
      segment.startsWith('{') ? (segments[at] ?? segment) : segment,
    );
    const name = filled.join('/');
    if (!candidates.has(name)) candidates.set(name, operation);
  }
  const meant = candidates.get(findNearest(given, candidates.keys()) ?? '');
  return meant ? ` Did you mean ${meant.method} ${API_PREFIX}/${meant.segments.join('/')}?` : '';
}

export function respondToPreflight(wire: WireRequest): WireResponse {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': wire.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '600',
    },
    body: '',
  };
}

/** The body of the operations whose success body the API leaves open (dialect `empty-body.shape`). */
export function createEmptyBody(organisation: Organisation): unknown {
  switch (organisation.dialect['empty-body.shape']) {
    case 'empty-object':
      return {};
    case 'null':
      return null;
    default:
      return { r: true };
  }
}

import type { Organisation } from '../engine/organisation.js';
import { Answer } from './context.js';
import { ApiError, type InvalidInput } from './errors.js';
import { API_HEADERS, json, type WireResponse } from './wire.js';

/** What a handler has come to, as it leaves. */
export function success(outcome: unknown): WireResponse {
  if (!(outcome instanceof Answer)) return json(200, outcome);
  const headers = (outcome.headers ? { ...API_HEADERS, ...outcome.headers } : API_HEADERS) as Record<
    string,
    string
  >;
  return { status: outcome.status, headers, body: outcome.text ?? JSON.stringify(outcome.body) };
}

/** The record of a row that is named without the envelope: in `r` all the same where the dialect says so (`envelope.unwrapped-rows`). */
export function bareRow(organisation: Organisation, record: unknown): unknown {
  const isEnveloped = organisation.world.setup.dialect['envelope.unwrapped-rows'] === 'enveloped';
  return isEnveloped ? { r: record } : record;
}

/** Dialects `errors.validation-detail` and, for parameters, `errors.invalid-parameters`. */
export function refusal(organisation: Organisation, error: InvalidInput): WireResponse {
  const { dialect } = organisation.world.setup;
  // The key is no parameter: what its absence leads to is a point of its own.
  const inParameters = error.problems.every(({ loc }) => loc[0] !== 'body' && loc[1] !== 'apikey');
  if (inParameters && dialect['errors.invalid-parameters'] === '400') {
    return errorAnswer(new ApiError(400, error.detail));
  }
  return dialect['errors.validation-detail'] === 'string'
    ? errorAnswer(error)
    : json(422, { detail: error.problems });
}

export function errorAnswer(error: ApiError): WireResponse {
  return json(error.status, { detail: error.detail }, { ...API_HEADERS, ...error.headers });
}

import { field, isText, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';

/** Errors that the API itself responds with. What stands in front of a service may send others, in its own way. */
const OWN_ERRORS = [400, 401, 403, 404, 409, 429];

/** The form that responses have in common. Sections "Response envelope" and "Errors". */
export const responseRules = defineRules('service', 'stream', 'all', {
  'responses/json': {
    requirements: ['SERVICE-02'],
    title: 'The body of a success is JSON.',
    check: (exchange) => {
      if (!exchange.operation || !exchange.ok) return undefined;
      const { state } = exchange.responseBody;
      if (state === 'json') return 'kept';
      // Where no body is stated, there may be none.
      const mayBeAbsent = exchange.operation.body2xx === 'open';
      if (state === 'unknown' || (state === 'absent' && mayBeAbsent)) return undefined;
      return `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be JSON, and ${bodyOf(exchange)} came.`;
    },
  },
  'responses/content-type': {
    requirements: ['SERVICE-02'],
    title: 'JSON is announced as JSON.',
    check: (exchange) => {
      const { httpStatus, operation, responseBody } = exchange;
      const isJudged = exchange.ok || httpStatus === 422 || OWN_ERRORS.includes(httpStatus);
      const type = exchange.responseHeader('content-type');
      if (!operation || !isJudged || responseBody.state !== 'json' || !type) return undefined;
      if (/^[^;]*\bjson\b/i.test(type)) return 'kept';
      return `The response to ${exchange.operationName} is JSON under the content type ${show(type)}. Send "application/json": clients do not read it otherwise.`;
    },
  },
  'responses/envelope': {
    requirements: ['ENV-01'],
    title: 'A success with an envelope is an object whose field `r` is present.',
    check: (exchange) => {
      if (!exchange.operation?.envelope || !exchange.isConfirmed) return undefined;
      if (field(exchange.responseJson, 'r') !== undefined) return 'kept';
      return `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be an object with the field "r", and ${bodyOf(exchange)} came.`;
    },
  },
  'responses/detail': {
    requirements: ['ENV-02'],
    title: 'The body of an error is an object whose field `detail` is a text.',
    check: (exchange) => {
      if (!exchange.operation || !OWN_ERRORS.includes(exchange.httpStatus)) return undefined;
      if (exchange.responseBody.state === 'unknown') return undefined;
      if (isText(field(exchange.responseJson, 'detail'))) return 'kept';
      return `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be an object with a text in "detail", and ${bodyOf(exchange)} came.`;
    },
  },
  'responses/validation-detail': {
    requirements: ['ERROR-02'],
    title: 'The body of a 422 is an object that has a `detail`.',
    check: (exchange) => {
      if (!exchange.operation || exchange.httpStatus !== 422) return undefined;
      if (exchange.responseBody.state === 'unknown') return undefined;
      const detail = field(exchange.responseJson, 'detail');
      // Its shape is left open: a text, or a list of what is wrong.
      if (isText(detail) || (detail !== null && typeof detail === 'object')) return 'kept';
      return `The body of the 422 to ${exchange.operationName} has to be an object with a "detail" that says what does not validate, and ${bodyOf(exchange)} came.`;
    },
  },
});

function bodyOf({ exchange, responseBody }: ReadExchange): string {
  if (responseBody.state === 'json') return show(responseBody.value);
  if (responseBody.state === 'absent') return 'an empty one';
  return `one that begins with ${show(exchange.response?.body.slice(0, 40))}`;
}

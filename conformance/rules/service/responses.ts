import { field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';

/** Errors that the API itself answers with. What stands in front of a service may answer others, in its own way. */
const OWN_ERRORS = new Set([400, 401, 403, 404, 409, 429]);

/** The form that answers have in common. Sections "Response envelope" and "Errors". */
export const answerRules = defineRules({ side: 'service', level: 'must', scope: 'stream' }, [
  {
    id: 'responses/json',
    requirements: ['SERVICE-02'],
    title: 'A success is answered with JSON.',
    check: (exchange) => {
      if (!exchange.operation || !exchange.ok) return undefined;
      const { state } = exchange.responseBody;
      if (state === 'json') return 'kept';
      // Where no body is stated, there may be none.
      if (state === 'unknown' || (state === 'absent' && exchange.operation.body2xx === 'open'))
        return undefined;
      const came = state === 'absent' ? 'an empty one' : `one that begins with ${beginning(exchange)}`;
      return about(
        exchange,
        `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be JSON, and ${came} came.`,
      );
    },
  },
  {
    id: 'responses/content-type',
    requirements: ['SERVICE-02'],
    title: 'JSON is announced as JSON.',
    check: (exchange) => {
      const isError = OWN_ERRORS.has(exchange.httpStatus) || exchange.httpStatus === 422;
      if (!exchange.operation || (!exchange.ok && !isError)) return undefined;
      const type = exchange.responseHeader('content-type');
      if (exchange.responseBody.state !== 'json' || !type) return undefined;
      if (/^[^;]*\bjson\b/i.test(type)) return 'kept';
      return about(
        exchange,
        `The answer to ${exchange.operationName} is JSON under the content type ${show(type)}. Answer with "application/json": clients do not read it otherwise.`,
      );
    },
  },
  {
    id: 'responses/envelope',
    requirements: ['ENV-01'],
    title: 'A success with an envelope is an object whose field `r` is present.',
    check: (exchange) => {
      if (!exchange.operation?.envelope || !exchange.ok || exchange.responseBody.state !== 'json')
        return undefined;
      const body = exchange.responseJson;
      if (field(body, 'r') !== undefined) return 'kept';
      return about(
        exchange,
        `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be an object with the field "r", and ${show(body)} came.`,
      );
    },
  },
  {
    id: 'responses/detail',
    requirements: ['ENV-02'],
    title: 'An error is answered with an object whose field `detail` is a text.',
    check: (exchange) => {
      if (!exchange.operation || !OWN_ERRORS.has(exchange.httpStatus)) return undefined;
      if (exchange.responseBody.state === 'unknown') return undefined;
      const detail = field(exchange.responseJson, 'detail');
      if (typeof detail === 'string' && detail !== '') return 'kept';
      return about(
        exchange,
        `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be an object with a text in "detail", and ${came(exchange)} came.`,
      );
    },
  },
  {
    id: 'responses/validation-detail',
    requirements: ['ERROR-02'],
    title: 'A 422 is answered with an object that has a `detail`.',
    check: (exchange) => {
      if (!exchange.operation || exchange.httpStatus !== 422) return undefined;
      if (exchange.responseBody.state === 'unknown') return undefined;
      const detail = field(exchange.responseJson, 'detail');
      // Its shape is left open: a text, or a list of what is wrong.
      if ((typeof detail === 'string' && detail !== '') || (detail !== null && typeof detail === 'object'))
        return 'kept';
      return about(
        exchange,
        `The body of the 422 to ${exchange.operationName} has to be an object with a "detail" that says what does not validate, and ${came(exchange)} came.`,
      );
    },
  },
]);

function about({ operation }: ReadExchange, message: string): { message: string; about: string } {
  return { message, about: operation?.id ?? '' };
}

function came(exchange: ReadExchange): string {
  const { state } = exchange.responseBody;
  if (state === 'json') return show(exchange.responseJson);
  return state === 'absent' ? 'an empty one' : `one that begins with ${beginning(exchange)}`;
}

function beginning({ exchange }: ReadExchange): string {
  return show(exchange.response?.body.slice(0, 40));
}

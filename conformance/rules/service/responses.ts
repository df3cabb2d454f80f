import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { SchemaObject } from '../../../spec/json-schema/schema.js';
import { findEncodingFault } from '../../conversation/body.js';
import { isText, readField, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';
import { findMismatch, readResultSchema, SOME_RECORD } from '../stated-schema.js';

/** Errors of the API itself. Servers in front of it may send others in another form. */
const OWN_ERRORS = [400, 401, 403, 404, 409, 429];

const RECORD: SchemaObject = { type: 'object' };
const RECORDS: SchemaObject = { type: 'array', items: RECORD };
const PROXY: SchemaObject = {
  ...RECORD,
  properties: { auto_renew: { type: 'boolean' } },
  required: ['auto_renew'],
};
/** The flag may be absent: the fields of a record are open. */
const FLAG: SchemaObject = { properties: { shared: { type: 'boolean' } } };
const WORKSPACE: SchemaObject = { ...SOME_RECORD, properties: { ...FLAG.properties, r: FLAG } };

/** Schemas that differ from the API description, or whose fields other rules check. */
const OWN_SCHEMAS: Partial<Record<OperationId, SchemaObject>> = {
  getTask: RECORD,
  listTasks: RECORDS,
  createProfile: RECORD,
  listProfiles: RECORDS,
  listProxies: { type: 'array', items: PROXY },
  updateProxy: PROXY,
  uploadFile: { ...RECORD, properties: { id: { type: 'string', minLength: 1 } }, required: ['id'] },
  getWorkspace: WORKSPACE,
  createWorkspace: WORKSPACE,
  listBrowserProfiles: SOME_RECORD,
  listBrowserExtensions: SOME_RECORD,
};

/** Other rules check these responses completely. */
const OTHERS: readonly OperationId[] = ['createTask', 'sendTaskEvent'];

/** One rule for each operation that states its payload: `payloads/getUsage`. Section "Endpoints". */
const payloadRules = Object.values<Operation>(operations)
  .filter(({ id, body2xx }) => body2xx !== 'open' && !OTHERS.includes(id))
  .flatMap((operation) => {
    const { id, envelope } = operation;
    let schema = OWN_SCHEMAS[id];
    return defineRules('service', 'stream', [id], {
      [`payloads/${id}`]: {
        requirements: [requirements.find(({ describes }) => describes === id)!.id as RequirementId],
        title: `The response to ${id} holds what the API states.`,
        check: (exchange) => {
          if (!exchange.isConfirmed) return undefined;
          const payload = envelope ? readField(exchange.responseJson, 'r') : exchange.responseJson;
          // Another rule reports a missing envelope.
          if (payload === undefined) return undefined;
          schema ??= selectSchema(operation);
          const wrong = findMismatch(payload, schema);
          const where = envelope ? '"r" in the response' : 'The response';
          return wrong ? `${where} to ${exchange.operationName} is not as stated: ${wrong}.` : 'kept';
        },
      },
    });
  });

/** The form common to all responses. Sections "Response envelope" and "Errors". */
export const responseRules = [
  ...payloadRules,
  ...defineRules('service', 'stream', 'all', {
    'responses/json': {
      requirements: ['SERVICE-02'],
      title: 'The body of a success is JSON.',
      check: (exchange) => {
        if (!exchange.operation || !exchange.ok) return undefined;
        const { state } = exchange.responseBody;
        if (state === 'json') return 'kept';
        // If no body is stated, it may be absent.
        const mayBeAbsent = exchange.operation.body2xx === 'open';
        if (state === 'unknown' || (state === 'absent' && mayBeAbsent)) return undefined;
        return `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be JSON, but is ${describeBody(exchange)}.`;
      },
    },
    'responses/content-type': {
      requirements: ['SERVICE-02'],
      title: 'JSON is announced as JSON.',
      check: (exchange) => {
        const { httpStatus, operation, responseBody } = exchange;
        const isJudged = exchange.ok || httpStatus === 422 || OWN_ERRORS.includes(httpStatus);
        const type = exchange.findResponseHeader('content-type');
        if (!operation || !isJudged || responseBody.state !== 'json' || !type) return undefined;
        if (/^[^;]*\bjson\b/i.test(type)) return 'kept';
        return `The response to ${exchange.operationName} is JSON under the content type ${show(type)}. Send "application/json": clients do not read it otherwise.`;
      },
    },
    'responses/encoding': {
      requirements: ['SERVICE-02'],
      title: 'JSON is encoded as its headers say, in UTF-8, without a byte order mark.',
      check: (exchange) => {
        if (!exchange.operation || exchange.responseBody.state !== 'json') return undefined;
        const fault = findEncodingFault(exchange, 'response');
        return fault ? `The response to ${exchange.operationName} ${fault}` : 'kept';
      },
    },
    'responses/envelope': {
      requirements: ['ENV-01'],
      title: 'A success with an envelope is an object whose field `r` is present.',
      check: (exchange) => {
        if (!exchange.operation?.envelope || !exchange.isConfirmed) return undefined;
        if (readField(exchange.responseJson, 'r') !== undefined) return 'kept';
        return `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be an object with the field "r", but is ${describeBody(exchange)}.`;
      },
    },
    'responses/detail': {
      requirements: ['ENV-02'],
      title: 'The body of an error is an object whose field `detail` is a text.',
      check: (exchange) => {
        if (!exchange.operation || !OWN_ERRORS.includes(exchange.httpStatus)) return undefined;
        if (exchange.responseBody.state === 'unknown') return undefined;
        if (isText(readField(exchange.responseJson, 'detail'))) return 'kept';
        return `The body of the ${exchange.httpStatus} to ${exchange.operationName} has to be an object with a text in "detail", but is ${describeBody(exchange)}.`;
      },
    },
    'responses/validation-detail': {
      requirements: ['ERROR-02'],
      title: 'The body of a 422 is an object that has a `detail`.',
      check: (exchange) => {
        if (!exchange.operation || exchange.httpStatus !== 422) return undefined;
        if (exchange.responseBody.state === 'unknown') return undefined;
        const detail = readField(exchange.responseJson, 'detail');
        // The API does not state its form: a text, or a list of errors.
        if (isText(detail) || (detail !== null && typeof detail === 'object')) return 'kept';
        return `The body of the 422 to ${exchange.operationName} has to be an object with a "detail" that says what does not validate, but is ${describeBody(exchange)}.`;
      },
    },
  }),
];

function describeBody({ exchange, responseBody }: ReadExchange): string {
  if (responseBody.state === 'json') return show(responseBody.value);
  if (responseBody.state === 'absent') return 'empty';
  return `text that begins with ${show(exchange.response?.body.slice(0, 40))}`;
}

/** One record in an envelope is an object. */
function selectSchema(operation: Operation): SchemaObject {
  const stated = readResultSchema(operation);
  return operation.envelope && stated === SOME_RECORD ? RECORD : stated;
}

import { type RequirementId, requirements } from '../../../spec/generated/documents.js';
import { type Operation, type OperationId, operations } from '../../../spec/generated/operations.js';
import type { SchemaObject } from '../../../spec/json-schema/schema.js';
import { field } from '../../conversation/json.js';
import { findMismatch, SOME_RECORD, statedResult } from '../../service/from-openapi/stated.js';
import { defineRules } from '../rule.js';

const RECORD: SchemaObject = { type: 'object' };
const RECORDS: SchemaObject = { type: 'array', items: RECORD };
const PROXY: SchemaObject = {
  ...RECORD,
  properties: { auto_renew: { type: 'boolean' } },
  required: ['auto_renew'],
};

/** Where the API states more than the description or less, and where other rules look at each field. */
const OWN_SCHEMAS: Partial<Record<OperationId, SchemaObject>> = {
  getTask: RECORD,
  listTasks: RECORDS,
  createProfile: RECORD,
  listProfiles: RECORDS,
  listProxies: { type: 'array', items: PROXY },
  updateProxy: PROXY,
  listBrowserProfiles: SOME_RECORD,
  listBrowserExtensions: SOME_RECORD,
};

/** Other rules look at these responses as a whole. */
const OTHERS: readonly OperationId[] = ['createTask', 'sendTaskEvent'];

/** One rule for each operation that states its payload: `payloads/getUsage`. Section "Endpoints". */
export const payloadRules = Object.values<Operation>(operations)
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
          const payload = envelope ? field(exchange.responseJson, 'r') : exchange.responseJson;
          // Without the envelope there is nothing to look into, which is another rule's matter.
          if (payload === undefined) return undefined;
          schema ??= schemaOf(operation);
          const wrong = findMismatch(payload, schema);
          const where = envelope ? '"r" in the response' : 'The response';
          return wrong ? `${where} to ${exchange.operationName} is not as stated: ${wrong}.` : 'kept';
        },
      },
    });
  });

/** One record in an envelope is an object. */
function schemaOf(operation: Operation): SchemaObject {
  const stated = statedResult(operation);
  return operation.envelope && stated === SOME_RECORD ? RECORD : stated;
}

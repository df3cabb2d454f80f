import { type Operation, operations } from '../../../spec/generated/operations.js';
import { findEncodingFault } from '../../conversation/body.js';
import { LEAST_MS } from '../../conversation/event-times.js';
import { readField, show, toFields } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';

const KEY_IN_QUERY = /^(x-)?api[-_]?key$/i;

const JSON_TYPE = /^[^;]*[/+]json\s*(;|$)/i;
const TAKE_JSON = Object.values<Operation>(operations)
  .filter(({ body }) => body?.kind === 'json')
  .map(({ id }) => id);

/** Texts that programs write for a missing value. No service uses them as ids. */
const NO_VALUE = ['undefined', 'null', 'None', 'nil', 'NaN', '[object Object]'];
const IDS_IN_BODIES = ['id', 'profile_id', 'session_id'];
const READ_IDS = 'Read ids from inside the envelope: the "id" of the object in "r".';

/** Sections "Authentication", "What the service does", "Event endpoint rules" and "Response envelope". */
export const requestRules = defineRules('client', 'stream', 'all', {
  'auth/key-in-query': {
    requirements: ['AUTH-01'],
    title: 'The key travels in a header, never in the address.',
    defect: 'The API key was sent in the address',
    concerns: 'form',
    check: ({ operation, operationName, query }) => {
      if (!operation || query.size === 0) return undefined;
      const name = [...query.keys()].find((each) => KEY_IN_QUERY.test(each));
      if (name === undefined) return undefined;
      return `The address of ${operationName} carries a key in the query parameter "${name}", where logs keep it. Send it in the header "apikey" only.`;
    },
  },
  'auth/key-sent': {
    requirements: ['AUTH-01'],
    title: 'A request to an operation that requires a key brings one.',
    defect: 'A request had no API key',
    concerns: 'form',
    needs: ['headers'],
    check: (exchange) => {
      if (exchange.operation?.auth !== 'key' || hasKey(exchange)) return undefined;
      const message = `${exchange.operationName} requires a key, and the request has no header "apikey". Send the key in that header.`;
      return { message, gap: exchange.findGap('headers') };
    },
  },
  'body/json': {
    requirements: ['SERVICE-02'],
    title: 'The body of a request that does not upload a form is JSON.',
    defect: 'A body was not JSON',
    concerns: 'form',
    only: TAKE_JSON,
    check: (exchange) => {
      if (exchange.requestBody.state !== 'text') return undefined;
      return `The body of ${exchange.operationName} is not JSON: it begins with ${show(exchange.exchange.request.body?.slice(0, 40))}. Send one JSON object.`;
    },
  },
  'body/encoding': {
    requirements: ['SERVICE-02'],
    title: 'JSON is encoded as its headers say, in UTF-8, without a byte order mark.',
    defect: 'A body was not encoded as it has to be',
    concerns: 'form',
    only: TAKE_JSON,
    check: (exchange) => {
      const fault = findEncodingFault(exchange, 'request');
      return fault && `The request ${exchange.operationName} ${fault}`;
    },
  },
  'body/content-type': {
    requirements: ['SERVICE-02'],
    title: 'A JSON body is not announced as something else.',
    defect: 'A JSON body was announced as something else',
    concerns: 'form',
    only: TAKE_JSON,
    check: (exchange) => {
      const type = exchange.findRequestHeader('content-type');
      if (exchange.requestBody.state !== 'json' || type === undefined || JSON_TYPE.test(type))
        return undefined;
      return `${exchange.operationName} brings JSON under the content type ${show(type)}: a service refuses to read it. Send "content-type: application/json".`;
    },
  },
  'body/content-type-missing': {
    requirements: ['SERVICE-02'],
    level: 'advice',
    title: 'A JSON body is announced as JSON.',
    defect: 'A JSON body was not announced as JSON',
    concerns: 'form',
    needs: ['headers'],
    only: TAKE_JSON,
    check: (exchange) => {
      const type = exchange.findRequestHeader('content-type');
      if (exchange.requestBody.state !== 'json' || type !== undefined) return undefined;
      const message = `${exchange.operationName} brings JSON under no content type: a service may refuse to read it. Send "content-type: application/json".`;
      return { message, gap: exchange.findGap('headers') };
    },
  },
  'body/event-payload': {
    requirements: ['EVENT-07'],
    title: 'The payload of an event is a JSON object.',
    defect: 'The payload of an event was not an object',
    concerns: 'form',
    only: ['sendTaskEvent'],
    check: ({ sent }) => {
      if (sent === undefined || toFields(sent.payload) !== undefined) return undefined;
      return `The payload of an event has to be an object, but is ${show(sent.payload)}.`;
    },
  },
  'body/event-timestamp': {
    requirements: ['EVENT-07'],
    title: 'The timestamp of an event, if it has one, is an integer.',
    defect: 'The timestamp of an event was not an integer',
    concerns: 'form',
    only: ['sendTaskEvent'],
    check: ({ sent }) => {
      const timestamp = sent?.timestamp ?? undefined;
      if (timestamp === undefined || Number.isInteger(timestamp)) return undefined;
      return `The timestamp of an event has to be an integer, Unix time in ms, but is ${show(timestamp)}. Round it, or leave it out.`;
    },
  },
  'body/event-timestamp-unit': {
    requirements: ['EVENT-07'],
    title: 'The timestamp of an event counts ms.',
    defect: 'The timestamp of an event did not count ms',
    concerns: 'form',
    only: ['sendTaskEvent'],
    check: ({ sent }) => {
      const timestamp = Number.isInteger(sent?.timestamp) ? (sent?.timestamp as number) : LEAST_MS;
      if (timestamp >= LEAST_MS) return undefined;
      return `The timestamp ${timestamp} of an event is too small for Unix time in ms. Timestamps of events count ms.`;
    },
  },
  'ids/uploaded-file': {
    parts: ['files'],
    requirements: ['FILE-03', 'ENV-01'],
    title: 'A task lists the ids that uploads gave.',
    defect: 'A task listed a file id that no upload gave',
    only: ['createTask'],
    check: ({ requestJson }) => {
      const files = readField(requestJson, 'files');
      const wrong = Array.isArray(files) ? files.find((id) => id === null || isNoValue(id)) : undefined;
      if (wrong === undefined) return undefined;
      return `A task lists the file ${show(wrong)}, which is no id that an upload gave. ${READ_IDS}`;
    },
  },
  'ids/no-value': {
    requirements: ['TASK-01', 'ENV-01'],
    level: 'advice',
    title: 'An id in a path, a query or a body is one that was read, not the word for a missing value.',
    defect: 'The word for a missing value was sent as an id',
    check: (exchange) => {
      const { operation, operationName, ids, requestJson } = exchange;
      if (operation === undefined) return undefined;
      const inAddress = ids.find(([, id]) => isNoValue(id));
      const name = inAddress?.[0] ?? IDS_IN_BODIES.find((each) => isNoValue(readField(requestJson, each)));
      if (name === undefined) return undefined;
      const message = `${operationName} has ${show(inAddress?.[1] ?? readField(requestJson, name))} for ${name}: this is no id, but the text of a missing value. ${READ_IDS}`;
      return { message, about: `${operation.id} ${name}` };
    },
  },
});

/** A cookie is permitted too. Journals redact its value, which then counts as a key. */
function hasKey(exchange: ReadExchange): boolean {
  if (exchange.findRequestHeader('apikey')?.trim()) return true;
  const cookie = exchange.findRequestHeader('cookie');
  return cookie !== undefined && (cookie.includes('<redacted>') || /(?:^|;\s*)apikey=[^;\s]/.test(cookie));
}

function isNoValue(id: unknown): boolean {
  return NO_VALUE.includes(id as string);
}

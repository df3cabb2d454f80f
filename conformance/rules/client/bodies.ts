import { type Operation, operations } from '../../../spec/generated/operations.js';
import { asFields, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules } from '../rule.js';

/** Unix time in ms has been above this since 1973; in seconds it stays below for 3000 years. */
const LEAST_MS = 100_000_000_000;

const TAKE_JSON = Object.values<Operation>(operations)
  .filter(({ body }) => body?.kind === 'json')
  .map(({ id }) => id);

/** What requests carry. Sections "What the service does" and "Event endpoint rules". */
export const bodyRules = defineRules({ side: 'client', scope: 'stream' }, [
  {
    id: 'body/json',
    requirements: ['SERVICE-02'],
    level: 'must',
    title: 'The body of a request that does not upload a form is JSON.',
    only: TAKE_JSON,
    check: (exchange) => {
      if (exchange.requestBody.state !== 'text') return undefined;
      const message = `The body of ${exchange.operationName} is not JSON: it begins with ${show(exchange.exchange.request.body?.slice(0, 40))}. Send one JSON object${isForm(exchange) ? ', not a form' : ''}.`;
      return { message, about: exchange.operationName };
    },
  },
  {
    id: 'body/content-type',
    requirements: ['SERVICE-02'],
    level: 'must',
    title: 'A JSON body is not announced as something else.',
    only: TAKE_JSON,
    check: (exchange) => {
      const type = exchange.requestHeader('content-type');
      if (!bringsJson(exchange) || type === undefined || IS_JSON.test(type)) return undefined;
      const message = `${exchange.operationName} brings JSON under the content type ${show(type)}: a service refuses to read it. Send "content-type: application/json".`;
      return { message, about: exchange.operationName };
    },
  },
  {
    id: 'body/content-type-missing',
    requirements: ['SERVICE-02'],
    level: 'advice',
    title: 'A JSON body is announced as JSON.',
    only: TAKE_JSON,
    check: (exchange) => {
      if (!bringsJson(exchange) || exchange.requestHeader('content-type') !== undefined) return undefined;
      const message = `${exchange.operationName} brings JSON under no content type: a service may refuse to read it. Send "content-type: application/json".`;
      return { message, about: exchange.operationName };
    },
  },
  {
    id: 'body/event-payload',
    requirements: ['EVENT-07'],
    level: 'must',
    title: 'The payload of an event is a JSON object.',
    only: ['sendTaskEvent'],
    check: (exchange) => {
      const { sent } = exchange;
      if (sent === undefined || asFields(sent.payload) !== undefined) return undefined;
      const inText = typeof sent.payload === 'string' && sent.payload.startsWith('{');
      const hint = inText ? ' It seems to have been turned into JSON twice.' : '';
      const message = `The payload of an event has to be an object, and ${show(sent.payload)} came.${hint}`;
      return { message };
    },
  },
  {
    id: 'body/event-timestamp',
    requirements: ['EVENT-07'],
    level: 'must',
    title: 'The timestamp of an event, if it has one, is an integer.',
    only: ['sendTaskEvent'],
    check: (exchange) => {
      const timestamp = exchange.sent?.timestamp;
      if (timestamp === undefined || timestamp === null || Number.isInteger(timestamp)) return undefined;
      const message = `The timestamp of an event has to be an integer, Unix time in ms, and ${show(timestamp)} came. Round it, or leave it out.`;
      return { message };
    },
  },
  {
    id: 'body/event-timestamp-unit',
    requirements: ['EVENT-07'],
    level: 'must',
    title: 'The timestamp of an event counts ms.',
    only: ['sendTaskEvent'],
    check: (exchange) => {
      const timestamp = exchange.sent?.timestamp;
      if (typeof timestamp !== 'number' || !Number.isInteger(timestamp) || timestamp >= LEAST_MS)
        return undefined;
      const message = `The timestamp ${timestamp} of an event is too small for Unix time in ms${timestamp > 100_000_000 ? ': it looks like seconds' : ''}. Timestamps of events count ms.`;
      return { message };
    },
  },
]);

const IS_JSON = /^[^;]*[/+]json\s*(;|$)/i;

function bringsJson({ requestBody }: ReadExchange): boolean {
  return requestBody.state === 'json';
}

function isForm(exchange: ReadExchange): boolean {
  return exchange.requestHeader('content-type')?.includes('form') === true;
}

import type { OperationParameter } from '../../../spec/generated/operations.js';
import { EVENT_NAMES } from '../../../spec/vocabulary.js';
import type { Gap } from '../../conversation/gaps.js';
import { isOneOf, readField, show, toFields } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { defineRules, type RuleFinding, type RuleResult } from '../rule.js';

const TOOL_FIELDS = ['name', 'description', 'inputs', 'output'];

/** Most requests remembered until another one shows what their responses mean. */
const MOST = 100;

/** Requests that a service must refuse or accept. Sections "Errors", "Limits" and "Authentication". */
export const requestRules = defineRules('service', 'stream', 'all', {
  'requests/validated': {
    requirements: ['ERROR-01'],
    title:
      'A request without a required parameter, with one of the wrong type or with malformed JSON is refused.',
    needs: ['headers'],
    check: (exchange) =>
      checkRefused(exchange, findProblem(exchange), 'it has to be refused with 422 or 400'),
  },
  'requests/event': {
    requirements: ['EVENT-05'],
    title: 'An event under another name, or with a payload that is no object, is refused.',
    check: (exchange) => checkRefused(exchange, findEventProblem(exchange), 'it has to be refused with 422'),
  },
  'requests/tools': {
    requirements: ['TOOL-08'],
    title: 'A tool that lacks one of its four fields is refused.',
    only: ['createTask'],
    check: (exchange) => checkRefused(exchange, findToolProblem(exchange), 'it has to be refused with 422'),
  },
  // A valid `l` counts as refused only if the same caller receives a list with another `l`: a request with an unknown key may
  // be refused with any status.
  'requests/list-limit': {
    requirements: ['LIMIT-02'],
    title: 'A list of tasks takes an `l` from 1 to 128 and no other.',
    only: ['listTasks'],
    start: () => {
      const listed = new Map<string, number>();
      const refused: { organisation: string; message: string; seq: number }[] = [];
      return {
        observe(exchange) {
          const { seq, ok, query, httpStatus } = exchange;
          const { organisation } = exchange.exchange;
          const text = query.get('l') ?? '';
          const l = /^-?\d+$/.test(text) ? Number(text) : undefined;
          if (l !== undefined && (l < 1 || l > 128))
            return checkRefused(exchange, `l is ${l}`, 'it goes from 1 to 128');
          if (ok) listed.set(organisation, seq);
          const message = `GET /task with l=${l} was refused with ${httpStatus}, and l goes from 1 to 128.`;
          const isForL = l !== undefined && exchange.isRefused && query.size === 1 && canHaveKey(exchange);
          if (isForL && refused.length < MOST) refused.push({ organisation, message, seq });
          return ok && (l === 1 || l === 128) ? 'kept' : undefined;
        },
        conclude: () =>
          refused.flatMap(({ organisation, message, seq }) => {
            const accepted = listed.get(organisation);
            const about = 'listTasks';
            return accepted === undefined
              ? []
              : [{ message, evidence: [accepted, seq].sort((a, b) => a - b), about }];
          }),
      };
    },
  },
  // Applies only if other requests of the stream show a key: some logs omit headers with keys.
  'requests/key': {
    requirements: ['AUTH-05'],
    title: 'A request without a key is refused where one is required.',
    needs: ['headers'],
    start: () => {
      const passed: RuleFinding[] = [];
      let isKeyShown = false;
      return {
        observe(exchange) {
          const { operation, operationName, httpStatus, seq } = exchange;
          const hasKey = canHaveKey(exchange);
          isKeyShown ||= hasKey;
          if (hasKey || operation?.auth !== 'key') return undefined;
          if (httpStatus === 401 || httpStatus === 403) return 'kept';
          const message = `${operationName} requires a key and got ${httpStatus} without one.`;
          if (exchange.ok && passed.length < MOST)
            passed.push({ message, evidence: [seq], about: operation.id, gap: exchange.findGap('headers') });
          return undefined;
        },
        conclude: () => (isKeyShown ? passed : []),
      };
    },
  },
  'requests/no-key': {
    requirements: ['AUTH-04'],
    title: 'The operations without a security requirement need no key.',
    needs: ['headers'],
    check: (exchange) => {
      if (exchange.operation?.auth !== 'none' || canHaveKey(exchange)) return undefined;
      if (exchange.ok) return 'kept';
      // A 403 may concern the named resource, or the secret of a webhook.
      if (exchange.httpStatus !== 401) return undefined;
      const message = `${exchange.operationName} was refused with 401 to a request without a key, and it has no security requirement.`;
      return { message, gap: exchange.findGap('headers') };
    },
  },
});

/** A validation error that the service has to report before anything else happens. */
function checkRefused(
  exchange: ReadExchange,
  found: ValidationProblem | string | undefined,
  words: string,
): RuleResult {
  if (found === undefined) return undefined;
  const { problem: mistake, gap } = typeof found === 'string' ? { problem: found } : found;
  const { httpStatus, operation, operationName } = exchange;
  if (httpStatus === 422 || httpStatus === 400)
    // A service may refuse a request without a key in the same way.
    return operation?.auth === 'none' || canHaveKey(exchange) ? 'kept' : undefined;
  if (!exchange.ok) return undefined;
  return { message: `${operationName} got ${httpStatus} although ${mistake}: ${words}.`, gap };
}

/** A validation error of a request, unless the gap hides it. */
interface ValidationProblem {
  problem: string;
  gap?: Gap | undefined;
}

function findProblem(exchange: ReadExchange): ValidationProblem | string | undefined {
  const { operation, requestBody } = exchange;
  if (operation?.body?.kind === 'json' && requestBody.state === 'text') return 'its body is not JSON';
  for (const parameter of operation?.params ?? []) {
    const problem = parameter.in === 'path' ? undefined : findParameterProblem(exchange, parameter);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findParameterProblem(
  exchange: ReadExchange,
  parameter: OperationParameter,
): ValidationProblem | string | undefined {
  const { name, required, type } = parameter;
  const isInQuery = parameter.in === 'query';
  const kind = isInQuery ? 'query parameter' : 'header';
  const text = isInQuery ? exchange.query.get(name) : exchange.findRequestHeader(name);
  if (text === undefined || text === null) {
    const mistake = `the required ${kind} "${name}" is missing`;
    return required
      ? { problem: mistake, gap: isInQuery ? undefined : exchange.findGap('headers') }
      : undefined;
  }
  if (text === '' || isOfType(type, text)) return undefined;
  return `the ${kind} "${name}" is ${show(text)} and has to be ${type === 'integer' ? 'an integer' : 'a boolean'}`;
}

/** Tolerant: services read `1.0` and `on` in different ways, but none reads a word as a number. */
function isOfType(type: OperationParameter['type'], text: string): boolean {
  if (type === 'integer') return /\d/.test(text) && !/[a-df-z]/i.test(text);
  return type !== 'boolean' || /^(?:true|false|yes|no|on|off|[01tfyn])$/i.test(text.trim());
}

function findEventProblem({ sent }: ReadExchange): string | undefined {
  if (sent === undefined) return undefined;
  if (!isOneOf(EVENT_NAMES, sent.name)) return `the event has the name ${show(sent.name)}`;
  return toFields(sent.payload) ? undefined : `the payload of the event is ${show(sent.payload)}`;
}

function findToolProblem({ requestJson }: ReadExchange): string | undefined {
  const tools = readField(requestJson, 'custom_tools');
  for (const tool of Array.isArray(tools) ? tools : []) {
    const missing = TOOL_FIELDS.find((name) => toFields(tool) && readField(tool, name) === undefined);
    if (missing !== undefined) return `a tool has no ${missing}`;
  }
  return undefined;
}

/** In the header, in a cookie, or in a place that the API does not state but a service may read. */
function canHaveKey(exchange: ReadExchange): boolean {
  return (
    Boolean(exchange.findRequestHeader('apikey')?.trim()) ||
    ['cookie', 'authorization', 'x-api-key'].some((name) => exchange.findRequestHeader(name) !== undefined)
  );
}

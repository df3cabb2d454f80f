import type { OperationParameter } from '../../../spec/generated/operations.js';
import { EVENT_NAMES } from '../../../spec/vocabulary.js';
import { asFields, field, show } from '../../conversation/json.js';
import type { ReadExchange } from '../../conversation/read-exchange.js';
import { type Complaint, defineRules, type Judgement, type RuleContext, type Watcher } from '../rule.js';

const TOOL_FIELDS = ['name', 'description', 'inputs', 'output'];

/** What a service must not let pass, and what it must. Sections "Errors", "Limits" and "Authentication". */
export const requestRules = defineRules({ side: 'service', level: 'must', scope: 'stream' }, [
  {
    id: 'requests/validated',
    requirements: ['ERROR-01'],
    title:
      'A request without a required parameter, with one of the wrong type or with malformed JSON is refused.',
    check: (exchange) => refusal(exchange, mistakeOf(exchange), 'validation errors are answered with 422'),
  },
  {
    id: 'requests/event',
    requirements: ['EVENT-05'],
    title: 'An event under another name, or with a payload that is no object, is refused.',
    check: (exchange) => refusal(exchange, eventMistake(exchange), 'it has to be refused with 422'),
  },
  {
    id: 'requests/tools',
    requirements: ['TOOL-08'],
    title: 'A tool that lacks one of its four fields is refused.',
    check: (exchange) => refusal(exchange, toolMistake(exchange), 'it has to be refused with 422'),
  },
  {
    id: 'requests/list-limit',
    requirements: ['LIMIT-02'],
    title: 'A list of tasks takes an `l` from 1 to 128 and no other.',
    start: listLimit,
  },
  {
    id: 'requests/key',
    requirements: ['AUTH-05'],
    title: 'A request without a key is refused where one is required.',
    start: keyRequired,
  },
  {
    id: 'requests/no-key',
    requirements: ['AUTH-04'],
    title: 'The operations without a security requirement need no key.',
    check: (exchange) => {
      if (exchange.operation?.auth !== 'none' || mayHaveKey(exchange)) return undefined;
      if (exchange.ok) return 'kept';
      const status = exchange.httpStatus;
      // A 403 may be about the thing that was named, or a secret of its own that a webhook has.
      if (status !== 401) return undefined;
      return about(
        exchange,
        `${exchange.operationName} was refused with ${status} to a request without a key, and it has no security requirement.`,
      );
    },
  },
]);

/** A mistake in the request that the service has to notice before anything else happens. */
function refusal(exchange: ReadExchange, mistake: string | undefined, words: string): Judgement {
  if (mistake === undefined) return undefined;
  if (exchange.httpStatus === 422 || exchange.httpStatus === 400)
    // A service may refuse a request without a key in the same way.
    return exchange.operation?.auth === 'none' || mayHaveKey(exchange) ? 'kept' : undefined;
  if (!exchange.ok) return undefined;
  return about(
    exchange,
    `${exchange.operationName} was answered with ${exchange.httpStatus} although ${mistake}: ${words}.`,
  );
}

function mistakeOf(exchange: ReadExchange): string | undefined {
  const { operation, requestBody } = exchange;
  if (!operation) return undefined;
  if (operation.body?.kind === 'json' && requestBody.state === 'text') return 'its body is not JSON';
  for (const parameter of operation.params) {
    const mistake = parameter.in === 'path' ? undefined : parameterMistake(exchange, parameter);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function parameterMistake(exchange: ReadExchange, parameter: OperationParameter): string | undefined {
  const { name, required, type } = parameter;
  const kind = parameter.in === 'query' ? 'query parameter' : 'header';
  const text =
    parameter.in === 'query' ? (exchange.query.get(name) ?? undefined) : exchange.requestHeader(name);
  if (text === undefined) return required ? `the required ${kind} "${name}" is missing` : undefined;
  if (text === '' || isOf(type, text)) return undefined;
  return `the ${kind} "${name}" is ${show(text)} and has to be ${type === 'integer' ? 'an integer' : 'a boolean'}`;
}

/** Generous: services read `1.0` and `on` in different ways, and none can read a word as a number. */
function isOf(type: OperationParameter['type'], text: string): boolean {
  if (type === 'integer') return /\d/.test(text) && !/[a-df-z]/i.test(text);
  return type !== 'boolean' || /^(?:true|false|yes|no|on|off|[01tfyn])$/i.test(text.trim());
}

function eventMistake(exchange: ReadExchange): string | undefined {
  const { sent } = exchange;
  if (sent === undefined) return undefined;
  if (!EVENT_NAMES.some((name) => name === sent.name)) return `the event has the name ${show(sent.name)}`;
  return asFields(sent.payload) ? undefined : `the payload of the event is ${show(sent.payload)}`;
}

function toolMistake(exchange: ReadExchange): string | undefined {
  if (!exchange.is('createTask')) return undefined;
  const tools = field(exchange.requestJson, 'custom_tools');
  for (const tool of Array.isArray(tools) ? tools : []) {
    const missing = TOOL_FIELDS.find((name) => asFields(tool) && field(tool, name) === undefined);
    if (missing !== undefined) return `a tool has no ${missing}`;
  }
  return undefined;
}

/**
 * An `l` within its bounds is refused for its own sake only where the same caller is given a list with another one: a key
 * that is not known may be refused with any status.
 */
function listLimit({ kept }: RuleContext): Watcher {
  const listed = new Map<string, number>();
  const refused = new Map<string, (Complaint & { evidence: number[] })[]>();
  function check(exchange: ReadExchange, l: number): Judgement {
    const { organisation } = exchange.exchange;
    const { seq } = exchange;
    const others = [...exchange.query.keys()].filter((name) => name !== 'l');
    if (!exchange.isRefused || others.length > 0 || !mayHaveKey(exchange)) return undefined;
    const message = `GET /task with l=${l} was refused with ${exchange.httpStatus}, and l goes from 1 to 128.`;
    const complaint = { message, evidence: [seq], about: 'listTasks' } satisfies Complaint;
    const accepted = listed.get(organisation);
    if (accepted !== undefined) return { ...complaint, evidence: [accepted, seq] };
    const waiting = refused.get(organisation) ?? [];
    if (waiting.length < 100) refused.set(organisation, [...waiting, complaint]);
    return undefined;
  }
  return {
    see(exchange) {
      if (!exchange.is('listTasks')) return undefined;
      const { seq, ok } = exchange;
      const { organisation } = exchange.exchange;
      const text = exchange.query.get('l');
      const l = text !== null && /^-?\d+$/.test(text) ? Number(text) : undefined;
      if (l !== undefined && (l < 1 || l > 128)) {
        return refusal(exchange, `l is ${l}`, 'it goes from 1 to 128');
      }
      if (!ok) return l === undefined ? undefined : check(exchange, l);
      if (l === 1 || l === 128) kept(seq);
      listed.set(organisation, seq);
      const waiting = refused.get(organisation) ?? [];
      refused.delete(organisation);
      return waiting.map((each) => ({ ...each, evidence: [...each.evidence, seq] }));
    },
  };
}

/** Only where other requests of the stream do show a key: some logs leave out the headers that carry keys. */
function keyRequired({ kept }: RuleContext): Watcher {
  const passed: ReadExchange[] = [];
  let keysShown = false;
  return {
    see(exchange) {
      if (mayHaveKey(exchange)) keysShown = true;
      else if (exchange.operation?.auth === 'key') {
        if (exchange.ok && passed.length < 100) passed.push(exchange);
        if ([401, 403].includes(exchange.httpStatus)) kept(exchange.seq);
      }
      return undefined;
    },
    end() {
      if (!keysShown) return undefined;
      return passed.map((exchange) => ({
        message: `${exchange.operationName} requires a key and was answered with ${exchange.httpStatus} to a request that has none.`,
        evidence: [exchange.seq],
        about: exchange.operation?.id ?? '',
      }));
    },
  };
}

/** In the header, in a cookie, or where the API names no place for it but a service may look. */
function mayHaveKey(exchange: ReadExchange): boolean {
  return (
    Boolean(exchange.requestHeader('apikey')?.trim()) ||
    ['cookie', 'authorization', 'x-api-key'].some((name) => exchange.requestHeader(name) !== undefined)
  );
}

function about({ operation }: ReadExchange, message: string): { message: string; about: string } {
  return { message, about: operation?.id ?? '' };
}

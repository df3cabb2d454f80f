import { readKeyVariable } from '../../conformance/conversation/curl.js';
import { toFields } from '../../conformance/conversation/json.js';
import { ReadExchange } from '../../conformance/conversation/read-exchange.js';
import type { Exchange } from '../../spec/vocabulary.js';

/** Headers that HTTP clients set themselves, and headers with the API key. */
const LEFT_OUT =
  /^(?:host|connection|content-length|accept-encoding|user-agent|apikey|authorization|sec-.*|origin|referer|cookie)$/i;

type CopiedRequest = Pick<Exchange, 'request'>['request'];

/** The API key, or `$NAME` for an environment variable; undefined if the request was refused because it had none. */
function findKey(exchange: Exchange): string | undefined {
  const hasKey = Object.keys(exchange.request.headers).some((name) =>
    /^(?:apikey|authorization|cookie)$/i.test(name),
  );
  return !hasKey && exchange.response?.status === 401 ? undefined : readKeyVariable(exchange);
}

/** The key as an expression. `read`: makes the expression that reads an environment variable. */
function formatKeyExpression(key: string, read: (name: string) => string): string {
  return key.startsWith('$') ? read(key.slice(1)) : JSON.stringify(key);
}

function listHeaders({ headers }: CopiedRequest): [string, string][] {
  return Object.entries(headers).filter(([name]) => !LEFT_OUT.test(name));
}

export function formatFetch(exchange: Exchange, baseUrl: string): string {
  const { request } = exchange;
  const key = findKey(exchange);
  const headers = [
    ...(key === undefined ? [] : [`apikey: ${formatKeyExpression(key, (name) => `process.env.${name}`)}`]),
    ...listHeaders(request).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const body = request.body ? `\n  body: ${JSON.stringify(request.body)},` : '';
  return `await fetch(${JSON.stringify(baseUrl + request.url)}, {\n  method: ${JSON.stringify(request.method)},\n  headers: { ${headers.join(', ')} },${body}\n});`;
}

/** For the Python library `requests`. */
export function formatPython(exchange: Exchange, baseUrl: string): string {
  const { request } = exchange;
  const key = findKey(exchange);
  const headers = [
    ...(key === undefined
      ? []
      : [`"apikey": ${formatKeyExpression(key, (name) => `os.environ["${name}"]`)}`]),
    ...listHeaders(request).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const body = request.body ? `\n    data=${JSON.stringify(request.body)}.encode(),` : '';
  return `import os, requests\n\nrequests.request(\n    ${JSON.stringify(request.method)},\n    ${JSON.stringify(baseUrl + request.url)},\n    headers={${headers.join(', ')}},${body}\n)`;
}

/**
 * The request as a client step of a scenario, in YAML; undefined if the format has no such step. A reply has the id of the call;
 * in a scenario, replace it by the id of the `tool_call` step.
 */
export function formatClientStep(exchange: Exchange): string | undefined {
  const step = toClientStep(exchange);
  if (!step) return undefined;
  // JSON is valid YAML and keeps every value exact.
  const fields = Object.entries(step).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  return `- ${fields.join('\n  ')}\n`;
}

function toClientStep(exchange: Exchange): Record<string, unknown> | undefined {
  const { kind } = exchange;
  const { reply, action } = new ReadExchange(exchange);
  if (reply) {
    const { code, output } = reply.payload ?? {};
    return { client: 'reply', to: reply.id, code, output };
  }
  if (kind === 'poll') return { client: 'poll' };
  if (kind === 'cancel') return { client: 'cancel' };
  if (kind !== 'action' || !action) return undefined;
  const { name, input } = toFields(action.payload) ?? {};
  if (name === 'close') return { client: 'close' };
  return { client: 'action', name, input };
}

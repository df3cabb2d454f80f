import type { Exchange } from '../../spec/vocabulary.js';
import { keyVariableOf } from '../conversation/key-variables.js';
import { oneLine, shorten, showTime, visible } from './text.js';

/** `POST /api/v1/task → 200 (12 ms)`. */
export function exchangeLine({ request, response }: Exchange): string {
  const outcome = response
    ? `${response.status} (${showTime(Math.max(0, response.at - request.at))})`
    : 'no response';
  return oneLine(`${request.method} ${request.url} → ${outcome}`);
}

/** What was sent and what came back, as lines; bodies cut at `longest_body` characters. */
export function exchangeLines(exchange: Exchange, longest_body: number): string[] {
  const { request, response } = exchange;
  const lines = [`#${exchange.seq} ${exchangeLine(exchange)}`];
  if (request.body) lines.push(...bodyLines('> ', request.body, longest_body));
  if (response?.body) lines.push(...bodyLines('< ', response.body, longest_body));
  return lines;
}

function bodyLines(mark: string, body: string, longest: number): string[] {
  return visible(shorten(body, longest))
    .split('\n')
    .map((line) => mark + line);
}

/** Longest body that is put into a curl line, in characters. */
const LONGEST_DATA = 4096;
/** Headers that curl sends by itself. */
const OWN_HEADERS = new Set([
  'host',
  'user-agent',
  'accept-encoding',
  'connection',
  'content-length',
  'accept-language',
  'sec-fetch-mode',
]);

/** A line for a shell that sends the request again; `$TASKDOUBLE_API_KEY` stands for the key. */
export function curlOf(exchange: Exchange, base_url: string): string {
  const { method, url, headers, body } = exchange.request;
  const key = keyVariableOf(exchange);
  const described = body?.startsWith('(') === true;
  const parts = ['curl -sS -i'];
  if (method !== (body === undefined || described ? 'GET' : 'POST')) parts.push(`-X ${quote(method)}`);
  parts.push(quote(base_url.replace(/\/+$/, '') + url));
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue;
    if (described && name.toLowerCase() === 'content-type') continue;
    parts.push(`-H ${headerOf(name, value, key)}`);
  }
  if (body === undefined) return parts.join(' ');
  if (described) return `${parts.join(' ')} # and ${oneLine(body)}`;
  if (body.length > LONGEST_DATA) {
    return `${parts.join(' ')} --data-binary @body # the ${body.length} characters of the body`;
  }
  return `${parts.join(' ')} --data-raw ${quote(body)}`;
}

const REDACTED_VALUE = /^(.*?)<redacted>$/s;

function headerOf(name: string, value: string, key: string): string {
  const hidden = REDACTED_VALUE.exec(value);
  if (!hidden || !/^[\w-]+$/.test(name)) return quote(`${name}: ${value}`);
  const before = /^[\w= -]*$/.test(hidden[1]!) ? hidden[1]! : '';
  return `"${name}: ${before}${key}"`;
}

/** One word for a shell. */
function quote(text: string): string {
  if (/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u.test(text)) {
    const spelt = [...Buffer.from(text)].map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c
        ? `\\x${byte.toString(16).padStart(2, '0')}`
        : String.fromCharCode(byte),
    );
    return `$'${spelt.join('')}'`;
  }
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

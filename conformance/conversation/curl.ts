import { redactHeaders } from '../../spec/redact.js';
import { toOneLine } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { quoteShellWord } from '../common/shell.js';

/** Headers that curl sets itself, or that only a browser sends. */
const OWN_HEADERS =
  /^(?::.*|host|user-agent|accept-encoding|accept-language|connection|content-length|sec-.*|origin|referer)$/i;

/**
 * A shell command that sends the request again, with `$TASKDOUBLE_API_KEY` as the key. A body of more than `longestBody`
 * characters is left out.
 */
export function formatCurl(exchange: Exchange, base_url: string, longestBody = 4096): string {
  const { method, url, headers, body, left_out = 0 } = exchange.request;
  const key = readKeyVariable(exchange);
  const isDescribed = body?.startsWith('(') === true;
  const parts = ['curl -sS -i'];
  if (method !== (body === undefined || isDescribed ? 'GET' : 'POST'))
    parts.push(`-X ${quoteShellWord(method)}`);
  parts.push(quoteShellWord(base_url.replace(/\/+$/, '') + url));
  for (const [name, value] of Object.entries(redactHeaders(headers))) {
    if (OWN_HEADERS.test(name)) continue;
    if (isDescribed && name.toLowerCase() === 'content-type') continue;
    parts.push(`-H ${formatHeader(name, value, key)}`);
  }
  if (body === undefined) return parts.join(' ');
  if (isDescribed) return `${parts.join(' ')} # and ${toOneLine(body)}`;
  const line = `${parts.join(' ')} --data-binary @body`;
  if (left_out > 0) return `${line} # ${left_out} characters of the body are not recorded here`;
  if (body.length > longestBody) return `${line} # the ${body.length} characters of the body`;
  return `${parts.join(' ')} --data-raw ${quoteShellWord(body)}`;
}

const REDACTED_VALUE = /^(.*?)<redacted>$/s;

function formatHeader(name: string, value: string, key: string): string {
  const hidden = REDACTED_VALUE.exec(value);
  if (!hidden || !/^[\w-]+$/.test(name)) return quoteShellWord(`${name}: ${value}`);
  const before = /^[\w= -]*$/.test(hidden[1]!) ? hidden[1]! : '';
  return `"${name}: ${before}${key}"`;
}

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['other', '$TASKDOUBLE_API_KEY_OTHER'],
  ['free', '$TASKDOUBLE_API_KEY_FREE'],
  ['exhausted', '$TASKDOUBLE_API_KEY_EXHAUSTED'],
  ['stranger', 'invalid-key'],
]);

/** The placeholder for the key in a command that sends the request again: recordings hold no keys. */
export function readKeyVariable({ organisation }: Exchange): string {
  return VARIABLES.get(organisation) ?? '$TASKDOUBLE_API_KEY';
}

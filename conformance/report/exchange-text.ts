import { oneLine, visible } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { shorten, showTime } from '../common/text.js';

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

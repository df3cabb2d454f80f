import { toOneLine, toVisible } from '../../spec/visible.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { formatTime, shorten } from '../common/text.js';

/** `POST /api/v1/task → 200 (12 ms)`. */
function formatExchangeLine({ request, response }: Exchange): string {
  const outcome = response
    ? `${response.status} (${formatTime(Math.max(0, response.at - request.at))})`
    : 'no response';
  return toOneLine(`${request.method} ${request.url} → ${outcome}`);
}

/** Request and response as lines; bodies are cut at `longest_body` characters. */
export function formatExchange(exchange: Exchange, longest_body: number): string[] {
  const { request, response } = exchange;
  const lines = [`#${exchange.seq} ${formatExchangeLine(exchange)}`];
  if (request.body) lines.push(...formatBody('> ', request.body, longest_body));
  if (response?.body) lines.push(...formatBody('< ', response.body, longest_body));
  return lines;
}

function formatBody(mark: string, body: string, longest: number): string[] {
  return toVisible(shorten(body, longest))
    .split('\n')
    .map((line) => mark + line);
}

import type { Exchange } from '../../../../spec/vocabulary.js';
import { escapeHtml, oneLine, showTime } from '../../text.js';

const WIDTH = 360;
const LEFT = 52;
const RIGHT = 338;
const TOP = 34;
/** Height of one exchange, in the units of the drawing. */
const STEP = 46;
const LONGEST_LABEL = 40;

/** A sequence diagram as SVG: a lifeline for each side, two arrows for each exchange; `shown` ones stand out. */
export function sequenceDiagram(exchanges: readonly Exchange[], shown: ReadonlySet<number>): string {
  if (exchanges.length === 0) return '';
  const height = TOP + exchanges.length * STEP + 10;
  const start = exchanges[0]!.request.at;
  const rows = exchanges.map((exchange, index) =>
    row(exchange, TOP + index * STEP, start, shown.has(exchange.seq)),
  );
  const title = `Sequence diagram of ${exchanges.length === 1 ? 'one exchange' : `${exchanges.length} exchanges`}`;
  return `<svg class="diagram" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<line class="life" x1="${LEFT}" y1="22" x2="${LEFT}" y2="${height}"/><line class="life" x1="${RIGHT}" y1="22" x2="${RIGHT}" y2="${height}"/>
<text class="side" x="${LEFT}" y="14">client</text><text class="side" x="${RIGHT - 16}" y="14">service</text>
${rows.join('\n')}
</svg>`;
}

function row(exchange: Exchange, y: number, start: number, shown: boolean): string {
  const { request, response, seq } = exchange;
  const down = y + 16;
  const back = y + 36;
  const sent = label(`#${seq} ${request.method} ${shortPath(request.url)}`);
  const time = `<text class="time" x="2" y="${down + 3}">+${escapeHtml(showTime(Math.max(0, request.at - start)))}</text>`;
  const there = arrow(LEFT, RIGHT, down, sent, 'there');
  const answer = response
    ? arrow(
        RIGHT,
        LEFT,
        back,
        label(describeAnswer(response)),
        response.status >= 400 ? 'back refused' : 'back',
      )
    : `<path class="lost" d="M${RIGHT - 6} ${back - 6}l12 12m0 -12l-12 12"/><text class="label" x="${LEFT + 12}" y="${back + 3}">no answer</text>`;
  return `<g class="${shown ? 'shown' : 'around'}">${time}${there}${answer}</g>`;
}

function arrow(from: number, to: number, y: number, text: string, kind: string): string {
  const way = to > from ? 1 : -1;
  const head = `M${to - way * 8} ${y - 4}L${to - way} ${y}L${to - way * 8} ${y + 4}`;
  const line = `<path class="${kind}" d="M${from} ${y}H${to - way * 2}"/><path d="${head}"/>`;
  return `${line}<text class="label" x="${LEFT + 12}" y="${y - 4}">${text}</text>`;
}

function shortPath(url: string): string {
  return url.replace(/^\/api\/v1/, '').replace(/[0-9a-f]{8}-?[0-9a-f-]{12,}/gi, (id) => `${id.slice(0, 6)}…`);
}

/** The status, and that of the task where the answer has one. */
function describeAnswer({ status, body }: NonNullable<Exchange['response']>): string {
  const task = /"status"\s*:\s*"(\w{1,20})"/.exec(body.slice(0, 2000))?.[1];
  const detail = status >= 400 ? /"detail"\s*:\s*"([^"\\]{1,60})/.exec(body.slice(0, 2000))?.[1] : undefined;
  return [String(status), task, detail].filter(Boolean).join(' ');
}

function label(text: string): string {
  const line = oneLine(text);
  return escapeHtml(line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line);
}

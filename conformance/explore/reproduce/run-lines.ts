import type { SequenceLine } from '../../../scenarios/format/sequence-diagram.js';
import { toOneLine } from '../../../spec/visible.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { describeWait, isHang } from '../../client/judge/run-end.js';
import type { ClientRun } from '../../client/types.js';
import { formatCount, formatTime, shorten } from '../../common/text.js';
import { readField } from '../../conversation/json.js';
import { ReadExchange } from '../../conversation/read-exchange.js';
import { collectRepeatedPolls } from '../schedule/traced-run.js';

/** Characters of a request's content. */
const LONGEST_HINT = 40;
/** Lines of a run in the terminal. */
const MOST_LINES = 15;
/** Number of these from the beginning. */
const FIRST_LINES = 4;
const ARROWS = { request: '→', response: '←', lost: '✗', event: '⇠' } as const;

/** A run line by line: requests with time and content, responses, network effects, and where the client hangs. */
export function listRunLines(run: ClientRun): SequenceLine[] {
  const { trace, exchanges } = run;
  const repeated = collectRepeatedPolls(trace);
  const bySeq = new Map(exchanges.map((exchange) => [exchange.seq, exchange]));
  const start = trace[0]?.at ?? 0;
  const lines: SequenceLine[] = [];
  const addNote = (text: string) => lines.push({ kind: 'note', over: 'both', text });
  let skipped = 0;
  const addSkipped = () => {
    if (skipped > 0) addNote(`${formatCount(skipped, 'more poll')} without news`);
    skipped = 0;
  };
  for (const entry of trace) {
    const name = entry.name.replace(/#(\d+)/, ' $1');
    if (entry.what !== 'step' && repeated.has(entry.seq)) {
      if (entry.what === 'arrive') skipped++;
      continue;
    }
    addSkipped();
    const time = formatTime(entry.at - start);
    if (entry.what === 'step') lines.push({ kind: 'note', over: 'service', text: name, time });
    else if (entry.what === 'arrive') {
      const hint = formatHint(bySeq.get(entry.seq));
      lines.push({ kind: 'request', text: hint === '' ? name : `${name}: ${hint}`, time });
    } else {
      for (const effect of bySeq.get(entry.seq)?.network ?? []) addNote(`network: ${name} ${effect.note}`);
      const { status, events } = entry;
      const listed = events.length > 0 ? ` with ${events.join(', ')}` : '';
      if (status === 0) lines.push({ kind: 'lost', text: `the response to ${name} is lost`, time });
      else
        lines.push({ kind: 'response', text: `${status} to ${name}${listed}`, time, isError: status >= 400 });
    }
  }
  addSkipped();
  if (isHang(run))
    lines.push({
      kind: 'note',
      over: 'client',
      text: `the client hangs: it waits for ${describeWait(run)}`,
      time: formatTime(run.durationMs),
    });
  return lines;
}

/** The lines for a terminal: requests and responses are combined, at most 15 lines. */
export function formatTimeline(run: ClientRun): string[] {
  const lines = joinExchanges(listRunLines(run));
  const left = lines.length - (MOST_LINES - 1);
  // The end is the most important part.
  if (left > 1) lines.splice(FIRST_LINES, left, { text: `… ${formatCount(left, 'more line')}`, time: '' });
  const width = Math.max(0, ...lines.map(({ time }) => time.length));
  return lines.map(({ time, text }) => toOneLine(`${time.padStart(width)}  ${text}`).trimEnd());
}

interface TimelineLine {
  text: string;
  time: string;
}

function joinExchanges(lines: readonly SequenceLine[]): TimelineLine[] {
  const joined: TimelineLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.kind === 'if' || line.kind === 'end') continue;
    const { text, time = '' } = line;
    const next = lines[index + 1];
    if (line.kind === 'note') {
      const mark = line.over === 'client' ? '■' : line.over === 'service' ? '·' : ' ';
      joined.push({ text: `${mark} ${text}`, time });
    } else if (line.kind === 'request' && next?.kind === 'response' && isResponseTo(next.text, text)) {
      joined.push({ text: `→ ${text} ← ${next.text.replace(/ to .*?(?= with |$)/, '')}`, time });
      index++;
    } else joined.push({ text: `${ARROWS[line.kind]} ${text}`, time });
  }
  return joined;
}

function isResponseTo(response: string, request: string): boolean {
  const name = request.split(': ')[0]!;
  return response.slice(4) === `to ${name}` || response.slice(4).startsWith(`to ${name} with`);
}

/** A summary of the request body. */
function formatHint(exchange: Exchange | undefined): string {
  if (exchange?.request.body === undefined) return '';
  const { requestJson } = new ReadExchange(exchange);
  if (requestJson === undefined) return 'a body that is not JSON';
  const task = readField(requestJson, 'task');
  if (exchange.kind === 'create' && typeof task === 'string') return truncateHint(task);
  const names = exchange.kind === 'reply' ? ['code', 'output'] : ['name', 'input'];
  return names
    .map((name) => readField(readField(requestJson, 'payload'), name))
    .filter((each) => each !== undefined)
    .map((each) => truncateHint(typeof each === 'string' ? each : JSON.stringify(each)))
    .join(' ');
}

function truncateHint(text: string): string {
  const line = toOneLine(text);
  return line.length > LONGEST_HINT ? `${shorten(line, LONGEST_HINT - 1).replace(/… .*$/, '')}…` : line;
}

import type { TraceEntry } from '../../../mock/network/trace.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { vainPolls } from './story.js';

/** Lines of a diagram at most: beyond it nobody can read it. */
const MOST_LINES = 150;
const LONGEST = 100;

/** A run as a Mermaid sequence diagram: what reached the service when, what it answered, what the network did. */
export function drawRun(trace: readonly TraceEntry[], exchanges: readonly Exchange[]): string {
  const vain = vainPolls(trace);
  const network = new Map(exchanges.map(({ seq, network }) => [seq, network ?? []]));
  const lines: string[] = [];
  let skipped = 0;
  const tellSkipped = () => {
    if (skipped > 0)
      lines.push(
        `Note over Client,Service: ${skipped} more ${skipped === 1 ? 'poll' : 'polls'} that learnt nothing`,
      );
    skipped = 0;
  };
  for (const entry of trace) {
    if (entry.what !== 'step' && vain.has(entry.seq)) {
      if (entry.what === 'arrive') skipped++;
      continue;
    }
    tellSkipped();
    if (entry.what === 'step') lines.push(`Note over Service: ${clean(entry.name)}`);
    else if (entry.what === 'arrive') lines.push(`Client->>Service: ${clean(entry.name)}`);
    else {
      for (const note of network.get(entry.seq) ?? [])
        lines.push(`Note over Client,Service: network: ${clean(`${entry.name} ${note}`)}`);
      lines.push(drawAnswer(entry));
    }
  }
  tellSkipped();
  const shown = lines.slice(0, MOST_LINES);
  if (lines.length > shown.length)
    shown.push(`Note over Client,Service: and ${lines.length - shown.length} things more`);
  const head = ['sequenceDiagram', '  participant Client', '  participant Service'];
  return [...head, ...shown.map((line) => `  ${line}`)].join('\n');
}

function drawAnswer({ name, status, events }: Extract<TraceEntry, { what: 'answer' }>): string {
  if (status === 0) return `Service--xClient: ${clean(`the answer to ${name} is lost`)}`;
  const what = events.length > 0 ? ` with ${events.join(', ')}` : '';
  return `Service-->>Client: ${clean(`${status} to ${name}${what}`)}`;
}

/** One line that Mermaid reads as text: its own signs are written as codes. */
function clean(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  return short.replace(/[#;<>]/g, (sign) => `#${sign.charCodeAt(0)};`);
}

import { toSequenceLines } from '../../conformance/conversation/sequence-lines.js';
import { toHar } from '../../mock/exchange/readers/har-writer.js';
import { drawMermaid } from '../../scenarios/format/sequence-diagram.js';
import type { Exchange } from '../../spec/vocabulary.js';

/** A journal, as `taskdouble check` reads it: JSON, one exchange a line. */
export function formatJournal(exchanges: readonly Exchange[]): string {
  return exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join('');
}

/** HAR 1.2. `baseUrl`: where the client reached the service. */
export function formatHar(exchanges: readonly Exchange[], baseUrl: string | undefined): string {
  const har = toHar(exchanges, baseUrl === undefined ? {} : { base_url: baseUrl });
  return `${JSON.stringify(har, null, 2)}\n`;
}

/** A Mermaid sequence diagram, as code hosts draw it in Markdown. */
export function formatMermaid(exchanges: readonly Exchange[]): string {
  const shown = new Set(exchanges.map(({ seq }) => seq));
  return drawMermaid(toSequenceLines(exchanges, shown), { isTimed: true });
}

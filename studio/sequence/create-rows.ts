import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { createRow } from './exchange-row.js';
import { groupFindings, summarizeFindings } from './finding-text.js';
import { makeRows } from './row-cache.js';
import { type ExchangeRow, measureRow } from './rows.js';

/** A row for each exchange, without a position. */
export function createRows(exchanges: readonly Exchange[], findings: readonly Finding[]): ExchangeRow[] {
  const start = exchanges[0]?.request.at ?? 0;
  const found = groupFindings(findings);
  const rows = makeRows(exchanges, (exchange, known) => createRow(exchange, start, known));
  const bySeq = new Map(exchanges.map((exchange) => [exchange.seq, exchange]));
  for (const row of rows) {
    row.findings = found.get(row.seq) ?? [];
    // A sentence stands where its evidence is complete.
    const ended = row.findings.filter(
      ({ evidence }) => !evidence.some((seq) => seq > row.seq && bySeq.has(seq)),
    );
    row.sentences = summarizeFindings(ended, bySeq);
    row.height = measureRow(row);
  }
  return rows;
}

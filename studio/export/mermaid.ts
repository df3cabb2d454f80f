import { drawMermaid, type SequenceLine } from '../../scenarios/format/sequence-diagram.js';
import type { Exchange, Finding } from '../../spec/vocabulary.js';
import { layOut } from '../sequence/layout.js';
import type { ExchangeRow, SequenceRow } from '../sequence/rows.js';

/** The rows of the diagram as a Mermaid sequence diagram. */
export function formatMermaid(exchanges: readonly Exchange[], findings: readonly Finding[] = []): string {
  return drawMermaid(layOut(exchanges, findings).rows.flatMap(toLines), { isTimed: true });
}

function toLines(row: SequenceRow): SequenceLine[] {
  const { time } = row;
  if (row.kind === 'note') return [{ kind: 'note', over: 'service', text: row.text, time }];
  if (row.kind === 'fold')
    return [{ kind: 'note', over: 'both', text: row.text, time }, ...toFindingLines(row.sentences)];
  const { request, sent, effects, lost } = row;
  const text = [request, sent?.text].filter(Boolean).join('  ');
  const line: SequenceLine =
    lost === 'request' ? { kind: 'lost', way: 'request', text, time } : { kind: 'request', text, time };
  return [
    line,
    ...effects.map(({ note }): SequenceLine => ({ kind: 'note', over: 'both', text: `network: ${note}` })),
    ...toResponseLines(row),
    ...toFindingLines(row.sentences),
  ];
}

function toResponseLines({ response, took, details, lost, isOpen }: ExchangeRow): SequenceLine[] {
  if (lost === 'request') return [];
  if (lost === 'response') return [{ kind: 'lost', way: 'response', text: 'response lost' }];
  if (!response) return [{ kind: 'note', over: 'client', text: isOpen ? 'no response yet' : 'no response' }];
  const text = took ? `${response.text} after ${took}` : response.text;
  return [
    { kind: 'response', text, isError: response.tone !== 'good' },
    ...details.map((detail): SequenceLine => ({ kind: 'event', text: detail.text })),
  ];
}

function toFindingLines(sentences: ExchangeRow['sentences']): SequenceLine[] {
  return sentences.map(({ sign, text }) => ({ kind: 'note', over: 'client', text: `${sign} ${text}` }));
}

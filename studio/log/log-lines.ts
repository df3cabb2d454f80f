import { groupByLevel } from '../parts/group-by-level.js';
import type { SequenceRow } from '../sequence/rows.js';

export interface LogLine {
  seq: number;
  isFold?: boolean;
  time: string;
  tone: string;
  text: string;
  /** The response. */
  outcome?: { tone: string; text: string };
}

/** One line for each request, effect, detail and finding, in the order of the diagram. */
export function toLogLines(row: SequenceRow): LogLine[] {
  if (row.kind === 'note') return [];
  if (row.kind === 'fold')
    return [{ seq: row.rows[0]!.seq, isFold: true, time: row.time, tone: 'soft', text: `↻ ${row.text}` }];
  const { seq, time, request, sent, response, took, effects, details, findings, isOpen } = row;
  const responseText = response?.text ?? (isOpen ? 'no response yet' : 'no response');
  const outcome = {
    tone: response?.tone ?? (isOpen ? 'soft' : 'bad'),
    text: took ? `${responseText}  ${took}` : responseText,
  };
  return [
    {
      seq,
      time,
      tone: '',
      text: `→ ${request}${sent ? `  ${sent.text}` : ''}`,
      outcome,
    },
    ...effects.map(({ note }) => ({ seq, time: '', tone: 'effect', text: `⚡ network: ${note}` })),
    ...details.map(({ tone, text }) => ({ seq, time: '', tone, text: `  ${text}` })),
    ...groupByLevel(findings).flatMap(({ sign, tone, findings: its }) =>
      its.map(({ rule, message }) => ({ seq, time: '', tone, text: `${sign} ${rule}: ${message}` })),
    ),
  ];
}

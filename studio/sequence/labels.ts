import type { Finding } from '../../spec/vocabulary.js';
import { groupByLevel } from '../parts/group-by-level.js';

/** Width of a character of the monospace font, px. */
export const CHARACTER_PX = 6.95;

/** Truncates to the characters of the monospace font that fit into `px`. */
export function truncate(text: string, px: number): string {
  const most = Math.max(4, Math.floor(px / CHARACTER_PX));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The class of a row with these findings: a broken rule, or advice only. */
export function chooseFindingClass(findings: readonly Finding[]): string | undefined {
  const [first] = groupByLevel(findings);
  return first && (first.tone === 'bad' ? 'has-findings' : 'has-advice');
}

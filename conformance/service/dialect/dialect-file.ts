import { stringify } from 'yaml';
import { openPoints } from '../../../spec/generated/documents.js';
import type { ChoicePoint, NumberPoint, OpenPoint } from '../../../spec/requirement-types.js';
import type { ConformReport } from '../runner/result.js';

/**
 * The choices observed in a run as a file that `taskdouble mock --dialect` reads, each below the question it answers.
 * Points that were not observed are left out: there the mock keeps its default.
 */
export function dialectFile({
  target,
  started,
  dialect,
}: Pick<ConformReport, 'target' | 'started' | 'dialect'>): string {
  const title = `${target.base_url}, as observed on ${started.slice(0, 10)}`;
  const entries = openPoints.flatMap((point) => {
    const choice = Object.hasOwn(dialect, point.id) ? dialect[point.id] : undefined;
    return choice === undefined ? [] : [entryOf(point, choice)];
  });
  if (entries.length === 0) return `${stringify({ title })}# No choice was observed.\nchoices: {}\n`;
  return `${stringify({ title }, { lineWidth: 0 })}choices:\n${entries.join('')}`;
}

function entryOf(point: OpenPoint, choice: string | number): string {
  const comments = [point.question, point.kind === 'choice' ? meaningOf(point, choice) : unitOf(point)];
  const line = stringify({ [point.id]: choice }, { lineWidth: 0 });
  return [...comments.filter((text) => text !== ''), line]
    .map((text, n, { length }) => (n < length - 1 ? `  # ${text}\n` : `  ${text}`))
    .join('');
}

/** The choice in words, where it was another than the mock's own. */
function meaningOf({ choices, default: usual }: ChoicePoint, choice: string | number): string {
  const name = String(choice);
  if (name === usual || !Object.hasOwn(choices, name)) return '';
  return `Not as the mock does by itself (${usual}). ${choices[name]}.`;
}

/** The unit where the question does not name it, and what 0 means. */
function unitOf({ choices: { unit }, zero }: NumberPoint): string {
  const told = unit === 'ms' || unit === 'bytes' ? [`In ${unit}`] : [];
  const lines = zero === undefined ? told : [...told, `0: ${zero}`];
  return lines.length === 0 ? '' : `${lines.join('; ')}.`;
}

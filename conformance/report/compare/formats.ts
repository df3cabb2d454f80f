import { OUTCOMES } from '../../service/runner/result.js';
import { inline } from '../formats/markdown.js';
import { checkReportTargets, ReportError, type ReportTarget } from '../formats.js';
import { MARKS, mark, palette } from '../palette.js';
import { oneLine, toJson } from '../text.js';
import { type ReportIo, writeAll } from '../write.js';
import type { Cell, ComparedTarget, Comparison } from './compare.js';

const NONE = ' ';
const FORMS = ['pretty', 'markdown', 'json'] as const;

/** Writes a comparison. Formats: pretty, markdown, json. Throws ReportError for another, or where a file cannot be written. */
export async function writeComparison(
  comparison: Comparison,
  targets: readonly ReportTarget[],
  io: ReportIo,
): Promise<void> {
  checkReportTargets(targets);
  const other = targets.find(({ format }) => !FORMS.some((form) => form === format));
  if (other) {
    throw new ReportError(`--report ${other.format}: a comparison can be one of ${FORMS.join(', ')}`);
  }
  await writeAll(targets, io, ({ format }, colour) => {
    if (format === 'json') return toJson(comparison);
    if (format === 'markdown') return markdownComparison(comparison);
    return prettyComparison(comparison, colour);
  });
}

/** In a terminal: the checks and choices that are not the same everywhere, and the sums. */
export function prettyComparison({ targets, checks, dialect }: Comparison, colour = false): string {
  const colours = palette(colour);
  const lines = targets.map(
    ({ name, base_url }, index) => `${letter(index)}  ${oneLine(name)}  ${oneLine(base_url)}`,
  );
  const columns = targets.map((_, index) => letter(index)).join(' ');
  lines.push('', `${columns}  ${colours.bold('checks that differ')}`);
  const differing = checks.filter(({ differs }) => differs);
  for (const { id, cells } of differing) {
    const marks = cells.map((cell) => (cell === 'none' ? NONE : mark(cell, colours)));
    lines.push(
      `${marks.map((each, index) => each + ' '.repeat(letter(index).length - 1)).join(' ')}  ${oneLine(id)}`,
    );
  }
  if (differing.length === 0) lines.push('none');
  lines.push(`(${checks.length - differing.length} the same everywhere)`);
  const choices = dialect.filter(({ differs }) => differs);
  if (choices.length > 0) {
    lines.push('', colours.bold('Choices that differ'));
    for (const { id, choices: chosen } of choices) {
      lines.push(
        `${id}: ${chosen.map((choice, index) => `${letter(index)} ${choice ?? '(not observed)'}`).join(', ')}`,
      );
    }
  }
  lines.push('');
  for (const [index, { summary, requirements }] of targets.entries()) {
    const sums = outcomesOf(targets)
      .map((outcome) => `${summary[outcome] ?? 0} ${outcome}`)
      .join(', ');
    lines.push(
      `${letter(index)}  ${sums}; ${requirements.tested} of ${requirements.total} requirements tested`,
    );
  }
  lines.push(colours.dim(legend()));
  return `${lines.join('\n')}\n`;
}

/** The whole matrix. */
export function markdownComparison({ targets, checks, dialect }: Comparison): string {
  const head = targets.map(({ name }) => inline(name)).join(' | ');
  const rule = targets.map(() => ':---:').join(' | ');
  const sums = outcomesOf(targets).map(
    (outcome) => `| ${outcome} | ${targets.map(({ summary }) => summary[outcome] ?? 0).join(' | ')} |`,
  );
  const rows = checks.map(
    ({ id, cells, differs }) =>
      `| ${differs ? `**${inline(id)}**` : inline(id)} | ${cells.map(symbol).join(' | ')} |`,
  );
  const choices = dialect.map(
    ({ id, choices: chosen, differs }) =>
      `| ${differs ? `**${inline(id)}**` : inline(id)} | ${chosen.map((each) => inline(String(each ?? ''))).join(' | ')} |`,
  );
  return [
    '# Targets compared',
    '',
    `| | ${head} |`,
    `| --- | ${rule} |`,
    `| address | ${targets.map(({ base_url }) => inline(base_url)).join(' | ')} |`,
    ...sums,
    `| requirements tested | ${targets.map(({ requirements }) => `${requirements.tested} of ${requirements.total}`).join(' | ')} |`,
    '',
    '## Checks',
    '',
    `${inline(legend())}. What differs is bold.`,
    '',
    `| check | ${head} |`,
    `| --- | ${rule} |`,
    ...rows,
    ...(choices.length > 0
      ? ['', '## Dialects observed', '', `| open point | ${head} |`, `| --- | ${rule} |`, ...choices]
      : []),
    '',
  ].join('\n');
}

/** Errors have a line where there are any. */
function outcomesOf(targets: readonly ComparedTarget[]) {
  return OUTCOMES.filter((outcome) => targets.some(({ summary }) => summary[outcome] !== undefined));
}

function symbol(cell: Cell): string {
  return cell === 'none' ? '' : MARKS[cell];
}

function legend(): string {
  return Object.entries(MARKS)
    .map(([outcome, sign]) => `${sign} ${outcome}`)
    .join('  ');
}

function letter(index: number): string {
  return String.fromCharCode(65 + (index % 26)) + (index >= 26 ? Math.floor(index / 26) : '');
}

import { type Mark, SIGNS } from '../../spec/signs.js';
import { toOneLine } from '../../spec/visible.js';
import type { Cause } from '../causes/check-result.js';
import { OUTCOMES, type Outcome, type Summary } from '../causes/check-result.js';
import { toJson } from '../common/text.js';
import type { ConformReport } from '../service/runner/result.js';
import { escapeInline } from './formats/markdown.js';
import { ReportError, type ReportTarget } from './formats.js';
import { createPalette, paint } from './palette.js';
import { redactReport } from './redact-report.js';
import { type Display, type Output, wrapText } from './terminal.js';
import { writeAll } from './write.js';

/** The result of a check for one target. `none`: the run has no such check. */
type ComparisonCell = Outcome | 'known' | 'none';

interface ComparedTarget {
  name: string;
  base_url: string;
  summary: Summary;
  requirements: { total: number; tested: number };
}

/** Changes from the first run to the last. */
const CAUSE_CHANGES = ['new', 'gone', 'stays'] as const;
type CauseChange = (typeof CAUSE_CHANGES)[number];

/** Several runs side by side: one row per check, one cell per target. */
interface Comparison {
  targets: ComparedTarget[];
  /** Causes, and how many failures each explains per target; 0 if the run does not have the cause. */
  causes: { id: string; title: string; explains: number[]; change: CauseChange }[];
  checks: { id: string; suite: string; title: string; cells: ComparisonCell[]; differs: boolean }[];
  /** Open points; null if the run did not observe the choice. */
  dialect: { id: string; choices: (string | number | null)[]; differs: boolean }[];
}

const FORMS = ['pretty', 'markdown', 'json'] as const;
const MARKS: readonly Mark[] = [...OUTCOMES, 'known'];
const LEGEND = MARKS.map((mark) => `${SIGNS[mark]} ${mark}`).join('  ');

/** Checks are sorted by suite and name. */
export function compareReports(
  given: readonly { name: string; report: ConformReport }[],
  secrets: readonly string[] = [],
): Comparison {
  const reports = given.map(({ name, report }) => ({ name, report: redactReport(report, secrets) }));
  const found = reports.map(({ report }) => new Map(report.checks.map((check) => [check.id, check])));
  const ids = [...new Set(found.flatMap((checks) => [...checks.keys()]))].sort();
  const causes = reports.map(({ report }) => new Map(report.causes.map((cause) => [cause.id, cause])));
  const points = [...new Set(reports.flatMap(({ report }) => Object.keys(report.dialect)))].sort();
  return {
    targets: reports.map(({ name, report: { target, summary, requirements } }) => ({
      name,
      base_url: target.base_url,
      summary,
      requirements: { total: requirements.total, tested: requirements.tested },
    })),
    causes: compareCauses(causes),
    checks: ids.map((id) => {
      const row = found.map((checks) => checks.get(id));
      const { suite, title } = row.find((check) => check !== undefined)!;
      const cells = row.map((check): ComparisonCell => (check?.known ? 'known' : (check?.outcome ?? 'none')));
      return { id, suite, title, cells, differs: new Set(cells).size > 1 };
    }),
    dialect: points.map((id) => {
      const choices = reports.map(({ report: { dialect } }) =>
        Object.hasOwn(dialect, id) ? dialect[id]! : null,
      );
      return { id, choices, differs: new Set(choices.filter((choice) => choice !== null)).size > 1 };
    }),
  };
}

/** New causes first, then causes that are gone; within each, by number of failures. */
function compareCauses(runs: readonly ReadonlyMap<string, Cause>[]): Comparison['causes'] {
  const ids = new Set(runs.flatMap((causes) => [...causes.keys()]));
  const rows = [...ids].map((id) => {
    const found = runs.map((causes) => causes.get(id));
    const { title } = found.findLast((cause) => cause !== undefined)!;
    const explains = found.map((cause) => cause?.explains ?? 0);
    const change: CauseChange = explains.at(-1) === 0 ? 'gone' : explains[0] === 0 ? 'new' : 'stays';
    return { id, title, explains, change };
  });
  const rankChange = ({ change }: { change: CauseChange }) => CAUSE_CHANGES.indexOf(change);
  const readHighest = ({ explains }: { explains: number[] }) => Math.max(...explains);
  return rows.sort(
    (one, other) => rankChange(one) - rankChange(other) || readHighest(other) - readHighest(one),
  );
}

/** Formats: pretty, markdown, json. Throws ReportError for another format, and if a file cannot be written. */
export async function writeComparison(
  comparison: Comparison,
  targets: readonly ReportTarget[],
  stdout: Output,
): Promise<void> {
  const other = targets.find(({ format }) => !FORMS.some((form) => form === format));
  if (other)
    throw new ReportError(`--report ${other.format}: a comparison can be one of ${FORMS.join(', ')}`);
  await writeAll(targets, stdout, ({ format }, display) => {
    if (format === 'json') return toJson(comparison);
    return format === 'markdown'
      ? formatMarkdownComparison(comparison)
      : wrapText(formatPrettyComparison(comparison, display), display.columns);
  });
}

/** Lists the checks and choices that differ, and the sums. */
function formatPrettyComparison({ targets, causes, checks, dialect }: Comparison, display: Display): string {
  const colours = createPalette(display.isColored);
  const columns = targets.map((_, index) => String(index + 1));
  const differing = checks.filter(({ differs }) => differs);
  const rows = differing.map(({ id, cells }) => {
    const marks = cells.map((cell) => (cell === 'none' ? ' ' : paint(cell, colours)));
    return `${marks.join(' ')}  ${toOneLine(id)}`;
  });
  const causeRows = causes.map(({ id, title, explains, change }) => {
    return `${change.padEnd(5)}  ${explains.join(' → ')}  ${toOneLine(`${title} (${id})`)}`;
  });
  const choices = dialect
    .filter(({ differs }) => differs)
    .map(({ id, choices: chosen }) => {
      const each = chosen.map((choice, index) => `${columns[index]} ${choice ?? '(not observed)'}`);
      return toOneLine(`${id}: ${each.join(', ')}`);
    });
  const outcomes = listOutcomes(targets);
  return [
    ...targets.map(
      ({ name, base_url }, index) => `${columns[index]}  ${toOneLine(name)}  ${toOneLine(base_url)}`,
    ),
    '',
    `${colours.bold('Causes')} (failures that each explains, by run)`,
    ...(causeRows.length > 0 ? causeRows : ['none']),
    '',
    `${columns.join(' ')}  ${colours.bold('checks that differ')}`,
    ...(rows.length > 0 ? rows : ['none']),
    `(${checks.length - differing.length} the same everywhere)`,
    ...(choices.length > 0 ? ['', colours.bold('Choices that differ'), ...choices] : []),
    '',
    ...targets.map(({ summary, requirements }, index) => {
      const sums = outcomes.map((outcome) => `${summary[outcome] ?? 0} ${outcome}`).join(', ');
      return `${columns[index]}  ${sums}; ${requirements.tested} of ${requirements.total} requirements tested`;
    }),
    colours.dim(LEGEND),
    '',
  ].join('\n');
}

function formatMarkdownComparison({ targets, causes, checks, dialect }: Comparison): string {
  const formatRow = (...cells: unknown[]) =>
    `| ${cells.map((cell) => escapeInline(String(cell ?? ''))).join(' | ')} |`;
  const formatTable = (title: string, rows: readonly string[]) => {
    const head = [
      formatRow(title, ...targets.map(({ name }) => name)),
      `| --- |${' :---: |'.repeat(targets.length)}`,
    ];
    return [...head, ...rows, ''];
  };
  const sums = listOutcomes(targets).map((each) =>
    formatRow(each, ...targets.map(({ summary }) => summary[each] ?? 0)),
  );
  const causeRows = causes.map(({ id, title, explains, change }) =>
    formatRow(`${change}: ${title} (${id})`, ...explains.map((each) => each || '')),
  );
  const differing = checks.filter(({ differs }) => differs);
  const cells = differing.map((each) =>
    formatRow(each.id, ...each.cells.map((cell) => (cell === 'none' ? '' : SIGNS[cell]))),
  );
  const choices = dialect
    .filter(({ differs }) => differs)
    .map((point) => formatRow(point.id, ...point.choices));
  return [
    '# Targets compared\n',
    ...formatTable('target', [formatRow('address', ...targets.map(({ base_url }) => base_url)), ...sums]),
    `${escapeInline(LEGEND)}. ${checks.length - differing.length} checks are the same everywhere.\n`,
    ...(causeRows.length > 0 ? formatTable('cause, and the failures that it explains', causeRows) : []),
    ...formatTable('check that differs', cells),
    ...(choices.length > 0 ? formatTable('choice that differs', choices) : []),
  ].join('\n');
}

/** Omits outcomes that no target has. */
function listOutcomes(targets: readonly ComparedTarget[]): Outcome[] {
  return OUTCOMES.filter((outcome) => targets.some(({ summary }) => summary[outcome] !== undefined));
}

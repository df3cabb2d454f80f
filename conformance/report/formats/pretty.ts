import { stripVTControlCharacters } from 'node:util';
import { toOneLine, toVisible } from '../../../spec/visible.js';
import type { CheckResult } from '../../causes/check-result.js';
import { formatCount } from '../../common/text.js';
import { createPalette, type Palette, paint } from '../palette.js';
import { formatRowName, listOtherChecks, listParts, type ReportPart } from '../parts.js';
import { type Display, formatLink, locateRequirement, PLAIN_DISPLAY, wrapLine } from '../terminal.js';
import {
  decideVerdict,
  formatColophon,
  formatSummary,
  formatTargetName,
  splitSides,
  VERDICTS,
} from '../verdict.js';
import type { EvidenceBounds, ReportView } from '../view.js';
import { formatExplainCommand } from './run-again.js';

const BOUNDS = { exchanges: 3, body: 1500 };
/** The sections after the failures fit on the rest of a screen; most rows of a list. */
const SCREEN_LINES = 24;
const SCREEN_COLUMNS = 80;
const MOST_ROWS = 3;
const LONGEST_NAMES = 32;
/** Most listed causes; the rest are counted. */
const MOST_CAUSES = 10;
/** How much of the examples is shown, by the number of causes, so that all of it fits on a screen; more causes show none. */
const EXAMPLES = [undefined, BOUNDS, { exchanges: 1, body: 400 }, { exchanges: 1, body: 200 }] as const;
/** Most timeline lines of the first defect of a search; other defects take one line each. */
const MOST_OF_TIMELINE = 8;

/** What a report is formatted for. */
class ReportScreen {
  readonly colours: Palette;
  readonly columns: number;
  /** Lines to copy. */
  readonly #commands = new Set<string>();

  constructor(readonly display: Display) {
    this.colours = createPalette(display.isColored);
    this.columns = display.columns ?? SCREEN_COLUMNS;
  }

  /** A line that is not wrapped, so that it works when it is copied. */
  formatCommand(line: string): string {
    const command = this.colours.dim(line);
    this.#commands.add(command);
    return command;
  }

  wrap(lines: readonly string[]): string[] {
    return lines.flatMap((line) => (this.#commands.has(line) ? line : wrapLine(line, this.display.columns)));
  }

  /** Counts wrapped lines. */
  countLines(lines: readonly string[]): number {
    const widths = this.wrap(lines).map((line) => stripVTControlCharacters(line).length);
    return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / this.columns)), 0);
  }
}

/** The report for a terminal: causes first, the summary last, next to the prompt. */
export function formatPrettyReport(view: ReportView, display = PLAIN_DISPLAY): string {
  const screen = new ReportScreen(display);
  const { colours } = screen;
  const { failures, otherFailures, options } = view;
  const { stopped } = view.report;
  // If nothing could be tested, only the reason matters.
  if (view.verdict === 'untested' && stopped !== undefined)
    return `${toOneLine(formatTargetName(view.report))}: ${VERDICTS.untested.words}: ${toOneLine(stopped)}\n`;
  const detailed = options.all ? failures : otherFailures;
  const found = [
    ...addExplainLine(formatCauses(view, screen), view, screen),
    ...detailed.map((check) => [
      `${paint(check.outcome, colours)} ${colours.bold(toOneLine(check.id))}  ${toOneLine(check.title)}`,
      ...toVisible(check.message)
        .split('\n')
        .map((line) => `    ${line}`),
      ...formatEvidence(check, view, BOUNDS, screen),
    ]),
  ];
  const last = formatEnding(view, colours);
  const sections = [...found, ...formatParts(view, countFreeLines([...found, last], screen), screen), last];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => screen.wrap(lines).join('\n'));
  return `${shown.join('\n\n')}\n`;
}

function countFreeLines(sections: readonly string[][], screen: ReportScreen): number {
  const used = sections.filter((lines) => lines.length > 0);
  return SCREEN_LINES - screen.countLines(used.flatMap((lines) => [...lines, '']));
}

/** Sections other than the failures: all of them, or what fits. Essential sections are always shown. */
function formatParts(view: ReportView, room: number, screen: ReportScreen): string[][] {
  const parts = [...listOtherChecks(view), ...listParts(view.report)];
  if (view.options.all) return parts.map((part) => formatSection(part, screen));
  const lines: string[] = [];
  const unshown: string[] = [];
  // Room for a line about what is left out.
  let free = room - 2;
  let isCut = false;
  for (const { title, note, rows, brief = rows, isEssential = false } of parts) {
    const [head = '', ...shown] = formatSection(
      { title, rows: brief.slice(0, MOST_ROWS) },
      screen,
      !isEssential,
    );
    const fitting = isEssential
      ? shown
      : shown.filter((_, at) => screen.countLines(shown.slice(0, at + 1)) < free);
    isCut ||= fitting.length < rows.length || fitting.some((line) => line.endsWith('…'));
    if (!isEssential && fitting.length === 0 && (rows.length > 0 || free < 1)) {
      unshown.push(`${title} (${note?.match(/^\d.*/) ?? rows.length})`);
      continue;
    }
    const share =
      !isEssential && fitting.length < rows.length ? [`${fitting.length} of ${rows.length} shown`] : [];
    const notes = [...(note === undefined ? [] : [note]), ...share];
    const part = [head + (notes.length > 0 ? ` (${notes.join('; ')})` : ''), ...fitting];
    lines.push(...part);
    free -= screen.countLines(part);
  }
  if (isCut) lines.push(screen.colours.dim([...unshown, '--all shows all'].join('; ')));
  return [lines];
}

/** Each cause with its best example; with many causes, one line per example. */
function formatCauses(view: ReportView, screen: ReportScreen): string[][] {
  const { colours } = screen;
  const { causes, options, report } = view;
  if (report.failures !== undefined && causes.length > 1 && !options.all) return formatDefects(view, screen);
  const bounds = options.all ? undefined : EXAMPLES[causes.length];
  const listed = causes.slice(0, MOST_CAUSES).map(({ cause, example, head, shown }, at) => {
    const advice = at === 0 && cause.first ? colours.bold(' Fix this first.') : '';
    return [
      `${paint('failed', colours)} ${colours.bold(toOneLine(head))}${advice}`,
      colours.dim(`    e.g. ${toOneLine(shown === cause.title ? example.id : `${example.id}  ${shown}`)}`),
      ...(cause.lacks === undefined
        ? []
        : [
            colours.dim(
              `    Every scenario of it needs ${cause.lacks}. For a client without: --lacks ${cause.lacks}`,
            ),
          ]),
      ...(bounds ? formatEvidence(example, view, bounds, screen) : []),
    ];
  });
  const left = causes.slice(MOST_CAUSES);
  if (left.length > 0) {
    const failures = left.reduce((sum, { cause }) => sum + cause.explains, 0);
    listed.push([
      `${formatCount(left.length, 'more cause')} of ${formatCount(failures, 'failure')}: --all shows every failure.`,
    ]);
  }
  return bounds ? listed : [listed.flat()];
}

/** Below the last cause: the command that explains a rule. */
function addExplainLine(listed: string[][], view: ReportView, screen: ReportScreen): string[][] {
  const command = formatExplainCommand(view);
  if (command !== undefined) listed.at(-1)?.push(screen.formatCommand(`What a rule means: ${command}`));
  return listed;
}

/** The defects of a search: the first with its timeline, the others in a line each. */
function formatDefects(view: ReportView, screen: ReportScreen): string[][] {
  const { colours } = screen;
  const heads = view.causes.slice(0, MOST_CAUSES).map(({ head }) => {
    return `${paint('failed', colours)} ${colours.bold(toOneLine(head))}`;
  });
  const [first = '', ...others] = heads;
  const timeline = formatEvidence(view.causes[0]!.example, view, BOUNDS, screen).slice(1);
  const [found = '', ...steps] = timeline.slice(0, -1);
  const left = steps.length - MOST_OF_TIMELINE;
  const shown = left > 1 ? [`    … ${left + 1} earlier lines, in its file`, ...steps.slice(left + 1)] : steps;
  const more = view.causes.length - heads.length;
  return [
    [first, found, ...shown, ...timeline.slice(-1)],
    [...others, ...(more > 0 ? [`${formatCount(more, 'more defect')}: --all shows every one.`] : [])],
  ];
}

function formatEvidence(
  check: CheckResult,
  view: ReportView,
  bounds: EvidenceBounds,
  screen: ReportScreen,
): string[] {
  const { requirement, exchanges, again } = view.readEvidence(check, bounds);
  const lines: string[] = [];
  if (requirement) {
    const { id, section, rule } = requirement;
    const link = formatLink(id, locateRequirement(section), screen.display);
    lines.push(screen.colours.cyan(`    ${link} (${section}): ${rule}`));
  }
  for (const { lines: shown, curl } of exchanges) {
    const [head = '', ...bodies] = shown;
    lines.push(`    ${head}`, ...bodies.map((line) => `      ${line}`));
    if (curl !== undefined) lines.push(screen.formatCommand(`      ${curl}`));
  }
  if (again !== undefined) lines.push(screen.formatCommand(`    See it again: ${again}`));
  return lines;
}

/** `isBrief`: lists of names are shortened, and a row takes at most three screen lines. */
function formatSection({ title, note, rows }: ReportPart, screen: ReportScreen, isBrief = false): string[] {
  const { colours, columns } = screen;
  const lines = rows.map((row) => {
    const { mark, text, more } = row;
    const name = formatRowName(row, isBrief ? LONGEST_NAMES : Number.POSITIVE_INFINITY);
    const start = name === undefined ? '' : `${toOneLine(name)}: `;
    const whole = start + toOneLine(text) + (more ? `  ${toOneLine(more)}` : '');
    const most = columns * (rows.length === 1 ? 3 : Array.isArray(row.name) ? 1 : 2) - 2;
    const isLong = isBrief && name !== undefined && whole.length > most;
    return `${mark ? paint(mark, colours) : ' '} ${isLong ? `${whole.slice(0, most - 1)}…` : whole}`;
  });
  return [colours.bold(title) + (note === undefined ? '' : ` (${note})`), ...lines];
}

function formatEnding({ report, options }: ReportView, colours: Palette): string[] {
  const { stopped } = report;
  const verdicts = splitSides(report).map((part) => {
    const { words, mark } = VERDICTS[decideVerdict(part, options)];
    const verdict = colours.bold(paint(mark, colours, `${toOneLine(formatTargetName(part))} ${words}`));
    return `${verdict}: ${formatSummary(part)}`;
  });
  return [
    ...(stopped === undefined ? [] : [colours.yellow(`The run ended early: ${toOneLine(stopped)}`)]),
    ...verdicts,
    colours.dim(formatColophon(report)),
  ];
}

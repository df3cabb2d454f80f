import type { CheckResult } from '../../service/runner/result.js';
import { type Palette, paint, palette } from '../palette.js';
import { oneLine, visible } from '../text.js';
import { colophon, nameOf, summaryLine, VERDICTS } from '../verdict.js';
import type { ReportPart, ReportView } from '../view.js';

const BOUNDS = { exchanges: 3, body: 1500 };
/** Failures with their exchanges; of a service that fails more the rest have a line each. */
const MOST_DETAILED = 40;

/** What a person reads after a run: failures first, the summary last, where the eye is. */
export function prettyReport(view: ReportView, colour = false): string {
  const colours = palette(colour);
  const { failures, otherChecks, parts } = view;
  const sections = [
    ...failures.slice(0, MOST_DETAILED).map((check) => failure(check, view, colours)),
    failures.slice(MOST_DETAILED).map(({ id, outcome, message }) => {
      return `${paint(outcome, colours)} ${oneLine(id)}: ${oneLine(message)}`;
    }),
    ...[...otherChecks, ...parts].map((part) => section(part, colours)),
    ending(view, colours),
  ];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

function failure(check: CheckResult, view: ReportView, colours: Palette): string[] {
  const { id, title, outcome, message } = check;
  const { requirement, exchanges, again } = view.evidenceOf(check, BOUNDS);
  const lines = [`${paint(outcome, colours)} ${colours.bold(oneLine(id))}  ${oneLine(title)}`];
  for (const line of visible(message).split('\n')) lines.push(`    ${line}`);
  if (requirement) lines.push(colours.cyan(`    ${requirement}`));
  for (const { lines: shown, curl } of exchanges) {
    const [head = '', ...bodies] = shown;
    lines.push(`    ${head}`, ...bodies.map((line) => `      ${line}`));
    if (curl !== undefined) lines.push(colours.dim(`      ${curl}`));
  }
  if (again !== undefined) lines.push(colours.dim(`    See it again: ${again}`));
  return lines;
}

function section({ title, note, rows }: ReportPart, colours: Palette): string[] {
  const lines = rows.map(({ mark, name, text, more }) => {
    const start = `${mark ? paint(mark, colours) : ' '} ${name === undefined ? '' : `${oneLine(name)}: `}`;
    return start + oneLine(text) + (more ? `  ${colours.dim(oneLine(more))}` : '');
  });
  return [colours.bold(title) + (note === undefined ? '' : ` (${note})`), ...lines];
}

function ending({ report, verdict }: ReportView, colours: Palette): string[] {
  const { words, mark } = VERDICTS[verdict];
  const { stopped } = report;
  const verdictText = colours.bold(paint(mark, colours, `${oneLine(nameOf(report))} ${words}`));
  return [
    ...(stopped === undefined ? [] : [colours.yellow(`The run ended early: ${oneLine(stopped)}`)]),
    `${verdictText}: ${summaryLine(report)}`,
    colours.dim(colophon(report)),
  ];
}

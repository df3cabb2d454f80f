import type { CheckResult } from '../../service/runner/result.js';
import { type Palette, paint, palette } from '../palette.js';
import { count, oneLine, visible } from '../text.js';
import { colophon, nameOf, summaryLine, VERDICTS } from '../verdict.js';
import type { EvidenceBounds, ReportPart, ReportView } from '../view.js';

const BOUNDS = { exchanges: 3, body: 1500 };
/** Causes that are listed; the rest are counted. */
const MOST_CAUSES = 10;
/** How much of the examples is shown by the number of causes, so that all of it fits on a screen; of more causes none. */
const EXAMPLES = [undefined, BOUNDS, { exchanges: 1, body: 400 }, { exchanges: 1, body: 200 }] as const;

/** What a person reads after a run: causes first, the summary last, where the eye is. */
export function prettyReport(view: ReportView, colour = false): string {
  const colours = palette(colour);
  const { failures, otherFailures, otherChecks, parts, options } = view;
  const { stopped } = view.report;
  // Of a run that could test nothing, the reason is all there is to read.
  if (view.verdict === 'untested' && stopped !== undefined)
    return `${oneLine(nameOf(view.report))}: ${VERDICTS.untested.words}: ${oneLine(stopped)}\n`;
  const detailed = options.all ? failures : otherFailures;
  const sections = [
    ...causeSections(view, colours),
    ...detailed.map((check) => [
      `${paint(check.outcome, colours)} ${colours.bold(oneLine(check.id))}  ${oneLine(check.title)}`,
      ...visible(check.message)
        .split('\n')
        .map((line) => `    ${line}`),
      ...evidenceLines(check, view, BOUNDS, colours),
    ]),
    ...[...otherChecks, ...parts].map((part) => section(part, colours)),
    ending(view, colours),
  ];
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Each cause with its best example; of many causes a line for the example. */
function causeSections(view: ReportView, colours: Palette): string[][] {
  const { causes, options } = view;
  const bounds = options.all ? undefined : EXAMPLES[causes.length];
  const listed = causes.slice(0, MOST_CAUSES).map(({ cause, example, head }, at) => {
    const advice = at === 0 && causes.length > 1 ? colours.bold(' Fix this first.') : '';
    return [
      `${paint('failed', colours)} ${colours.bold(oneLine(head))}: ${oneLine(cause.title)}${advice}`,
      colours.dim(`    e.g. ${oneLine(`${example.id}  ${example.title}`)}`),
      ...(bounds ? evidenceLines(example, view, bounds, colours) : []),
    ];
  });
  const left = causes.slice(MOST_CAUSES);
  if (left.length > 0) {
    const failures = left.reduce((sum, { cause }) => sum + cause.explains, 0);
    listed.push([
      `${count(left.length, 'more cause')} of ${count(failures, 'failure')}: --all shows every failure.`,
    ]);
  }
  return bounds ? listed : [listed.flat()];
}

function evidenceLines(
  check: CheckResult,
  view: ReportView,
  bounds: EvidenceBounds,
  colours: Palette,
): string[] {
  const { requirement, exchanges, again } = view.evidenceOf(check, bounds);
  const lines: string[] = [];
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

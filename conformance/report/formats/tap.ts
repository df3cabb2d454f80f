import { stringify } from 'yaml';
import { oneLine, visible } from '../../../spec/visible.js';
import { colophon, nameOf } from '../verdict.js';
import type { ReportView, TestPoint } from '../view.js';

const BOUNDS = { exchanges: 5, body: 2048 };

/** TAP version 14: a test point for each check, with the evidence of failures as YAML. */
export function tapReport(view: ReportView): string {
  const { report, searched } = view;
  const points = view.points.filter(({ suite }) => suite !== 'run');
  const lines = [
    'TAP version 14',
    `1..${points.length}`,
    `# ${oneLine(`${nameOf(report)}: ${colophon(report)}`)}`,
    ...points.flatMap((point, index) => pointLines(point, index + 1, view)),
    ...(report.advice ?? []).map(({ id, message }) => `# advice ${oneLine(`${id}: ${message}`)}`),
    ...searched.map((line) => `# ${oneLine(line)}`),
  ];
  if (report.stopped !== undefined) lines.push(`Bail out! ${oneLine(report.stopped)}`);
  return `${lines.join('\n')}\n`;
}

function pointLines(point: TestPoint, number: number, view: ReportView): string[] {
  const { name, title, outcome, message, check } = point;
  const described = `${number} - ${plain(name)}${check ? ` ${plain(title)}` : ''}`;
  if (outcome === 'passed') return [`ok ${described}`];
  if (outcome === 'known') return [`not ok ${described} # TODO ${plain(message)}`];
  if (outcome === 'flaky' && !point.fails)
    return [`ok ${described}`, `# flaky ${plain(name)}: ${plain(message)}`];
  if (!point.fails) return [`ok ${described} # SKIP ${outcome}: ${plain(message)}`];
  if (!check) return [`not ok ${described}`];
  const { requirement, exchanges, again } = view.evidenceOf(check, BOUNDS);
  const diagnosis = {
    message: visible(message),
    severity: outcome === 'error' ? 'error' : 'fail',
    outcome,
    requirement,
    exchanges: exchanges.map(({ lines, curl }) => ({ exchange: lines.join('\n'), curl })),
    again,
  };
  const yaml = stringify(diagnosis, { lineWidth: 0 }).trimEnd().split('\n');
  return [`not ok ${described}`, '  ---', ...yaml.map((line) => `  ${line}`), '  ...'];
}

/** In a description `#` begins a directive. */
function plain(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

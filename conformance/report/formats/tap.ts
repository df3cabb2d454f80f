import { stringify } from 'yaml';
import { toOneLine, toVisible } from '../../../spec/visible.js';
import { describeSearch } from '../parts.js';
import { formatColophon, formatTargetName } from '../verdict.js';
import { formatRequirement, type ReportView, type TestPoint } from '../view.js';

const BOUNDS = { exchanges: 5, body: 2048 };

/** TAP version 14: a test point for each check, with the evidence of failures as YAML. */
export function formatTapReport(view: ReportView): string {
  const { report } = view;
  const searched = describeSearch(report);
  const points = view.points.filter(({ suite }) => suite !== 'run');
  const lines = [
    'TAP version 14',
    `1..${points.length}`,
    `# ${toOneLine(`${formatTargetName(report)}: ${formatColophon(report)}`)}`,
    ...points.flatMap((point, index) => formatPoint(point, index + 1, view)),
    ...(report.advice ?? []).map(({ id, message }) => `# advice ${toOneLine(`${id}: ${message}`)}`),
    ...searched.map((line) => `# ${toOneLine(line)}`),
  ];
  if (report.stopped !== undefined) lines.push(`Bail out! ${toOneLine(report.stopped)}`);
  return `${lines.join('\n')}\n`;
}

function formatPoint(point: TestPoint, number: number, view: ReportView): string[] {
  const { name, title, outcome, message, check } = point;
  const described = `${number} - ${escapeDescription(name)}${check ? ` ${escapeDescription(title)}` : ''}`;
  if (outcome === 'passed') return [`ok ${described}`];
  if (outcome === 'known') return [`not ok ${described} # TODO ${escapeDescription(message)}`];
  if (outcome === 'flaky' && !point.fails)
    return [`ok ${described}`, `# flaky ${escapeDescription(name)}: ${escapeDescription(message)}`];
  if (!point.fails) return [`ok ${described} # SKIP ${outcome}: ${escapeDescription(message)}`];
  if (!check) return [`not ok ${described}`];
  const { requirement, exchanges, again } = view.readEvidence(check, BOUNDS);
  const diagnosis = {
    message: toVisible(message),
    severity: outcome === 'error' ? 'error' : 'fail',
    outcome,
    requirement: requirement && formatRequirement(requirement),
    exchanges: exchanges.map(({ lines, curl }) => ({ exchange: lines.join('\n'), curl })),
    again,
  };
  const yaml = stringify(diagnosis, { lineWidth: 0 }).trimEnd().split('\n');
  return [`not ok ${described}`, '  ---', ...yaml.map((line) => `  ${line}`), '  ...'];
}

/** In a description `#` begins a directive. */
function escapeDescription(text: string): string {
  return toOneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

import { stringify } from 'yaml';
import type { Exchange } from '../../../spec/vocabulary.js';
import type { CheckResult, ConformReport } from '../../service/runner/result.js';
import { exchangeLines } from '../exchange-text.js';
import { repeatOf, searchedLines } from '../search/about-clients.js';
import { oneLine, visible } from '../text.js';
import { colophon, Evidence, fails, inWords, nameOf, type ReadingOptions, requirementOf } from '../view.js';

const MOST_EXCHANGES = 5;
const LONGEST_BODY = 2048;

/** TAP version 14: a test point for each check, with the evidence of failures as YAML. */
export function tapReport(report: ConformReport, options: ReadingOptions = {}): string {
  const evidence = new Evidence(report);
  const problems = report.baseline?.problems ?? [];
  const lines = ['TAP version 14', `1..${report.checks.length + problems.length}`];
  lines.push(`# ${oneLine(`${nameOf(report)}: ${colophon(report)}`)}`);
  let number = 0;
  for (const check of report.checks) {
    const name = `${++number} - ${plain(check.id)} ${plain(check.title)}`;
    lines.push(...pointOf(check, name, report, evidence, options));
  }
  for (const problem of problems) lines.push(`not ok ${++number} - ${plain(problem)}`);
  for (const { id, message } of report.advice ?? []) lines.push(`# advice ${oneLine(`${id}: ${message}`)}`);
  for (const line of searchedLines(report)) lines.push(`# ${line}`);
  if (report.stopped !== undefined) lines.push(`Bail out! ${oneLine(report.stopped)}`);
  return `${lines.join('\n')}\n`;
}

function pointOf(
  check: CheckResult,
  name: string,
  report: ConformReport,
  evidence: Evidence,
  options: ReadingOptions,
): string[] {
  const { outcome, message, known } = check;
  if (outcome === 'passed') return [`ok ${name}`];
  if (outcome === 'failed' && known) {
    return [`not ok ${name} # TODO known until ${known.expires}: ${plain(known.reason)}`];
  }
  if (!fails(check, options)) return [`ok ${name} # SKIP ${outcome}: ${plain(message)}`];
  const requirement = requirementOf(check);
  const diagnosis = {
    message: visible(message),
    severity: outcome === 'error' ? 'error' : 'fail',
    outcome,
    ...(requirement ? { requirement: inWords(requirement) } : {}),
    exchanges: evidence.of(check, MOST_EXCHANGES).map((exchange) => ({
      exchange: exchangeLines(exchange, LONGEST_BODY).join('\n'),
      ...curl(exchange, report),
    })),
    ...(check.again === undefined ? {} : { again: oneLine(check.again) }),
  };
  const yaml = stringify(diagnosis, { lineWidth: 0 }).trimEnd().split('\n');
  return [`not ok ${name}`, '  ---', ...yaml.map((line) => `  ${line}`), '  ...'];
}

function curl(exchange: Exchange, report: ConformReport): { curl?: string } {
  const [line] = repeatOf(exchange, report);
  return line === undefined ? {} : { curl: line };
}

/** In a description `#` begins a directive. */
function plain(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

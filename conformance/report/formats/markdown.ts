import { type CheckResult, type ConformReport, OUTCOMES } from '../../service/runner/result.js';
import { exchangeLines } from '../exchange-text.js';
import { MARKS } from '../palette.js';
import { adviceOf, repeatOf, searchedLines, whereAdvised } from '../search/about-clients.js';
import { oneLine, visible } from '../text.js';
import {
  colophon,
  dialectOf,
  Evidence,
  errorsOf,
  failuresOf,
  inWords,
  knownOf,
  nameOf,
  type ReadingOptions,
  requirementOf,
  suitesOf,
  summaryLine,
  tally,
  VERDICT_WORDS,
  verdictOf,
} from '../view.js';

const MOST_EXCHANGES = 3;
const LONGEST_BODY = 1500;
const MOST_DETAILED = 40;

/** For a pull request, or the summary of a CI job. */
export function markdownReport(report: ConformReport, options: ReadingOptions = {}): string {
  const verdict = verdictOf(report, options);
  const sections = [
    [`# ${inline(nameOf(report))} ${VERDICT_WORDS[verdict]}`],
    [`${inline(summaryLine(report))}. ${inline(colophon(report))}.`],
    report.stopped === undefined ? [] : [`**The run ended early:** ${inline(report.stopped)}`],
    suiteTable(report),
    failureSection(report, options),
    errorSection(report),
    baselineSection(report),
    undecidedSection(report),
    adviceSection(report),
    coverageSection(report),
    searchSection(report),
    dialectSection(report),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n').trimEnd())
    .join('\n\n')}\n`;
}

function suiteTable(report: ConformReport): string[] {
  const columns = OUTCOMES.filter((outcome) => report.summary[outcome] !== undefined);
  const rows = suitesOf(report).map((suite) => {
    const checks = report.checks.filter((check) => check.suite === suite);
    const cells = columns.map((outcome) => checks.filter((check) => check.outcome === outcome).length);
    return `| ${inline(suite)} | ${cells.join(' | ')} |`;
  });
  return [`| suite | ${columns.join(' | ')} |`, `| --- |${' ---: |'.repeat(columns.length)}`, ...rows];
}

function failureSection(report: ConformReport, options: ReadingOptions): string[] {
  const failures = failuresOf(report, options);
  if (failures.length === 0) return [];
  const evidence = new Evidence(report);
  const detailed = failures.slice(0, MOST_DETAILED).flatMap((check) => failure(check, report, evidence));
  const rest = failures
    .slice(MOST_DETAILED)
    .map(({ id, outcome, message }) => `- ${MARKS[outcome]} ${inline(id)}: ${inline(message)}`);
  return ['## Failures', '', ...detailed, ...rest];
}

function failure(check: CheckResult, report: ConformReport, evidence: Evidence): string[] {
  const requirement = requirementOf(check);
  const lines = [
    `### ${MARKS[check.outcome]} ${inline(check.id)}`,
    '',
    inline(check.title),
    '',
    inline(check.message),
    '',
  ];
  if (requirement) lines.push(`> ${inline(inWords(requirement))}`, '');
  const again = check.again === undefined ? [] : ['See it again:', '', ...fenced(oneLine(check.again)), ''];
  lines.push(...again);
  const exchanges = evidence.of(check, MOST_EXCHANGES);
  if (exchanges.length === 0) return lines;
  const text = exchanges
    .map((exchange) => [...exchangeLines(exchange, LONGEST_BODY), ...repeatOf(exchange, report)].join('\n'))
    .join('\n\n');
  return [...lines, '<details><summary>Exchanges</summary>', '', ...fenced(text), '', '</details>', ''];
}

function errorSection(report: ConformReport): string[] {
  const rows = tally(errorsOf(report), ({ message }) => oneLine(message)).map(
    ({ key, items }) => `- ${MARKS.error} ${items.map(({ id }) => inline(id)).join(', ')}: ${inline(key)}`,
  );
  return rows.length === 0 ? [] : ['## Errors of taskdouble', '', ...rows];
}

function baselineSection(report: ConformReport): string[] {
  const known = knownOf(report).map(
    (check) => `- ${inline(check.id)}: ${inline(check.known!.reason)} (until ${check.known!.expires})`,
  );
  const problems = (report.baseline?.problems ?? []).map((problem) => `- ${MARKS.failed} ${inline(problem)}`);
  return [
    ...(known.length > 0 ? ['## Known failures', '', ...known] : []),
    ...(known.length > 0 && problems.length > 0 ? [''] : []),
    ...(problems.length > 0 ? ['## Baseline', '', ...problems] : []),
  ];
}

function undecidedSection(report: ConformReport): string[] {
  const found = report.checks.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'skipped');
  if (found.length === 0) return [];
  const rows = tally(found, ({ outcome, message }) => `${outcome}: ${oneLine(message)}`).map(
    ({ key, items }) => `| ${items.length} | ${inline(key)} |`,
  );
  return ['## Not decided', '', '| checks | why |', '| ---: | --- |', ...rows];
}

function adviceSection(report: ConformReport): string[] {
  const groups = adviceOf(report);
  if (groups.length === 0) return [];
  const items = groups.map((group) => `- ${inline(whereAdvised(group))}: ${inline(group.items[0]!.message)}`);
  return ['## Advice', '', 'It fails nothing.', '', ...items];
}

function searchSection(report: ConformReport): string[] {
  const lines = searchedLines(report);
  return lines.length === 0 ? [] : ['## Searched', '', ...lines.map((line) => `- ${inline(line)}`)];
}

function coverageSection({ requirements: { total, tested, untested }, searched }: ConformReport): string[] {
  if (searched !== undefined) return [];
  const rows = untested.map(({ id, why }) => `| ${inline(id)} | ${inline(why)} |`);
  const table = rows.length > 0 ? ['', '| not tested | why |', '| --- | --- |', ...rows] : [];
  return ['## Requirements', '', `${tested} of ${total} tested.`, ...table];
}

function dialectSection(report: ConformReport): string[] {
  const observed = dialectOf(report);
  if (observed.length === 0) return [];
  const rows = observed.map(
    ({ id, choice, meaning, question }) =>
      `| ${inline(id)} | ${inline(choice)} | ${inline(meaning || question)} |`,
  );
  return ['## Dialect observed', '', '| open point | choice | |', '| --- | --- | --- |', ...rows];
}

/** Text in which nothing is markup, a mention or a named link. */
export function inline(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&');
}

/** A block of code whose fence is longer than any in the text. */
function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence, visible(text), fence];
}

import type { CheckResult, ConformReport } from '../../service/runner/result.js';
import { exchangeLines } from '../exchange-text.js';
import { againOf, repeatOf, searchedLines } from '../search/about-clients.js';
import { escapeHtml, oneLine } from '../text.js';
import {
  colophon,
  Evidence,
  fails,
  inWords,
  nameOf,
  type ReadingOptions,
  requirementOf,
  suitesOf,
} from '../view.js';

const MOST_EXCHANGES = 5;
const LONGEST_BODY = 2048;

/** JUnit XML as CI servers read it: a suite for each of ours, failures with their exchanges. */
export function junitReport(report: ConformReport, options: ReadingOptions = {}): string {
  const evidence = new Evidence(report);
  const suites = suitesOf(report).map((suite) => {
    const checks = report.checks.filter((check) => check.suite === suite);
    const cases = checks.map((check) => caseOf(check, report, evidence, options));
    return { name: suite, cases, ...countOf(checks, options) };
  });
  const problems = report.baseline?.problems ?? [];
  if (problems.length > 0) {
    const cases = problems.map((problem) => failedCase('baseline', problem, problem, problem));
    suites.push({
      name: 'baseline',
      cases,
      tests: cases.length,
      failures: cases.length,
      errors: 0,
      skipped: 0,
    });
  }
  const advice = report.advice ?? [];
  if (advice.length > 0) {
    const cases = advice.map(({ id, message }) => toldCase('advice', id, message));
    suites.push({ name: 'advice', cases, tests: cases.length, failures: 0, errors: 0, skipped: 0 });
  }
  const searched = searchedLines(report);
  if (searched.length > 0) {
    const cases = [toldCase('search', 'what was searched', searched.join('\n'))];
    suites.push({ name: 'search', cases, tests: 1, failures: 0, errors: 0, skipped: 0 });
  }
  if (report.stopped !== undefined) {
    const cases = [failedCase('run', 'the run reached its end', report.stopped, report.stopped)];
    suites.push({ name: 'run', cases, tests: 1, failures: 1, errors: 0, skipped: 0 });
  }
  const total = (what: 'tests' | 'failures' | 'errors' | 'skipped') =>
    suites.reduce((sum, suite) => sum + suite[what], 0);
  const seconds = (report.duration_ms / 1000).toFixed(3);
  const title = report.target.client === undefined ? 'taskdouble' : `${nameOf(report)}: ${colophon(report)}`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(title)}" tests="${total('tests')}" failures="${total('failures')}" errors="${total('errors')}" skipped="${total('skipped')}" time="${seconds}">`,
    ...suites.flatMap(({ name, cases, tests, failures, errors, skipped }) => [
      `  <testsuite name="${attribute(name)}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" timestamp="${attribute(report.started.replace(/(\.\d+)?Z$/, ''))}">`,
      ...cases,
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function countOf(checks: readonly CheckResult[], options: ReadingOptions) {
  const errors = checks.filter(({ outcome }) => outcome === 'error').length;
  const failures = checks.filter((check) => fails(check, options)).length - errors;
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length;
  return { tests: checks.length, failures, errors, skipped: checks.length - failures - errors - passed };
}

function caseOf(
  check: CheckResult,
  report: ConformReport,
  evidence: Evidence,
  options: ReadingOptions,
): string {
  const { id, suite, outcome, message, known } = check;
  const head = `    <testcase classname="taskdouble.${attribute(suite)}" name="${attribute(id)}"`;
  if (outcome === 'passed') return `${head}/>`;
  if (outcome === 'error')
    return `${head}>\n      <error message="${attribute(message)}" type="fault"/>\n    </testcase>`;
  if (fails(check, options)) return failedCase(suite, id, message, details(check, report, evidence));
  const why = known ? `known until ${known.expires}: ${known.reason}; ${message}` : `${outcome}: ${message}`;
  return `${head}>\n      <skipped message="${attribute(why)}"/>\n    </testcase>`;
}

function failedCase(suite: string, name: string, message: string, text: string): string {
  return [
    `    <testcase classname="taskdouble.${attribute(suite)}" name="${attribute(name)}">`,
    `      <failure message="${attribute(message)}" type="violation">${escapeHtml(text)}</failure>`,
    '    </testcase>',
  ].join('\n');
}

/** A case that passes and has something to tell. */
function toldCase(suite: string, name: string, text: string): string {
  return [
    `    <testcase classname="taskdouble.${attribute(suite)}" name="${attribute(name)}">`,
    `      <system-out>${escapeHtml(text)}</system-out>`,
    '    </testcase>',
  ].join('\n');
}

function details(check: CheckResult, report: ConformReport, evidence: Evidence): string {
  const requirement = requirementOf(check);
  const lines = [check.title, check.message];
  if (requirement) lines.push(inWords(requirement));
  for (const exchange of evidence.of(check, MOST_EXCHANGES)) {
    lines.push('', ...exchangeLines(exchange, LONGEST_BODY), ...repeatOf(exchange, report));
  }
  lines.push(...againOf(check));
  return lines.join('\n');
}

function attribute(text: string): string {
  return escapeHtml(oneLine(text));
}

import { oneLine } from '../../../spec/visible.js';
import { groupBy } from '../../common/group-by.js';
import { escapeHtml } from '../../common/text.js';
import { colophon, nameOf } from '../verdict.js';
import type { ReportView, TestPoint } from '../view.js';

const BOUNDS = { exchanges: 5, body: 2048 };

interface TestCase {
  suite: string;
  name: string;
  /** The sum that it counts in. */
  kind: 'passed' | 'failures' | 'errors' | 'skipped';
  /** What stands in its element. */
  content: string;
}

/** JUnit XML as CI servers read it: a suite for each of ours, failures with their exchanges. */
export function junitReport(view: ReportView): string {
  const { report, searched } = view;
  const cases = view.points.map((point) => caseOf(point, view));
  for (const { id, message } of report.advice ?? []) cases.push(remark('advice', id, message));
  if (searched.length > 0) cases.push(remark('search', 'what was searched', searched.join('\n')));
  const title = report.target.client === undefined ? 'taskdouble' : `${nameOf(report)}: ${colophon(report)}`;
  const seconds = (report.duration_ms / 1000).toFixed(3);
  const started = attribute(report.started.replace(/(\.\d+)?Z$/, ''));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(title)}" ${sums(cases)} time="${seconds}">`,
    ...causeProperties(view),
    ...[...groupBy(cases, ({ suite }) => suite)].flatMap(([suite, own]) => [
      `  <testsuite name="${attribute(suite)}" ${sums(own)} timestamp="${started}">`,
      ...own.map(element),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

/** Each cause, what explains most first. */
function causeProperties({ causes }: ReportView): string[] {
  if (causes.length === 0) return [];
  const lines = causes.map(({ head }, at) => {
    return `    <property name="cause ${at + 1}" value="${attribute(head)}"/>`;
  });
  return ['  <properties>', ...lines, '  </properties>'];
}

function caseOf(point: TestPoint, view: ReportView): TestCase {
  const { suite, name, title, outcome, message, check } = point;
  if (outcome === 'passed') return { suite, name, kind: 'passed', content: '' };
  if (outcome === 'error')
    return { suite, name, kind: 'errors', content: `<error message="${attribute(message)}" type="fault"/>` };
  if (outcome === 'flaky' && !point.fails) {
    const trace = escapeHtml([title, check && view.evidenceText(check, BOUNDS)].join('\n'));
    const content = `<flakyFailure message="${attribute(message)}" type="violation"><stackTrace>${trace}</stackTrace></flakyFailure>`;
    return { suite, name, kind: 'passed', content };
  }
  if (!point.fails) {
    const why = outcome === 'known' ? message : `${outcome}: ${message}`;
    return { suite, name, kind: 'skipped', content: `<skipped message="${attribute(why)}"/>` };
  }
  const cause = check && view.causeOf(check);
  const follows =
    cause && cause.example.id !== check.id
      ? `Belongs to the cause: ${cause.cause.title} (${cause.cause.id}). See ${cause.example.id}.`
      : undefined;
  const parts = [title, message, follows, check && view.evidenceText(check, BOUNDS)];
  const text = parts.filter((part) => part !== undefined).join('\n');
  const content = [
    ...(cause
      ? [
          `<properties><property name="cause" value="${attribute(`${cause.cause.title} (${cause.cause.id})`)}"/></properties>`,
        ]
      : []),
    `<failure message="${attribute(message)}" type="violation">${escapeHtml(text)}</failure>`,
  ].join('\n      ');
  return { suite, name, kind: 'failures', content };
}

/** A case that passes and has something to tell. */
function remark(suite: string, name: string, text: string): TestCase {
  return { suite, name, kind: 'passed', content: `<system-out>${escapeHtml(text)}</system-out>` };
}

function element({ suite, name, content }: TestCase): string {
  const head = `    <testcase classname="taskdouble.${attribute(suite)}" name="${attribute(name)}"`;
  return content === '' ? `${head}/>` : `${head}>\n      ${content}\n    </testcase>`;
}

function sums(cases: readonly TestCase[]): string {
  const of = (wanted: TestCase['kind']) => cases.filter(({ kind }) => kind === wanted).length;
  return `tests="${cases.length}" failures="${of('failures')}" errors="${of('errors')}" skipped="${of('skipped')}"`;
}

function attribute(text: string): string {
  return escapeHtml(oneLine(text));
}

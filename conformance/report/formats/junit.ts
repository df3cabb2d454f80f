import { groupBy } from '../../../spec/lists.js';
import { toOneLine } from '../../../spec/visible.js';
import { escapeHtml } from '../../common/text.js';
import { describeSearch } from '../parts.js';
import { formatColophon, formatTargetName } from '../verdict.js';
import type { ReportView, TestPoint } from '../view.js';

const BOUNDS = { exchanges: 5, body: 2048 };

interface JunitCase {
  suite: string;
  name: string;
  /** The sum that includes it. */
  kind: 'passed' | 'failures' | 'errors' | 'skipped';
  /** The content of its element. */
  content: string;
}

/** JUnit XML for CI servers: one test suite per suite, failures with their exchanges. */
export function formatJunitReport(view: ReportView): string {
  const { report } = view;
  const searched = describeSearch(report);
  const cases = view.points.map((point) => toCase(point, view));
  for (const { id, message } of report.advice ?? []) cases.push(createRemark('advice', id, message));
  if (searched.length > 0) cases.push(createRemark('search', 'what was searched', searched.join('\n')));
  const title =
    report.target.client === undefined
      ? 'taskdouble'
      : `${formatTargetName(report)}: ${formatColophon(report)}`;
  const seconds = (report.duration_ms / 1000).toFixed(3);
  const started = escapeAttribute(report.started.replace(/(\.\d+)?Z$/, ''));
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeAttribute(title)}" ${formatSums(cases)} time="${seconds}">`,
    ...formatCauses(view),
    ...[...groupBy(cases, ({ suite }) => suite)].flatMap(([suite, own]) => [
      `  <testsuite name="${escapeAttribute(suite)}" ${formatSums(own)} timestamp="${started}">`,
      ...own.map(formatCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function formatCauses({ causes }: ReportView): string[] {
  if (causes.length === 0) return [];
  const lines = causes.map(({ head }, at) => {
    return `    <property name="cause ${at + 1}" value="${escapeAttribute(head)}"/>`;
  });
  return ['  <properties>', ...lines, '  </properties>'];
}

function toCase(point: TestPoint, view: ReportView): JunitCase {
  const { suite, name, title, outcome, message, check } = point;
  if (outcome === 'passed') return { suite, name, kind: 'passed', content: '' };
  if (outcome === 'error')
    return {
      suite,
      name,
      kind: 'errors',
      content: `<error message="${escapeAttribute(message)}" type="fault"/>`,
    };
  if (outcome === 'flaky' && !point.fails) {
    const trace = escapeHtml([title, check && view.formatEvidence(check, BOUNDS)].join('\n'));
    const content = `<flakyFailure message="${escapeAttribute(message)}" type="violation"><stackTrace>${trace}</stackTrace></flakyFailure>`;
    return { suite, name, kind: 'passed', content };
  }
  if (!point.fails) {
    const why = outcome === 'known' ? message : `${outcome}: ${message}`;
    return { suite, name, kind: 'skipped', content: `<skipped message="${escapeAttribute(why)}"/>` };
  }
  const cause = check && view.findCause(check);
  const follows =
    cause && cause.example.id !== check.id
      ? `Belongs to the cause: ${cause.cause.title} (${cause.cause.id}). See ${cause.example.id}.`
      : undefined;
  const parts = [title, message, follows, check && view.formatEvidence(check, BOUNDS)];
  const text = parts.filter((part) => part !== undefined).join('\n');
  const content = [
    ...(cause
      ? [
          `<properties><property name="cause" value="${escapeAttribute(`${cause.cause.title} (${cause.cause.id})`)}"/></properties>`,
        ]
      : []),
    `<failure message="${escapeAttribute(message)}" type="violation">${escapeHtml(text)}</failure>`,
  ].join('\n      ');
  return { suite, name, kind: 'failures', content };
}

/** A passing case that carries information. */
function createRemark(suite: string, name: string, text: string): JunitCase {
  return { suite, name, kind: 'passed', content: `<system-out>${escapeHtml(text)}</system-out>` };
}

function formatCase({ suite, name, content }: JunitCase): string {
  const head = `    <testcase classname="taskdouble.${escapeAttribute(suite)}" name="${escapeAttribute(name)}"`;
  return content === '' ? `${head}/>` : `${head}>\n      ${content}\n    </testcase>`;
}

function formatSums(cases: readonly JunitCase[]): string {
  const countKind = (wanted: JunitCase['kind']) => cases.filter(({ kind }) => kind === wanted).length;
  return `tests="${cases.length}" failures="${countKind('failures')}" errors="${countKind('errors')}" skipped="${countKind('skipped')}"`;
}

function escapeAttribute(text: string): string {
  return escapeHtml(toOneLine(text));
}

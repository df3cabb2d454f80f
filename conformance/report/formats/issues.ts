import { createHash } from 'node:crypto';
import type { Severity } from '../../../spec/requirement-types.js';
import { toOneLine, toVisible } from '../../../spec/visible.js';
import type { Advice, CheckResult } from '../../causes/check-result.js';
import { shorten } from '../../common/text.js';
import { describeSearch } from '../parts.js';
import { formatColophon, formatTargetName } from '../verdict.js';
import type { ReportView } from '../view.js';
import { formatRunAgain } from './run-again.js';

/** A reason for the verdict, or advice, as tools for code quality list it. */
export interface ReportIssue {
  /** The rule or requirement. */
  rule: string;
  title: string;
  /** The example, its evidence, the command that shows it again, and what was judged. */
  details: string;
  level: Severity | 'advice';
  /** Where to look: the scenario file, or the page of the requirements. */
  path: string;
  /** The same in every run. */
  fingerprint: string;
}

const BOUNDS = { exchanges: 2, body: 400 };
/** Most issues that are no cause; most characters of a title and of the details. */
const MOST_OTHERS = 100;
const LONGEST_TITLE = 500;
const LONGEST_DETAILS = 3000;
/** Files of the package, which is not part of the repository of the user. */
const REQUIREMENTS_PAGE = 'taskdouble/docs/requirements.md';

/** One issue for each cause, then other failures, errors of taskdouble, problems with the baseline, an early end, and advice. */
export function listIssues(view: ReportView): ReportIssue[] {
  const { report, causes, points } = view;
  const caused = causes.map(({ cause, example, head }) =>
    createIssue(view, {
      ...{ rule: cause.rule, title: head, level: cause.severity, key: `cause ${cause.id}` },
      check: example,
    }),
  );
  const others = points
    .filter(({ fails, check }) => fails && check?.outcome !== 'failed')
    .map(({ suite, name, message, check }) =>
      createIssue(view, {
        ...{ rule: check?.rule ?? check?.covers[0] ?? suite, title: `${name}: ${message}` },
        ...{ level: 'state', key: `${suite} ${check ? name : ''}`, check },
      }),
    );
  const advised = (report.advice ?? []).map((advice) =>
    createIssue(view, {
      ...{ rule: advice.rule, title: `Advice: ${advice.message}`, level: 'advice' },
      ...{ key: `advice ${advice.id}`, advice },
    }),
  );
  return numberDoubles([...caused, ...others.slice(0, MOST_OTHERS), ...advised.slice(0, MOST_OTHERS)]);
}

interface IssueParts extends Pick<ReportIssue, 'rule' | 'title' | 'level'> {
  /** Identifies the issue in the reports of its target. */
  key: string;
  check?: CheckResult | undefined;
  advice?: Advice;
}

function createIssue(view: ReportView, { rule, title, level, key, check, advice }: IssueParts): ReportIssue {
  const { report } = view;
  const again = check && formatRunAgain(check, report);
  const target = report.target.client ?? 'service';
  const evidence = check && view.formatEvidence({ ...check, again: again ?? '' }, BOUNDS);
  const details = [
    check ? `${check.id}: ${check.message}` : advice?.id,
    evidence?.trim(),
    `${toOneLine(formatTargetName(report))}: ${formatColophon(report)}`,
    ...describeSearch(report),
  ];
  return {
    rule: toOneLine(rule),
    title: shorten(toOneLine(title), LONGEST_TITLE),
    details: shorten(toVisible(details.filter(Boolean).join('\n')), LONGEST_DETAILS),
    level,
    path: findPath(view, check?.case ?? advice?.scenario, check),
    fingerprint: createHash('sha256').update(`${target}\n${key}`).digest('hex').slice(0, 32),
  };
}

function findPath(
  { report }: ReportView,
  scenario: string | undefined,
  check: CheckResult | undefined,
): string {
  const found = report.failures?.find(({ id }) => id === check?.id);
  const file = check?.file ?? found?.file;
  if (file !== undefined) return toOneLine(file);
  const isPlayed = report.target.client !== undefined && scenario?.includes('/');
  return isPlayed ? `taskdouble/scenarios/${toOneLine(scenario!)}.yaml` : REQUIREMENTS_PAGE;
}

/** Tools take issues with one fingerprint for the same: problems with a baseline, say, have no name of their own. */
function numberDoubles(issues: readonly ReportIssue[]): ReportIssue[] {
  const seen = new Map<string, number>();
  return issues.map((issue) => {
    const { fingerprint } = issue;
    const number = (seen.get(fingerprint) ?? 0) + 1;
    seen.set(fingerprint, number);
    return number === 1 ? issue : { ...issue, fingerprint: `${fingerprint}-${number}` };
  });
}

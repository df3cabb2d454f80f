import { uniqueBy } from '../../../spec/lists.js';
import { readCommandName } from '../../common/command-name.js';
import { toJson } from '../../common/text.js';
import { explainFinding } from '../../explain/explain-finding.js';
import { formatExplanation } from '../../explain/format-explanation.js';
import { describeSearch } from '../parts.js';
import { formatColophon, formatSummary, formatTargetName, VERDICTS } from '../verdict.js';
import type { ReportView } from '../view.js';
import { listIssues, type ReportIssue } from './issues.js';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** SARIF 2.1.0, for example for code scanning of GitHub: one result for each cause, with the explanation of its rule. */
export function formatSarifReport(view: ReportView): string {
  const { report, verdict } = view;
  const issues = listIssues(view);
  const rules = uniqueBy(issues, ({ rule }) => rule).map(({ rule }) => rule);
  const started = formatTime(Date.parse(report.started));
  const ended = formatTime(Date.parse(report.started) + report.duration_ms);
  return toJson({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'taskdouble', version: report.taskdouble, rules: rules.map(describeRule) },
        },
        invocations: [
          {
            executionSuccessful: verdict !== 'untested' && verdict !== 'crashed',
            ...(started !== undefined && ended !== undefined && { startTimeUtc: started, endTimeUtc: ended }),
          },
        ],
        results: issues.map((issue) => describeResult(issue, rules)),
        properties: {
          target: formatTargetName(report),
          verdict: VERDICTS[verdict].words,
          summary: formatSummary(report),
          run: formatColophon(report),
          searched: describeSearch(report),
        },
      },
    ],
  });
}

/** Undefined for a time that no date has. */
function formatTime(ms: number): string | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function describeRule(id: string): object {
  const explanation = explainFinding(id);
  if (!explanation) return { id };
  return {
    id,
    shortDescription: { text: explanation.title },
    help: { text: formatExplanation(explanation, readCommandName()) },
  };
}

function describeResult(
  { rule, title, details, level, path, fingerprint }: ReportIssue,
  rules: readonly string[],
): object {
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: level === 'advice' ? 'note' : 'error',
    message: { text: `${title}\n${details}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: encodeURI(path) }, region: { startLine: 1 } } },
    ],
    partialFingerprints: { 'taskdouble/v1': fingerprint },
  };
}

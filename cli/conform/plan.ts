import { formatCount, toJson } from '../../conformance/common/text.js';
import { listCaseChecks, type PlannedCase, planRun, type Selection } from '../../conformance/conform.js';
import { countSequences, TASKS_OF_SEQUENCE } from '../../conformance/service/search/sequence/sequence.js';
import { operations } from '../../spec/generated/operations.js';
import { UsageError } from '../exit-codes.js';
import { parseReportTargets, writeOutput } from '../judging/outputs.js';
import { createStyles, print, printText } from '../print.js';

/** Prints the plan as text, or as JSON (`--report json`), to stdout or a file. Throws UsageError. */
export async function printPlan(options: Selection, reports: readonly string[]): Promise<void> {
  const targets = parseReportTargets(reports);
  const other = targets.find(({ format }) => format !== 'pretty' && format !== 'json');
  if (other) throw new UsageError(`--report ${other.format}: a plan can be pretty or json.`);
  const plan = summarizePlan(options);
  for (const { format, path } of targets) {
    const text = format === 'json' ? toJson(plan) : formatPlan(plan, path === undefined);
    if (path === undefined) await (format === 'json' ? print(text) : printText(text));
    else writeOutput(`--report ${format}`, path, text);
  }
}

type PlanSummary = ReturnType<typeof summarizePlan>;

/** The plan as JSON for scripts: what a run would send, and what it would skip because a permission or a key is missing. */
function summarizePlan(options: Selection) {
  const { cases, tasks } = planRun(options);
  const sequences = countSequences(options.search ?? 0, options.shard);
  const findSkipReason = ({ needs, lacking }: PlannedCase) =>
    lacking === undefined ? needs : `without ${lacking}`;
  const sent = cases.filter((each) => findSkipReason(each) === undefined);
  const left = cases.filter((each) => findSkipReason(each) !== undefined);
  return {
    tasks,
    ...(sequences > 0 && { sequences: { sequences, tasks: sequences * TASKS_OF_SEQUENCE } }),
    cases: sent.map((testCase) => ({
      id: testCase.id,
      title: testCase.title,
      requests: testCase.operations.map(formatRequest),
      operations: testCase.operations,
      tasks: testCase.tasks ?? 0,
      checks: listCaseChecks([testCase]).map((check) => check.id),
    })),
    not_sent: left.map((each) => ({ id: each.id, title: each.title, needs: findSkipReason(each)! })),
  };
}

function formatPlan({ cases, not_sent, tasks, sequences }: PlanSummary, screen: boolean): string {
  const { bold, dim } = createStyles(screen ? process.stdout : {});
  const lines = cases.flatMap(({ id, title, requests, tasks: most, checks }) => [
    `${bold(id)}  ${title}`,
    `  ${formatCount(most, 'task')}; ${requests.join(', ')}${dim(formatRequirements(checks))}`,
  ]);
  if (not_sent.length > 0) {
    lines.push('', bold('Not without more:'));
    const width = Math.max(...not_sent.map(({ needs }) => needs.length));
    lines.push(...not_sent.map(({ needs, id, title }) => `  ${needs.padEnd(width)}  ${id}  ${dim(title)}`));
  }
  if (sequences) {
    const { sequences: most, tasks: created } = sequences;
    lines.push(
      '',
      `${bold(formatCount(most, 'generated sequence'))} of requests; at most ${formatCount(created, 'task')}`,
    );
  }
  const checks = cases.flatMap((each) => each.checks);
  lines.push(
    '',
    `${formatCount(cases.length, 'test case')}, ${formatCount(checks.length, 'check')}; at most ${formatCount(tasks, 'task')} created, each removed at the end.`,
    'Nothing was sent.',
  );
  return lines.map((line) => `${line}\n`).join('');
}

function formatRequest(id: keyof typeof operations): string {
  const { method, path } = operations[id];
  return `${method} ${path}`;
}

function formatRequirements(checks: readonly string[]): string {
  return checks.length === 0 ? '' : `; ${checks.map((id) => id.split('#')[1]).join(' ')}`;
}

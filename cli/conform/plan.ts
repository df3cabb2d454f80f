import { count, toJson } from '../../conformance/common/text.js';
import { checksOf, type PlannedCase, planOf, type Selection } from '../../conformance/conform.js';
import { TASKS_OF_SEQUENCE } from '../../conformance/service/search/sequence/sequence.js';
import { operations } from '../../spec/generated/operations.js';
import { UsageError } from '../exit-codes.js';
import { reportTargets, writeOutput } from '../judging/outputs.js';
import { print, styles } from '../print.js';

/** Prints the plan as text, or as JSON (`--report json`), to stdout or a file. Throws UsageError. */
export async function printPlan(options: Selection, reports: readonly string[]): Promise<void> {
  const targets = reportTargets(reports);
  const other = targets.find(({ format }) => format !== 'pretty' && format !== 'json');
  if (other) throw new UsageError(`--report ${other.format}: a plan can be pretty or json.`);
  const plan = planFor(options);
  for (const { format, path } of targets) {
    const text = format === 'json' ? toJson(plan) : planText(plan, path === undefined);
    if (path === undefined) await print(text);
    else writeOutput(`--report ${format}`, path, text);
  }
}

type ShownPlan = ReturnType<typeof planFor>;

/** What a run would do, and what it would leave out for want of a permission or a key: in this form for scripts. */
function planFor(options: Selection) {
  const { cases, tasks } = planOf(options);
  const { search: sequences = 0 } = options;
  const leftFor = ({ needs, lacking }: PlannedCase) => (lacking === undefined ? needs : `without ${lacking}`);
  const sent = cases.filter((each) => leftFor(each) === undefined);
  const left = cases.filter((each) => leftFor(each) !== undefined);
  return {
    tasks,
    ...(sequences > 0 && { sequences: { sequences, tasks: sequences * TASKS_OF_SEQUENCE } }),
    cases: sent.map((testCase) => ({
      id: testCase.id,
      title: testCase.title,
      requests: testCase.operations.map(requestOf),
      operations: testCase.operations,
      tasks: testCase.tasks ?? 0,
      checks: checksOf([testCase]).map((check) => check.id),
    })),
    not_sent: left.map((each) => ({ id: each.id, title: each.title, needs: leftFor(each)! })),
  };
}

/** The plan for people. */
function planText({ cases, not_sent, tasks, sequences }: ShownPlan, screen: boolean): string {
  const { bold, dim } = styles(screen ? process.stdout : {});
  const lines = cases.flatMap(({ id, title, requests, tasks: most, checks }) => [
    `${bold(id)}  ${title}`,
    `  ${count(most, 'task')}; ${requests.join(', ')}${dim(requirementsOf(checks))}`,
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
      `${bold(count(most, 'generated sequence'))} of requests; at most ${count(created, 'task')}`,
    );
  }
  const checks = cases.flatMap((each) => each.checks);
  lines.push(
    '',
    `${count(cases.length, 'test case')}, ${count(checks.length, 'check')}; at most ${count(tasks, 'task')} created, each removed at the end.`,
    'Nothing was sent.',
  );
  return lines.map((line) => `${line}\n`).join('');
}

function requestOf(id: keyof typeof operations): string {
  const { method, path } = operations[id];
  return `${method} ${path}`;
}

function requirementsOf(checks: readonly string[]): string {
  return checks.length === 0 ? '' : `; ${checks.map((id) => id.split('#')[1]).join(' ')}`;
}

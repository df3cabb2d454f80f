import { checksOf, type Plan, type PlannedCase, planOf, type Selection } from '../../conformance/conform.js';
import { count } from '../../conformance/report/text.js';
import type { TestCase } from '../../conformance/service/test-case/test-case.js';
import { operations } from '../../spec/generated/operations.js';
import { UsageError } from '../exit-codes.js';
import { reportTargets, writeOutput } from '../judging/outputs.js';
import { print, styles } from '../print.js';

/** Prints the plan as text, or as JSON (`--report json`), to stdout or a file. Throws UsageError. */
export async function printPlan(options: Selection, reports: readonly string[]): Promise<void> {
  const targets = reportTargets(reports);
  const other = targets.find(({ format }) => format !== 'pretty' && format !== 'json');
  if (other) throw new UsageError(`--report ${other.format}: a plan can be pretty or json.`);
  const plan = planOf(options);
  for (const { format, path } of targets) {
    const text = format === 'json' ? planJson(plan) : planText(plan, path === undefined);
    if (path === undefined) await print(text);
    else writeOutput(`--report ${format}`, path, text);
  }
}

function partsOf(cases: readonly PlannedCase[]) {
  return {
    sent: cases.filter(({ needs }) => needs === undefined),
    left: cases.flatMap(({ needs, ...others }) => (needs === undefined ? [] : [{ ...others, needs }])),
  };
}

function planText({ cases, tasks }: Plan, screen: boolean): string {
  const { sent, left } = partsOf(cases);
  const { bold, dim } = styles(screen ? process.stdout : {});
  const lines = sent.flatMap((testCase) => [
    `${bold(testCase.id)}  ${testCase.title}`,
    `  ${count(testCase.tasks ?? 0, 'task')}; ${testCase.operations.map(requestOf).join(', ')}${dim(requirementsOf(testCase))}`,
  ]);
  if (left.length > 0) {
    lines.push('', bold('Not without more:'));
    const width = Math.max(...left.map(({ needs }) => needs.length));
    lines.push(...left.map(({ needs, id, title }) => `  ${needs.padEnd(width)}  ${id}  ${dim(title)}`));
  }
  lines.push(
    '',
    `${count(sent.length, 'test case')}, ${count(checksOf(sent).length, 'check')}; at most ${count(tasks, 'task')} created, each removed at the end.`,
    'Nothing was sent.',
  );
  return lines.map((line) => `${line}\n`).join('');
}

function planJson({ cases, tasks }: Plan): string {
  const { sent, left } = partsOf(cases);
  const shown = {
    tasks,
    cases: sent.map((testCase) => ({
      id: testCase.id,
      title: testCase.title,
      requests: testCase.operations.map(requestOf),
      operations: testCase.operations,
      tasks: testCase.tasks ?? 0,
      checks: checksOf([testCase]).map((check) => check.id),
    })),
    not_sent: left.map(({ id, title, needs }) => ({ id, title, needs })),
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function requestOf(id: keyof typeof operations): string {
  const { method, path } = operations[id];
  return `${method} ${path}`;
}

function requirementsOf({ covers }: TestCase): string {
  return covers.length === 0 ? '' : `; ${covers.join(' ')}`;
}

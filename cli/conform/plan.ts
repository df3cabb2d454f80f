import { type ConformOptions, checksOf, planOf } from '../../conformance/conform.js';
import { count } from '../../conformance/report/text.js';
import type { TestCase } from '../../conformance/service/test-case/test-case.js';
import { operations } from '../../spec/generated/operations.js';
import { UsageError } from '../exit-codes.js';
import { reportTargets, writeOutput } from '../judging/outputs.js';
import { print, styles } from '../print.js';

type Selection = Pick<ConformOptions, 'suites' | 'only' | 'lacks' | 'allow' | 'keys'>;

/** What a run would do, and what it would leave out for want of a permission or a key. */
interface Outlook {
  sent: TestCase[];
  /** `needs`: the options that it waits for. */
  left: (TestCase & { needs: string })[];
  /** Tasks and sessions created at most. */
  tasks: number;
}

function outlookOf(options: Selection): Outlook {
  const { cases, tasks } = planOf(options);
  const all = cases.map((testCase) => ({ ...testCase, needs: missing(testCase, options) }));
  return {
    sent: all.filter(({ needs }) => needs === ''),
    left: all.filter(({ needs }) => needs !== ''),
    tasks,
  };
}

function missing(
  { allow, keys: wanted = [] }: TestCase,
  { allow: allowed = [], keys = {} }: Selection,
): string {
  if (allow !== undefined && !allowed.includes(allow)) return `--allow ${allow}`;
  const absent = wanted.filter((name) => keys[name] === undefined);
  return absent.map((name) => `--key ${name}=KEY`).join(' ');
}

/** Prints the plan as text, or as JSON (`--report json`), to stdout or a file. Throws UsageError. */
export async function printPlan(options: Selection, reports: readonly string[]): Promise<void> {
  const targets = reportTargets(reports);
  const other = targets.find(({ format }) => format !== 'pretty' && format !== 'json');
  if (other) throw new UsageError(`--report ${other.format}: a plan can be pretty or json.`);
  const outlook = outlookOf(options);
  for (const { format, path } of targets) {
    const text = format === 'json' ? planJson(outlook) : planText(outlook, path === undefined);
    if (path === undefined) await print(text);
    else writeOutput(`--report ${format}`, path, text);
  }
}

/** The plan for people. */
function planText({ sent, left, tasks }: Outlook, screen: boolean): string {
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

/** The same for scripts. */
function planJson({ sent, left, tasks }: Outlook): string {
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

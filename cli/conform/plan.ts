import { type ConformOptions, type Plan, planOf } from '../../conformance/conform.js';
import { allCases } from '../../conformance/service/all-cases.js';
import type { Allowance } from '../../conformance/service/test-case/test-case.js';
import { operations } from '../../spec/generated/operations.js';
import { reportTargets, writeOutput } from '../judging/outputs.js';
import { print, styles } from '../print.js';
import { UsageError } from '../usage.js';

type Planned = Plan['cases'][number];

/** What a run would do, and what it would leave out for want of a permission or a key. */
export interface Outlook {
  sent: Planned[];
  left: (Planned & { why: string })[];
  /** Tasks and sessions created at most. */
  tasks: number;
}

/** What a run with these options would do. Sends nothing. */
export function outlookOf(
  options: Pick<ConformOptions, 'suites' | 'only' | 'lacks' | 'allow' | 'keys'>,
): Outlook {
  const plan = planOf(options);
  const sorted = plan.cases.map((testCase) => ({
    ...testCase,
    why: missing(testCase, options.allow ?? [], options.keys),
  }));
  const left = sorted.filter((testCase) => testCase.why !== '');
  const sent = sorted.filter((testCase) => testCase.why === '').map(({ why: _, ...testCase }) => testCase);
  return { sent, left, tasks: plan.tasks };
}

/** The options that it waits for. */
function missing(
  { id, allow }: Planned,
  allowed: readonly Allowance[],
  keys: ConformOptions['keys'] = {},
): string {
  if (allow !== undefined && !allowed.includes(allow)) return `--allow ${allow}`;
  const wanted = allCases.find((testCase) => testCase.id === id)?.keys ?? [];
  const absent = wanted.filter((name) => keys[name] === undefined);
  return absent.map((name) => `--key ${name}=KEY`).join(' ');
}

/** Prints the plan as text, or as JSON (`--report json`), to stdout or a file. Throws UsageError. */
export async function printPlan(
  options: Parameters<typeof outlookOf>[0],
  reports: readonly string[],
): Promise<void> {
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
  const checks = sent.reduce((sum, testCase) => sum + testCase.checks.length, 0);
  const lines = sent.flatMap((testCase) => [
    `${bold(testCase.id)}  ${testCase.title}`,
    `  ${count(testCase.tasks, 'task')}; ${requestsOf(testCase)}; ${dim(requirementsOf(testCase))}`,
  ]);
  if (left.length > 0) {
    lines.push('', bold('Not without more:'));
    const width = Math.max(...left.map(({ why }) => why.length));
    lines.push(...left.map(({ why, id, title }) => `  ${why.padEnd(width)}  ${id}  ${dim(title)}`));
  }
  lines.push(
    '',
    `${count(sent.length, 'test case')}, ${count(checks, 'check')}; at most ${count(tasks, 'task')} created, each removed at the end.`,
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
      tasks: testCase.tasks,
      checks: testCase.checks.map((check) => check.id),
    })),
    not_sent: left.map(({ id, title, why }) => ({ id, title, needs: why })),
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function requestsOf({ operations: called }: Planned): string {
  return called.map(requestOf).join(', ');
}

function requestOf(id: keyof typeof operations): string {
  const { method, path } = operations[id];
  return `${method} ${path}`;
}

function requirementsOf({ checks }: Planned): string {
  return checks.map(({ requirement }) => requirement).join(' ');
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

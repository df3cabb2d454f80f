import { readFileSync } from 'node:fs';
import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Advice, CheckResult } from '../../conformance/causes/check-result.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { groupBy } from '../../spec/lists.js';
import { truncateText } from '../../spec/show.js';
import { toOneLine } from '../../spec/visible.js';
import type { KeptReports } from './reports.js';
import { ToolError, takeFirst } from './result.js';
import { runSelf } from './run-self.js';
import type { ShownResult } from './view-pages.js';

/** Annotations of tools that run a client or call a service. */
export const RUNS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
} as const;

export const VERDICT = z.object({
  exit_code: z.number(),
  verdict: z.string(),
  summary: z.record(z.string(), z.number()),
  stopped: z.string().describe('Why the run ended early; empty if it did not.'),
  causes: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      'Each with a rule, which explain explains, and a line run_again: check_client runs the scenario that it names.',
    ),
  more_causes: z.number(),
  advice: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('What fails nothing. In the scenario of a cause, it may be the reason of that cause.'),
  inconclusive: z
    .array(z.object({ reason: z.string(), checks: z.number(), example: z.string() }))
    .optional()
    .describe('Why checks were not decided, the most frequent reason first.'),
  report: z.string().describe('Resource with the whole report; the HTML page is the file html.'),
  html: z.string(),
});

const PROGRESS_EVERY_MS = 2000;
/** Most runs at the same time. */
const MOST_RUNS = 4;

/** Runs the judges as processes of their own, and keeps their reports. */
export class JudgeRuns {
  #running = 0;

  constructor(private readonly reports: KeptReports) {}

  /** `args` begin with the name of a command; `command` is that of a client, or empty. Rejects with ToolError. */
  async run(
    args: readonly string[],
    command: readonly string[],
    context: ServerContext,
  ): Promise<ShownResult> {
    if (this.#running >= MOST_RUNS)
      throw new ToolError(`${MOST_RUNS} runs are in progress: wait until one of them ends.`);
    this.#running++;
    const progress = reportProgress(context);
    try {
      return await this.#run(args, command, context);
    } finally {
      clearInterval(progress);
      this.#running--;
    }
  }

  async #run(
    args: readonly string[],
    command: readonly string[],
    context: ServerContext,
  ): Promise<ShownResult> {
    const { name, report } = this.reports.open();
    const { file } = report;
    const written = ['json', 'html'].map((format) => `${format}=${file(format)}`);
    const flags = ['brief', ...written, `markdown=${file('md')}`].flatMap((each) => ['--report', each]);
    const { code, stdout, stderr } = await runSelf([...args, ...flags, ...command], context.mcpReq.signal);
    if (!stdout.trimStart().startsWith('{')) throw new ToolError(stderr || `exit code ${code}`);
    const brief = JSON.parse(stdout) as BriefReport;
    const { verdict, summary, stopped = '', causes, more_causes: hidden = 0 } = brief;
    const isSearch = args[0] === 'explore' && args[1] !== '--replay';
    const whole = JSON.parse(readFileSync(file('json'), 'utf8')) as ConformReport;
    const { advice = [], failures = [], checks } = whole;
    const races = isSearch
      ? failures.map(({ file, cause, deviations }) => ({ file, cause, deviations }))
      : [];
    report.race = isSearch ? races[0]?.file : args[0] === 'explore' ? args[2] : undefined;
    const { shown, more } = takeFirst(causes, isSearch ? 700 : 1100);
    const advised = takeFirst(chooseAdvice(advice, shown), isSearch ? 0 : 350).shown;
    const undecided = takeFirst(countReasons(checks), isSearch ? 200 : 300).shown;
    const value = {
      exit_code: code ?? -1,
      verdict,
      summary,
      stopped,
      causes: shown,
      more_causes: more + hidden,
      ...(advised.length > 0 && { advice: advised }),
      ...(undecided.length > 0 && { inconclusive: undecided }),
      report: `taskdouble://reports/${name}`,
      html: file('html'),
      ...(isSearch && { races: takeFirst(races, 600).shown }),
    };
    return { value, page: `report-${name}` };
  }
}

/** Clients end calls that take longer than a minute, unless they hear of progress. */
function reportProgress({ mcpReq: { _meta, notify } }: ServerContext): NodeJS.Timeout | undefined {
  const token = _meta?.progressToken;
  if (token === undefined) return undefined;
  let seconds = 0;
  const report = () => {
    seconds += PROGRESS_EVERY_MS / 1000;
    const params = { progressToken: token, progress: seconds, message: `running for ${seconds} s` };
    // The client may be gone.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return setInterval(report, PROGRESS_EVERY_MS).unref();
}

interface BriefReport {
  verdict: string;
  summary: Record<string, number>;
  stopped?: string;
  causes: { example?: string; [field: string]: unknown }[];
  more_causes?: number;
}

const LONGEST_REASON = 120;

function countReasons(checks: readonly CheckResult[]) {
  const undecided = checks.filter(({ outcome }) => outcome === 'inconclusive');
  return [...groupBy(undecided, ({ message }) => truncateText(toOneLine(message), LONGEST_REASON))]
    .map(([reason, same]) => ({ reason, checks: same.length, example: same[0]!.id }))
    .sort((one, other) => other.checks - one.checks);
}

/** The first of each rule: first those in the scenario of a cause. */
function chooseAdvice(advice: readonly Advice[], causes: BriefReport['causes']) {
  const scenarios = new Set(causes.map(({ example }) => example?.replace(/#.*/, '')));
  const isOfCause = ({ scenario }: Advice) => scenario !== undefined && scenarios.has(scenario);
  const sorted = [...advice.filter(isOfCause), ...advice.filter((each) => !isOfCause(each))];
  return sorted
    .filter(({ rule }, index) => sorted.findIndex((each) => each.rule === rule) === index)
    .map(({ rule, id, message }) => ({ rule, example: id, message }));
}

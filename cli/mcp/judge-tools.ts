import { mkdtempSync, readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { splitCommandLine } from '../../conformance/common/shell.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import { reportErrors, ToolError, takeFirst } from './result.js';
import { runSelf } from './run-self.js';

/** What the user has allowed when the server was started. */
export interface Allowances {
  /** Commands of clients. */
  commands: readonly string[];
  /** Addresses of services. */
  services: readonly string[];
}

/** The Markdown files of the last reports, by their name. */
export type KeptReports = Map<string, string>;

const MOST_REPORTS = 20;
const SCENARIOS = z.array(z.string().max(200)).max(20).default([]);
const RUNS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

const VERDICT = z.object({
  exit_code: z.number(),
  verdict: z.string(),
  summary: z.record(z.string(), z.number()),
  causes: z.array(z.record(z.string(), z.unknown())),
  more_causes: z.number(),
  report: z.string().describe('Resource with the whole report; the HTML page is the file html.'),
  html: z.string(),
});

/** Tools that judge a client, a service or a recording. */
export function addJudgeTools(server: McpServer, allowed: Allowances, reports: KeptReports): void {
  const client = z
    .string()
    .max(500)
    .optional()
    .describe(`The command of the client, exactly as allowed: ${allowed.commands.join(' | ') || 'none is'}`);
  server.registerTool(
    'check_client',
    {
      description:
        'Run an allowed client against scenarios and judge what it sends. Without scenarios, every one is run. search: this many generated conversations, too.',
      inputSchema: z.object({
        client,
        scenarios: SCENARIOS,
        search: z.number().int().min(0).max(2000).default(0),
      }),
      outputSchema: VERDICT,
      annotations: RUNS,
    },
    ({ client: command, scenarios, search }, { mcpReq }) =>
      reportErrors(() => {
        return judge(
          ['client', ...selectScenarios(scenarios), ...(search > 0 ? ['--search', String(search)] : [])],
          chooseCommand(command, allowed),
          reports,
          mcpReq?.signal,
        );
      }),
  );
  server.registerTool(
    'explore_client',
    {
      description:
        'Search the orders of network events for one that breaks an allowed client. Each failure is minimized and written as a file below taskdouble-races/, which replay_race runs again.',
      inputSchema: z.object({
        client,
        scenarios: SCENARIOS,
        schedules: z.number().int().min(1).max(20_000).default(500),
        time_limit_s: z.number().positive().max(500).default(60),
      }),
      outputSchema: VERDICT.extend({ races: z.array(z.record(z.string(), z.unknown())) }),
      annotations: RUNS,
    },
    ({ client: command, scenarios, schedules, time_limit_s: seconds }, { mcpReq }) =>
      reportErrors(() => {
        const bounds = ['--schedules', String(schedules), '--time-limit', `${seconds}s`];
        return judge(
          ['explore', ...selectScenarios(scenarios), ...bounds],
          chooseCommand(command, allowed),
          reports,
          mcpReq?.signal,
        );
      }),
  );
  server.registerTool(
    'replay_race',
    {
      description: 'Run one race file again with an allowed client: it passes once the defect is mended.',
      inputSchema: z.object({ client, file: z.string().max(500) }),
      outputSchema: VERDICT,
      annotations: RUNS,
    },
    ({ client: command, file }, { mcpReq }) =>
      reportErrors(async () => {
        return judge(
          ['explore', '--replay', await checkPath(file)],
          chooseCommand(command, allowed),
          reports,
          mcpReq?.signal,
        );
      }),
  );
  server.registerTool(
    'check_service',
    {
      description:
        'Judge an allowed service against the rules of the API. Its key is read from the variable TASKDOUBLE_API_KEY of the server. search: this many generated sequences, too.',
      inputSchema: z.object({
        base_url: z.string().max(500).optional(),
        only: SCENARIOS.describe('Cases, as globs: polling/*'),
        search: z.number().int().min(0).max(1000).default(0),
      }),
      outputSchema: VERDICT,
      annotations: RUNS,
    },
    ({ base_url: url, only, search }, { mcpReq }) =>
      reportErrors(() => {
        const target = chooseAllowed('base_url', 'service', url, allowed.services);
        const flags = [
          ...only.flatMap((glob) => ['--only', glob]),
          ...(search > 0 ? ['--search', String(search)] : []),
        ];
        return judge(['conform', target, ...flags], [], reports, mcpReq?.signal);
      }),
  );
  server.registerTool(
    'check_recording',
    {
      description:
        'Judge a recording, a journal (.jsonl) or a HAR file below the working directory: client and service.',
      inputSchema: z.object({ file: z.string().max(500) }),
      outputSchema: VERDICT,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ file }, { mcpReq }) =>
      reportErrors(async () => judge(['check', await checkPath(file)], [], reports, mcpReq?.signal)),
  );
  server.registerTool(
    'scenario_from_recording',
    {
      description:
        'Write each conversation of a recording as a scenario file into a directory below the working directory.',
      inputSchema: z.object({ file: z.string().max(500), out: z.string().max(500) }),
      outputSchema: z.object({ files: z.array(z.string()), more: z.number() }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ file, out }, { mcpReq }) =>
      reportErrors(async () => {
        const args = ['scenarios', 'from', await checkPath(file), '--out', await checkPath(out)];
        const { code, stdout, stderr } = await runSelf(args, mcpReq?.signal);
        if (code !== 0) throw new ToolError(stderr);
        const { shown, more } = takeFirst(stdout.trim().split('\n'), 1600);
        return { files: shown, more };
      }),
  );
}

/** The given value if it is allowed; without one, the only one that is. Throws ToolError. */
function chooseAllowed(
  argument: string,
  what: string,
  given: string | undefined,
  allowed: readonly string[],
): string {
  const flag = `--allow-${what}`;
  if (allowed.length === 0)
    throw new ToolError(`No ${what} is allowed. The user has to start this server with ${flag}: ask for it.`);
  if (given === undefined && allowed.length === 1) return allowed[0]!;
  if (given !== undefined && allowed.includes(given)) return given;
  throw new ToolError(
    `${argument}: expected one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}`,
  );
}

/** The arguments for the command of an allowed client. Throws ToolError. */
function chooseCommand(given: string | undefined, { commands }: Allowances): string[] {
  const command = chooseAllowed('client', 'command', given, commands);
  const words = splitCommandLine(command);
  if (!words)
    throw new ToolError(`--allow-command ${JSON.stringify(command)}: a quotation mark is not closed.`);
  return ['--', ...words];
}

function selectScenarios(names: readonly string[]): string[] {
  return names.flatMap((name) => ['--scenario', name]);
}

/** A path below the working directory, also through symbolic links. Throws ToolError. */
async function checkPath(path: string): Promise<string> {
  const root = await realpath(process.cwd());
  const target = resolve(root, path);
  const real = await realpath(target).catch(() => target);
  const inside = relative(root, real);
  if (inside.startsWith('..') || resolve(inside) === inside)
    throw new ToolError(
      `${JSON.stringify(path)} is outside the working directory ${root}: give a path below it.`,
    );
  if (inside.startsWith('-')) throw new ToolError(`${JSON.stringify(path)}: a path may not begin with "-".`);
  return inside;
}

/** Runs a judge, keeps its report, and returns its verdict and first causes. */
async function judge(
  args: readonly string[],
  command: readonly string[],
  reports: KeptReports,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-mcp-'));
  const at = (name: string) => join(directory, name);
  const { code, stdout, stderr } = await runSelf(
    [
      ...args,
      ...['--report', 'brief', '--report', `json=${at('report.json')}`],
      ...['--report', `markdown=${at('report.md')}`, '--report', `html=${at('report.html')}`],
      ...command,
    ],
    signal,
  );
  if (!stdout.trimStart().startsWith('{')) throw new ToolError(stderr || `exit code ${code}`);
  const { verdict, summary, causes, more_causes: hidden = 0 } = JSON.parse(stdout) as BriefReport;
  const name = keepReport(reports, at('report.md'));
  const { shown, more } = takeFirst(causes, args[0] === 'explore' ? 700 : 1400);
  return {
    exit_code: code ?? -1,
    verdict,
    summary,
    causes: shown,
    more_causes: more + hidden,
    report: `taskdouble://reports/${name}`,
    html: at('report.html'),
    ...(args[0] === 'explore' && args[1] !== '--replay' && { races: listRaces(at('report.json')) }),
  };
}

interface BriefReport {
  verdict: string;
  summary: Record<string, number>;
  causes: Record<string, unknown>[];
  more_causes?: number;
}

function listRaces(report: string): object[] {
  const { failures = [] } = JSON.parse(readFileSync(report, 'utf8')) as ConformReport;
  const races = failures.map(({ file, cause, deviations }) => ({ file, cause, deviations }));
  return takeFirst(races, 600).shown;
}

function keepReport(reports: KeptReports, file: string): string {
  const name = String((Number([...reports.keys()].at(-1)) || 0) + 1);
  reports.set(name, file);
  const [oldest] = reports.keys();
  if (reports.size > MOST_REPORTS) reports.delete(oldest!);
  return name;
}

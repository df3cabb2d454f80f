import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Allowances, checkPath, chooseCommand, selectScenarios, toScenarioError } from './allowances.js';
import { type JudgeRuns, RUNS, VERDICT } from './judge.js';
import { VIEW_META, type ViewPages } from './view-pages.js';

const SCENARIOS = z
  .array(z.string().max(200))
  .max(20)
  .default([])
  .describe('Names, also as globs: races/reply-*; or files below the working directory.');

/** Tools that run an allowed client and judge it. */
export function addClientTools(
  server: McpServer,
  allowed: Allowances,
  judge: JudgeRuns,
  pages: ViewPages,
): void {
  const client = z
    .string()
    .max(500)
    .optional()
    .describe(`The command of the client, exactly as allowed: ${allowed.commands.join(' | ') || 'none is'}`);
  const runScenarios = async (
    scenarios: readonly string[],
    args: readonly string[],
    given: string | undefined,
    context: ServerContext,
  ) => {
    const command = chooseCommand(given, allowed);
    try {
      return await judge.run(args, command, context);
    } catch (error) {
      throw await toScenarioError(error, scenarios);
    }
  };
  server.registerTool(
    'check_client',
    {
      title: 'Judge a client',
      description:
        'Run an allowed client against scenarios and judge what it sends. Without scenarios, every one is run, which takes a minute or more. search: this many generated conversations, too.',
      inputSchema: z.strictObject({
        client,
        scenarios: SCENARIOS,
        search: z.number().int().min(0).max(2000).default(0),
      }),
      outputSchema: VERDICT,
      annotations: RUNS,
      _meta: VIEW_META,
    },
    ({ client: given, scenarios, search }, context) =>
      pages.report(server, async () => {
        const args = [
          'client',
          ...(await selectScenarios(scenarios)),
          ...(search > 0 ? ['--search', String(search)] : []),
        ];
        return runScenarios(scenarios, args, given, context);
      }),
  );
  server.registerTool(
    'explore_client',
    {
      title: 'Search a client for races',
      description:
        'Search the orders of network events for one that breaks an allowed client. Each failure is minimized and written as a file below taskdouble-races/, which replay_race runs again.',
      inputSchema: z.strictObject({
        client,
        scenarios: SCENARIOS,
        schedules: z.number().int().min(1).max(20_000).default(500),
        time_limit_s: z.number().positive().max(500).default(60),
      }),
      outputSchema: VERDICT.extend({ races: z.array(z.record(z.string(), z.unknown())) }),
      annotations: RUNS,
      _meta: VIEW_META,
    },
    ({ client: given, scenarios, schedules, time_limit_s: seconds }, context) =>
      pages.report(server, async () => {
        const bounds = ['--schedules', String(schedules), '--time-limit', `${seconds}s`];
        const args = ['explore', ...(await selectScenarios(scenarios)), ...bounds];
        return runScenarios(scenarios, args, given, context);
      }),
  );
  server.registerTool(
    'replay_race',
    {
      title: 'Run a race again',
      description: 'Run one race file again with an allowed client: it passes once the defect is mended.',
      inputSchema: z.strictObject({ client, file: z.string().max(500) }),
      outputSchema: VERDICT,
      annotations: RUNS,
      _meta: VIEW_META,
    },
    ({ client: given, file }, context) =>
      pages.report(server, async () => {
        const args = ['explore', '--replay', await checkPath(file)];
        return judge.run(args, chooseCommand(given, allowed), context);
      }),
  );
}

import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AdminResponses } from '../../mock/admin/admin-routes.js';
import { RUNS } from './judge.js';
import { type MockAdmin, requireScenario } from './mock-admin.js';
import { reportErrors, ToolError, takeFirst } from './result.js';

const LOOK_EVERY_MS = 50;
const LONGEST_RUN_MS = 2 * 60 * 1000;

/** The tool that runs the client of `mock --client` at this mock, where studio shows it, too. */
export function addRunClientTool(server: McpServer, mock: MockAdmin, command: string): void {
  server.registerTool(
    'run_client',
    {
      title: 'Run the client at this mock',
      description: `Run ${command} once at this mock, as the user may from studio: with a scenario it gets the job that the scenario describes. Returns what it printed and which rules it broke; timeline shows the conversation.`,
      inputSchema: z.strictObject({ scenario: z.string().max(200).optional() }),
      outputSchema: z.object({
        exit_code: z.number().nullable(),
        problem: z.string(),
        printed: z.string().describe('The end of its output.'),
        findings: z.array(z.object({ rule: z.string(), level: z.string(), message: z.string() })),
        more_findings: z.number(),
      }),
      annotations: RUNS,
    },
    ({ scenario }, { mcpReq }) =>
      reportErrors(async () => {
        if (scenario !== undefined) await requireScenario(mock, scenario);
        const started = await mock.request(
          'POST',
          '/client/runs',
          scenario === undefined ? {} : { scenario },
        );
        const { id } = (await started.json()) as AdminResponses['POST /client/runs'];
        const run = await waitForEnd(mock, id, mcpReq?.signal);
        const output = await mock.request(
          'GET',
          `/client/runs/${id}?since=${Math.max(0, run.printed - 400)}`,
        );
        const { parts } = (await output.json()) as AdminResponses['GET /client/runs/{id}'];
        const { shown, more } = takeFirst(
          run.findings.map(({ rule, level, message }) => ({ rule, level, message: message.slice(0, 220) })),
          800,
        );
        return {
          exit_code: run.exit_code,
          problem: run.problem ?? '',
          printed: parts
            .map(({ text }) => text)
            .join('')
            .slice(-400),
          findings: shown,
          more_findings: more,
        };
      }),
  );
}

/** Ends the run if the agent cancels the call, or after two minutes. Rejects with ToolError. */
async function waitForEnd(mock: MockAdmin, id: number, signal: AbortSignal | undefined) {
  for (const end = performance.now() + LONGEST_RUN_MS; ; ) {
    const response = await mock.request('GET', '/client/runs');
    const { runs } = (await response.json()) as AdminResponses['GET /client/runs'];
    const run = runs.find((each) => each.id === id);
    if (!run) throw new ToolError('The run has been forgotten: others have been started since.');
    if (run.state !== 'running') return run;
    if (signal?.aborted || performance.now() > end) {
      await mock.request('DELETE', '/client/runs');
      throw new ToolError('The client did not end within 2 minutes, and was ended.');
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

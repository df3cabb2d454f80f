import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { SUITES } from '../../scenarios/format/library/folders.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { quote } from '../../spec/show.js';
import { type Allowances, checkPath, chooseService } from './allowances.js';
import { type JudgeRuns, RUNS, VERDICT } from './judge.js';
import { CHANGES, READS, reportErrors, ToolError, takeFirst } from './result.js';
import { runSelf } from './run-self.js';
import { VIEW_META, type ViewPages } from './view-pages.js';

/** Tools that judge a service or a recording, and make scenarios of a recording. */
export function addJudgeTools(
  server: McpServer,
  allowed: Allowances,
  judge: JudgeRuns,
  pages: ViewPages,
): void {
  server.registerTool(
    'check_service',
    {
      title: 'Judge a service',
      description:
        'Judge an allowed service against the rules of the API. Its key is read from the variable TASKDOUBLE_API_KEY of the server. search: this many generated sequences, too.',
      inputSchema: z.strictObject({
        base_url: z.string().max(500).optional(),
        only: z.array(z.string().max(200)).max(20).default([]).describe('Cases, as globs: polling/*'),
        search: z.number().int().min(0).max(1000).default(0),
      }),
      outputSchema: VERDICT,
      annotations: RUNS,
      _meta: VIEW_META,
    },
    ({ base_url: url, only, search }, context) =>
      pages.report(server, async () => {
        await checkCases(only);
        const flags = [
          ...only.flatMap((glob) => ['--only', glob]),
          ...(search > 0 ? ['--search', String(search)] : []),
        ];
        const service = chooseService(url, allowed);
        const { readSettings } = await import('../conform/settings.js');
        if (readSettings(service, {}, process.env, () => {}).apiKey === undefined)
          throw new ToolError(
            'There is no key. The user has to start this server with the key of the service in the variable TASKDOUBLE_API_KEY: ask for it.',
          );
        return judge.run(['conform', service, ...flags], [], context);
      }),
  );
  server.registerTool(
    'check_recording',
    {
      title: 'Judge a recording',
      description:
        'Judge a recording, a journal (.jsonl) or a HAR file below the working directory: client and service.',
      inputSchema: z.strictObject({ file: z.string().max(500) }),
      outputSchema: VERDICT,
      annotations: READS,
      _meta: VIEW_META,
    },
    ({ file }, context) =>
      pages.report(server, async () => judge.run(['check', await checkPath(file)], [], context)),
  );
  server.registerTool(
    'scenario_from_recording',
    {
      title: 'Make scenarios of a recording',
      description:
        'Write each conversation of a recording as a scenario file into a directory below the working directory.',
      inputSchema: z.strictObject({ file: z.string().max(500), out: z.string().max(500) }),
      outputSchema: z.object({ files: z.array(z.string()), more: z.number() }),
      annotations: CHANGES,
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

/** Throws ToolError for a glob that no case fits. */
async function checkCases(only: readonly string[]): Promise<void> {
  if (only.length === 0) return;
  const { planRun } = await import('../../conformance/conform.js');
  for (const glob of only) {
    if (planRun({ only: [glob] }).cases.length > 0) continue;
    const suites = SUITES.map((suite) => `${suite}/*`);
    throw new ToolError(
      `only: no case fits ${quote(glob)}${formatSuggestion(glob, suites, `the suites are ${suites.join(', ')}`)}`,
    );
  }
}

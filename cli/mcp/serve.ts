import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../../conformance/common/version.js';
import { closeOnSignal } from '../mock/listen.js';
import type { Allowances } from './allowances.js';
import { addClientTools } from './client-tools.js';
import { JudgeRuns } from './judge.js';
import { addJudgeTools } from './judge-tools.js';
import { addKnowledge } from './knowledge.js';
import { StartedMock } from './mock-admin.js';
import { addMockTools } from './mock-tools.js';
import { addClientPrompt, addServicePrompt } from './prompts.js';
import { KeptReports } from './reports.js';
import { ABOUT, ABOUT_JUDGING } from './result.js';
import { addResultResources } from './result-resources.js';
import { addStartTools } from './start-tools.js';
import { ViewPages } from './view-pages.js';

const INSTRUCTIONS = [
  ABOUT,
  ABOUT_JUDGING,
  'To look at single conversations: start_mock, next_scenario, set_faults, run the client, timeline.',
].join('\n');

/** Serves until stdin ends, or a signal arrives. */
export async function serveMcp(allowed: Allowances): Promise<void> {
  const mock = new StartedMock();
  const reports = new KeptReports();
  const judge = new JudgeRuns(reports);
  const pages = new ViewPages(reports, mock);
  const ended = new Promise<void>((resolve) => {
    process.stdin.on('end', resolve).on('close', resolve);
  });
  const handle = serveStdio(() => {
    const server = new McpServer({ name: 'taskdouble', version: VERSION }, { instructions: INSTRUCTIONS });
    addStartTools(server, mock);
    addMockTools(server, mock, pages);
    addClientTools(server, allowed, judge, pages);
    addJudgeTools(server, allowed, judge, pages);
    addKnowledge(server);
    addResultResources(server, reports, mock, pages);
    addClientPrompt(server);
    addServicePrompt(server);
    return server;
  });
  const close = async () => {
    await mock.stop();
    await handle.close();
    reports.remove();
  };
  closeOnSignal(close);
  await ended;
  await close();
}

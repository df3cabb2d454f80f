import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { VERSION } from '../../conformance/common/version.js';
import type { Mock } from '../../mock/mock.js';
import type { McpHandler } from '../../mock/options/mock-options.js';
import { addClientTools } from './client-tools.js';
import { JudgeRuns } from './judge.js';
import { addKnowledge } from './knowledge.js';
import { ServingMock } from './mock-admin.js';
import { addMockTools } from './mock-tools.js';
import { addClientPrompt } from './prompts.js';
import { KeptReports } from './reports.js';
import { ABOUT, ABOUT_JUDGING } from './result.js';
import { addResultResources } from './result-resources.js';
import { addRunClientTool } from './run-client-tool.js';
import { ViewPages } from './view-pages.js';

interface McpOnMockOptions {
  mock: Mock;
  adminToken: string | undefined;
  /** The command of `mock --client`: the only one that tools run. */
  client: string | undefined;
}

/** Most streams of changes at the same time. */
const MOST_SUBSCRIPTIONS = 10;

/** Tools for the mock that serves them. `close` ends the requests in progress. */
export interface McpOnMock {
  respond: McpHandler;
  close: () => Promise<void>;
}

export function createMcpOnMock({ mock, adminToken, client }: McpOnMockOptions): McpOnMock {
  const reports = new KeptReports();
  const judge = new JudgeRuns(reports);
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const key =
        new URL(requestInfo!.url).searchParams.get('key') ?? requestInfo!.headers.get('apikey') ?? undefined;
      const admin = new ServingMock(mock, adminToken, key);
      const pages = new ViewPages(reports, admin);
      const instructions = [
        ABOUT,
        `These tools show and change the mock at ${mock.baseUrl}: point the client at it with ${key === undefined ? 'any API key' : `the API key ${JSON.stringify(key)}`}, then read timeline.`,
        ...(client === undefined
          ? ['To run and judge a client from here, the user starts the mock with --client "COMMAND".']
          : [ABOUT_JUDGING]),
      ].join('\n');
      const server = new McpServer({ name: 'taskdouble', version: VERSION }, { instructions });
      addMockTools(server, admin, pages);
      if (client !== undefined) {
        addRunClientTool(server, admin, client);
        const allowed = { commands: [client], services: [], commandOption: '--client' };
        addClientTools(server, allowed, judge, pages);
        addClientPrompt(server);
      }
      addKnowledge(server);
      addResultResources(server, reports, admin, pages);
      return server;
    },
    { maxSubscriptions: MOST_SUBSCRIPTIONS },
  );
  const close = async () => {
    await handler.close();
    reports.remove();
  };
  return { respond: handler.fetch, close };
}

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from '../../conformance/common/version.js';
import { type Allowances, addJudgeTools, type KeptReports } from './judge-tools.js';
import { addKnowledge, addPrompts } from './knowledge.js';
import { MockConnection } from './mock-connection.js';
import { addMockTools } from './mock-tools.js';

const INSTRUCTIONS = [
  'taskdouble is a mock and a test harness of the Browser Automation Task Service API: a client creates a task, polls it (202 while it runs, 200 at its end), replies to tool calls and drives sessions by events.',
  'To judge a client: check_client, then explain each rule, mend, and check again; then explore_client for races.',
  'To look at single conversations: start_mock, next_scenario, set_faults, run the client, timeline.',
].join('\n');

/** Serves until stdin ends. */
export async function serveMcp(allowed: Allowances): Promise<void> {
  const mock = new MockConnection();
  const reports: KeptReports = new Map();
  const ended = new Promise<void>((resolve) => {
    process.stdin.on('end', resolve).on('close', resolve);
  });
  const handle = serveStdio(() => createMcpServer(allowed, mock, reports));
  await ended;
  await mock.stop();
  await handle.close();
}

function createMcpServer(allowed: Allowances, mock: MockConnection, reports: KeptReports): McpServer {
  const server = new McpServer({ name: 'taskdouble', version: VERSION }, { instructions: INSTRUCTIONS });
  addMockTools(server, mock);
  addJudgeTools(server, allowed, reports);
  addKnowledge(server, reports);
  addPrompts(server);
  return server;
}

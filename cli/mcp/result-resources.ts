import { readFileSync } from 'node:fs';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { quote } from '../../spec/show.js';
import type { MockAdmin } from './mock-admin.js';
import type { KeptReports } from './reports.js';
import { addView, type ViewPages } from './view-pages.js';

const MARKDOWN = { mimeType: 'text/markdown' };
const YAML = { mimeType: 'application/yaml' };
const JSON_TYPE = { mimeType: 'application/json' };

/** What the tools have produced: reports, conversations as scenarios, and the pages that the view shows. */
export function addResultResources(
  server: McpServer,
  reports: KeptReports,
  mock: MockAdmin,
  pages: ViewPages,
): void {
  server.registerResource(
    'reports',
    new ResourceTemplate('taskdouble://reports/{report}', {
      list: () => ({
        resources: reports.listNames().map((name) => ({
          name: `report ${name}`,
          uri: `taskdouble://reports/${name}`,
          ...MARKDOWN,
        })),
      }),
    }),
    { description: 'The reports of the last runs.', ...MARKDOWN },
    (uri, { report: name }) => {
      const report = reports.get(String(name));
      if (!report) throw new Error(`there is no report ${quote(String(name))}`);
      return { contents: [{ uri: uri.href, ...MARKDOWN, text: readFileSync(report.file('md'), 'utf8') }] };
    },
  );
  server.registerResource(
    'conversation',
    new ResourceTemplate('taskdouble://tasks/{task}/scenario', { list: undefined }),
    { description: 'The conversation about a task of the mock so far, as a scenario.', ...YAML },
    async (uri, { task }) => {
      const response = await mock.request('GET', `/tasks/${encodeURIComponent(String(task))}/scenario`);
      return { contents: [{ uri: uri.href, ...YAML, text: await response.text() }] };
    },
  );
  server.registerResource(
    'pages',
    new ResourceTemplate('taskdouble://pages/{page}', { list: undefined }),
    { description: 'Data of the page of a result, for the view.', ...JSON_TYPE },
    async (uri, { page }) => ({
      contents: [{ uri: uri.href, ...JSON_TYPE, text: await pages.read(String(page)) }],
    }),
  );
  addView(server);
}

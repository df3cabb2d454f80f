import type { McpServer } from '@modelcontextprotocol/server';
import { VERSION } from '../../conformance/common/version.js';
import { formatJournalLine } from '../../mock/exchange/journal-file.js';
import { renderSelfContainedPage } from '../../mock/pages/studio-files.js';
import { type HostedPage, PAGE_FIELD } from '../../mock/pages/studio-page.js';
import { quote } from '../../spec/show.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { readPageData, readPageOfContent } from '../view-page.js';
import type { MockAdmin } from './mock-admin.js';
import type { KeptReports } from './reports.js';
import { reportErrors, type ToolResult } from './result.js';

/** Extension of clients that show pages of tools. */
const UI_EXTENSION = 'io.modelcontextprotocol/ui';
/** Most characters of the data of a page within a result; more are a resource. */
const MOST_IN_RESULT = 1024 * 1024;
/** The newest exchanges of a mock that its page shows. */
const MOST_EXCHANGES = 1000;

const VIEW_ADDRESS = 'ui://taskdouble/view.html';
const VIEW_TYPE = 'text/html;profile=mcp-app';

/** `_meta` of tools whose results the view shows. */
export const VIEW_META = { ui: { resourceUri: VIEW_ADDRESS } } as const;

/** Studio as one page that needs no network: the client shows it beside the result of a tool, and hands it that result. */
export function addView(server: McpServer): void {
  server.registerResource(
    'view',
    VIEW_ADDRESS,
    { description: 'Shows races, conversations and causes.', mimeType: VIEW_TYPE },
    (uri) => {
      const page: HostedPage = { kind: 'hosted', version: VERSION };
      const text = renderSelfContainedPage('taskdouble', page);
      // Without `csp`, the client allows no connection.
      return {
        contents: [{ uri: uri.href, mimeType: VIEW_TYPE, text, _meta: { ui: { prefersBorder: true } } }],
      };
    },
  );
}

/** `page`: a name that `ViewPages.read` takes. */
export interface ShownResult {
  value: Record<string, unknown>;
  page: string;
}

/** Data of the pages of studio, which show the result of a tool in the conversation with the agent. */
export class ViewPages {
  constructor(
    private readonly reports: KeptReports,
    private readonly admin: MockAdmin,
  ) {}

  /** `mock`, `task-ID` or `report-NUMBER`, as JSON. Rejects with an Error whose message is for the user. */
  async read(name: string): Promise<string> {
    const [, kind, id = ''] = /^(mock|task|report)(?:-(.+))?$/.exec(name) ?? [];
    if (kind === undefined) throw new Error(`there is no page ${quote(name)}`);
    return JSON.stringify(kind === 'report' ? await this.#readReport(id) : await this.#readJournal(id));
  }

  /** The result of a tool, with its page for a client that shows pages. */
  async report(server: McpServer, run: () => Promise<ShownResult>): Promise<ToolResult> {
    let shown: ShownResult | undefined;
    const result = await reportErrors(async () => {
      shown = await run();
      return shown.value;
    });
    if (!shown || result.isError) return result;
    const { page } = shown;
    // A client that sends no capabilities with its requests reads the resource.
    const isShown = server.server.getClientCapabilities()?.extensions?.[UI_EXTENSION] !== undefined;
    const data = isShown ? await this.read(page).catch(() => undefined) : undefined;
    const isSmall = data !== undefined && data.length <= MOST_IN_RESULT;
    return { ...result, _meta: { [PAGE_FIELD]: isSmall ? JSON.parse(data) : `taskdouble://pages/${page}` } };
  }

  async #readReport(name: string): Promise<object> {
    const report = this.reports.get(name);
    if (!report) throw new Error(`there is no report ${quote(name)} any more`);
    return readPageData(report.race ?? report.file('json'));
  }

  async #readJournal(task: string): Promise<object> {
    const query = task === '' ? '' : `?task=${encodeURIComponent(task)}`;
    const response = await this.admin.request('GET', `/journal${query}`);
    const { exchanges } = (await response.json()) as { exchanges: Exchange[] };
    return readPageOfContent('mock.jsonl', exchanges.slice(-MOST_EXCHANGES).map(formatJournalLine).join(''));
  }
}

import './hosted.css';
import type {
  McpUiHostContext,
  McpUiInitializeRequest,
  McpUiInitializeResult,
  McpUiToolResultNotification,
} from '@modelcontextprotocol/ext-apps';
import { Fragment, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PAGE_FIELD } from '../../mock/pages/studio-page.js';
import { toVisible } from '../../spec/visible.js';
import type { FilePageData, HostedPage } from '../page-data.js';
import { HostConnection } from './host-connection.js';

/** The version of MCP Apps that this page speaks. */
const PROTOCOL_VERSION = '2026-01-26';
/** Heights that the page requests, px. */
const HEIGHTS = { page: 640, text: 220 } as const;
const KINDS: readonly string[] = ['recording', 'report', 'race', 'race-scenario'];

interface Shown {
  /** Counts the results: a new one is a new page. */
  id: number;
  page?: FilePageData | undefined;
  text?: string;
}

type ToolResult = McpUiToolResultNotification['params'];

/** Shows the result of the tool that the host sends: a race, a conversation or the causes; as text if it has no such data. */
export function HostedApp({
  page: { version },
  render,
}: {
  page: HostedPage;
  render: (page: FilePageData) => JSX.Element;
}) {
  const [shown, setShown] = useState<Shown>({ id: 0 });
  useEffect(() => {
    let results = 0;
    const show = async (result: ToolResult) => {
      const id = ++results;
      const page = await readPage(result, connection).catch(() => undefined);
      // A later result was faster.
      if (id !== results) return;
      setShown({ id, page, text: readText(result) });
      connection.notify('ui/notifications/size-changed', { height: page ? HEIGHTS.page : HEIGHTS.text });
    };
    const connection = new HostConnection(parent, (method, params) => {
      if (method === 'ui/notifications/tool-result') void show(params as ToolResult);
      if (method === 'ui/notifications/host-context-changed') applyContext(params as McpUiHostContext);
    });
    const hello: McpUiInitializeRequest['params'] = {
      appInfo: { name: 'taskdouble', version },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
      protocolVersion: PROTOCOL_VERSION,
    };
    connection.request('ui/initialize', hello).then(
      (result) => {
        applyContext((result as McpUiInitializeResult).hostContext);
        connection.notify('ui/notifications/initialized', {});
      },
      (error: Error) => setShown({ id: 0, text: error.message }),
    );
  }, [version]);
  if (shown.page) return <Fragment key={shown.id}>{render(shown.page)}</Fragment>;
  return <pre class="hosted">{toVisible(shown.text ?? 'Waiting for the result of the tool …')}</pre>;
}

/** The data within the result, or of the resource that it names. Undefined for a result without. */
async function readPage(
  { _meta, isError }: ToolResult,
  connection: HostConnection,
): Promise<FilePageData | undefined> {
  const given = isError ? undefined : _meta?.[PAGE_FIELD];
  if (typeof given !== 'string') return requireKind(given);
  const { contents } = (await connection.request('resources/read', { uri: given })) as {
    contents: { text: string }[];
  };
  return requireKind(JSON.parse(contents[0]!.text));
}

function requireKind(data: unknown): FilePageData | undefined {
  return KINDS.includes((data as FilePageData | undefined)?.kind ?? '') ? (data as FilePageData) : undefined;
}

function readText({ content, structuredContent }: ToolResult): string {
  if (structuredContent) return JSON.stringify(structuredContent, null, 2);
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function applyContext({ theme }: McpUiHostContext = {}): void {
  if (theme) document.documentElement.dataset.theme = theme;
}

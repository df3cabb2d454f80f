import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { MOST_RESULT_BYTES } from '../../../cli/mcp/result.js';

const ROOT = join(import.meta.dirname, '../../..');

export interface ToolReply {
  error: string | undefined;
  value: Record<string, unknown>;
  meta: Record<string, unknown>;
}

type Transport = Parameters<Client['connect']>[0];
type Capabilities = NonNullable<ConstructorParameters<typeof Client>[1]>['capabilities'];

async function connect(transport: Transport, capabilities: Capabilities = {}) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, given: object = {}): Promise<ToolReply> => {
    const result = await client.callTool({ name, arguments: { ...given } }, { timeout: 300_000 });
    const [content] = result.content as { text: string }[];
    expect(Buffer.byteLength(content!.text), name).toBeLessThanOrEqual(MOST_RESULT_BYTES);
    return {
      error: result.isError ? content!.text : undefined,
      value: (result.structuredContent ?? {}) as Record<string, unknown>,
      meta: result._meta ?? {},
    };
  };
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return (content as { text: string }).text;
  };
  return { client, call, read };
}

/** A client of the protocol that is not ours, connected to `taskdouble mcp` in `cwd`. */
export function connectStdio(cwd: string, flags: readonly string[] = [], capabilities?: Capabilities) {
  const args = [join(ROOT, 'dist/command/main.js'), 'mcp', ...flags];
  return connect(
    new StdioClientTransport({ command: process.execPath, args, cwd, stderr: 'inherit' }),
    capabilities,
  );
}

/** The same, connected to `/__mcp` of a mock. */
export function connectHttp(address: string, headers: Record<string, string> = {}) {
  return connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
}

export function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-mcp-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Writes client.mjs, which behaves like a client of the fixtures. */
export function writeClient(directory: string, file: string): void {
  const path = (name: string) => JSON.stringify(join(ROOT, 'fixtures/clients', name));
  const lines = [
    `import { run } from ${path(file)};`,
    `import { main } from ${path('reference.mjs')};`,
    'await main(import.meta.url, run);',
  ];
  writeFileSync(join(directory, 'client.mjs'), `${lines.join('\n')}\n`);
}

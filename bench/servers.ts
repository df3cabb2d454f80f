import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server under load, in a process of its own. */
export interface BenchServer {
  name: string;
  base_url: string;
  process: ChildProcess;
  stop(): void;
}

/** Starts a program that prints one JSON line with its `base_url` when it listens. */
export async function startServer(name: string, command: string[], input?: string): Promise<BenchServer> {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  // Whatever ends this program ends its servers.
  process.once('exit', () => child.kill());
  if (input !== undefined) child.stdin.end(input);
  const line = await readFirstLine(child);
  return { name, base_url: JSON.parse(line).base_url, process: child, stop: () => child.kill() };
}

async function readFirstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) if (line.startsWith('{')) return line;
  throw new Error('The server ended before it listened.');
}

export const startMock = (...flags: string[]) =>
  startServer('taskdouble', [
    process.execPath,
    'dist/command/main.js',
    'mock',
    '--port',
    '0',
    '--json',
    '--quiet',
    '--fixtures',
    'bench/organisation.yaml',
    ...flags,
  ]);

/** Bare node:http that sends the same bytes to every request. */
const BARE = `
const { createServer } = require('node:http');
let text = '';
process.stdin.on('data', (chunk) => (text += chunk)).on('end', () => {
  const { status, headers, body } = JSON.parse(text);
  const server = createServer((message, response) => {
    const respond = () => { response.writeHead(status, headers); response.end(body); };
    if (message.method === 'GET') return respond();
    message.on('data', () => {}).on('end', respond);
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ base_url: 'http://127.0.0.1:' + server.address().port })));
});`;

export function startBare(response: {
  status: number;
  headers: Record<string, string>;
  body: string;
}): Promise<BenchServer> {
  return startServer('bare node:http', [process.execPath, '-e', BARE], JSON.stringify(response));
}

/** CPU time of a process so far, ms. */
export function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process, MiB. */
export function readMemoryMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

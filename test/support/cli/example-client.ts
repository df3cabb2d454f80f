import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CLIENTS = join(import.meta.dirname, '../../../fixtures/clients');

/** Command line of an example client: a program and its first argument. */
interface ExampleClient {
  language: string;
  command: readonly [program: string, file: string];
  /** Why it cannot run here; undefined if it can. */
  missing: string | undefined;
}

export const EXAMPLE_CLIENTS: readonly ExampleClient[] = [
  {
    language: 'Node.js',
    command: [process.execPath, join(CLIENTS, 'polling-client.mjs')],
    missing: undefined,
  },
  {
    language: 'Python',
    command: ['python3', join(CLIENTS, 'polling_client.py')],
    missing: spawnSync('python3', ['--version']).status === 0 ? undefined : 'no python3 is found',
  },
];

/** The last line that a client prints. */
interface ClientOutput {
  status: string | null;
  output: unknown;
  results: { name: string; code: number; output: unknown }[];
  tool_runs: { name: string; input: unknown }[];
}

export interface ExampleClientRun {
  code: number | null;
  report: ClientOutput;
  stderr: string;
}

/** Runs a client until it exits, without environment variables that would change its behaviour. */
export function runClient(
  { command: [program, file] }: ExampleClient,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ExampleClientRun> {
  const outer = Object.entries(process.env).filter(
    ([name]) => !/^(TASKDOUBLE_|POLL_MS|DEADLINE_MS)/.test(name),
  );
  const child = spawn(program, [file, ...args], {
    env: { ...Object.fromEntries(outer), POLL_MS: '10', DEADLINE_MS: '30000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const last = stdout.trimEnd().split('\n').at(-1) ?? '';
      try {
        resolve({ code, report: JSON.parse(last) as ClientOutput, stderr });
      } catch {
        reject(new Error(`The last line is no report: ${last}\n${stderr}`));
      }
    });
  });
}

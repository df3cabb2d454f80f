import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** A Prism proxy that validates every request and response. */
export interface Prism {
  url: string;
  /** Resolves when it has exited. */
  stop(): Promise<void>;
}

/** Starts Prism in front of a service; resolves when it listens. `upstream` is the address of its API. */
export async function startPrism(upstream: string): Promise<Prism> {
  const args = ['node_modules/@stoplight/prism-cli/dist/index.js', 'proxy', 'spec/openapi.yaml', upstream];
  const child = spawn(process.execPath, [...args, '--errors', '-p', '0'], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const url = await waitForListening(child);
    return {
      url,
      stop: () => {
        child.kill();
        return gone;
      },
    };
  } catch (error) {
    child.kill();
    await gone;
    throw error;
  }
}

function waitForListening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /listening on (http:\/\/\S+:\d+)/.exec(output);
      if (found) resolve(found[1]!);
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`Prism ended before it listened:\n${output}`)));
  });
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { readOwnCommand } from '../../conformance/common/command-name.js';
import { ToolError } from './result.js';

interface EndedRun {
  code: number | null;
  stdout: string;
  /** The last lines. */
  stderr: string;
}

const MOST_CHARACTERS = 1024 * 1024;
/** A run that takes longer is ended as by Ctrl-C, and reports what it knows. */
const LONGEST_RUN_MS = 10 * 60 * 1000;

/** Runs a command of this program, and resolves when it has ended. */
export function runSelf(args: readonly string[], signal?: AbortSignal): Promise<EndedRun> {
  return new Promise((resolve, reject) => {
    const child = spawnSelf(args);
    const stdout = collectText(child.stdout!);
    const stderr = collectText(child.stderr!);
    const interrupt = () => child.kill('SIGINT');
    const timer = setTimeout(interrupt, LONGEST_RUN_MS);
    signal?.addEventListener('abort', interrupt);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      resolve({ code, stdout: stdout(), stderr: stderr().trim().split('\n').slice(-5).join('\n') });
    });
  });
}

/** Starts `mock` or `proxy` with --json, and resolves with the line that it prints when it listens. */
export async function startSelf(
  args: readonly string[],
): Promise<{ ready: string; end: () => Promise<void> }> {
  const child = spawnSelf(args);
  const stderr = collectText(child.stderr!);
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const [ready] = await Promise.race([
    readFirstLine(child.stdout!),
    ended.then((): never => {
      throw new ToolError(stderr().trim() || 'the mock ended before it listened');
    }),
  ]);
  return {
    ready: ready!,
    end: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

function spawnSelf(args: readonly string[]) {
  const [program, ...words] = readOwnCommand();
  return spawn(program, [...words, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function readFirstLine(stream: Readable): Promise<string[]> {
  for await (const line of createInterface({ input: stream })) return [line];
  return new Promise(() => {});
}

function collectText(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    if (text.length < MOST_CHARACTERS) text += part;
  });
  return () => text;
}

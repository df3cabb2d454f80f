import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import type { Client } from '../../conformance/client/types.js';
import { UsageError } from '../usage-error.js';

/** Whose time the runs of a command take. `auto`: virtual where the command is seen to start Node.js. */
export const TIMES = ['auto', 'real', 'virtual'] as const;
export type Time = (typeof TIMES)[number];

/** Commands that start Node.js. */
const NODE = new Set(['node', 'nodejs', 'npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'tsx', 'ts-node']);

/** The client that a command line names. Throws UsageError where there is none, or none that can be started. */
export function clientOf(command: readonly string[], time: Time, subcommand: string): Client {
  const [program] = command;
  if (program === undefined) {
    throw new UsageError(
      `which client? Give its command behind --: taskdouble ${subcommand} -- node client.mjs (taskdouble client --init node writes one to start from)`,
    );
  }
  const path = locate(program);
  if (path === undefined) {
    const where = /[\\/]/.test(program)
      ? 'there is no such file that may be run'
      : 'no directory of PATH has it';
    throw new UsageError(`the client cannot be started: ${program}: ${where}.`);
  }
  const virtual = time === 'virtual' || (time === 'auto' && startsNode(program, path));
  return { kind: virtual ? 'node' : 'command', command };
}

/** One line for a shell. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+,{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** Where a program is; undefined when it cannot be run. */
function locate(program: string): string | undefined {
  const places = /[\\/]/.test(program)
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory || '.', program));
  return places.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** By its name, or by the first line of a script. */
function startsNode(program: string, path: string): boolean {
  return (
    NODE.has(basename(program).replace(/\.(exe|cmd)$/i, '')) || /^#!.*\b(node|tsx)\b/.test(firstLine(path))
  );
}

function firstLine(path: string): string {
  try {
    const file = openSync(path, 'r');
    const buffer = Buffer.alloc(128);
    const length = readSync(file, buffer);
    closeSync(file);
    return buffer.toString('latin1', 0, length).split('\n', 1)[0]!;
  } catch {
    return '';
  }
}

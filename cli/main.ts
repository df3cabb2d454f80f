#!/usr/bin/env node
import { EXIT, internalErrorLine } from './exit-codes.js';
import { printError } from './print.js';
import { runCommand } from './program.js';

/** A fault nobody caught: one line, and the code that says it is ours. */
function fail(error: unknown): never {
  printError(internalErrorLine(error));
  process.exit(EXIT.fault);
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// What cannot be printed is handled where it is printed.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

await runCommand(process.argv.slice(2));

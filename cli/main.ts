#!/usr/bin/env node
import { EXIT, formatInternalError } from './exit-codes.js';
import { printError } from './print.js';
import { runCommand } from './program.js';

function fail(error: unknown): never {
  printError(formatInternalError(error));
  process.exit(EXIT.fault);
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// print() handles stream errors.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

await runCommand(process.argv.slice(2));

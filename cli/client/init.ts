import { constants, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCommandName } from '../../conformance/common/command-name.js';
import { formatCommandLine } from '../../conformance/common/shell.js';
import { makeDirectory } from '../../conformance/report/make-directory.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import type { AdapterLanguage } from '../client.js';
import { UsageError } from '../exit-codes.js';
import { print } from '../print.js';

/** The adapter of each language, and what starts it. */
const ADAPTERS: Readonly<Record<AdapterLanguage, { file: string; start: readonly string[] }>> = {
  node: { file: 'adapter.mjs', start: ['node'] },
  python: { file: 'adapter.py', start: ['python3'] },
  typescript: { file: 'adapter.ts', start: ['npx', 'tsx'] },
};

/** Writes an adapter to start from, and says what to do with it. Throws UsageError; what is there is never written over. */
export async function writeAdapter(language: AdapterLanguage, operands: readonly string[]): Promise<void> {
  const { file, start } = ADAPTERS[language];
  if (operands.length > 1) {
    throw new UsageError(
      `--init: expected one path for the adapter at most; found ${formatCommandLine(operands)}.`,
    );
  }
  const path = operands[0] ?? file;
  copy(join(findPackageRoot(), 'fixtures/adapters', file), path);
  const line = `${readCommandName()} client -- ${formatCommandLine([...start, path])}`;
  await print(
    `${path} is written. It works without changes. Test it:\n\n  ${line}\n\nThen replace its requests with calls of your client, and run the command again.\n`,
  );
}

function copy(from: string, to: string): void {
  try {
    makeDirectory(dirname(to));
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it is there already; remove it, or name another path' : message;
    throw new UsageError(`--init: ${to} cannot be written: ${why}.`);
  }
}

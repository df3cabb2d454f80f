import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Race } from '../../conformance/explore/reproduce/race.js';
import { formatRunsPath } from '../../conformance/explore/reproduce/race-page.js';
import { UsageError } from '../exit-codes.js';
import { checkWritable, writeOutput } from './outputs.js';

/** Called before the client is started. Throws UsageError if failures cannot be written there. */
export function checkDirectory(out: string): void {
  const existing = statSync(out, { throwIfNoEntry: false });
  if (existing && !existing.isDirectory()) throw new UsageError(`--out: ${out} is a file; name a directory.`);
  // A search without a failure creates no directory.
  if (existing) checkWritable('--out', join(out, 'failure.yaml'));
}

/** Writes the scenario that reproduces a failure, the page about it, and its runs. If that fails, it reports the error and returns false. */
export function writeFailure(
  out: string,
  { name, yaml, markdown, race }: { name: string; yaml: string; markdown: string; race?: Race },
): boolean {
  const write = (file: string, text: string) => writeOutput('--out', join(out, file), text);
  return (
    write(`${name}.yaml`, yaml) &&
    write(`${name}.md`, markdown) &&
    (race === undefined || write(formatRunsPath(`${name}.yaml`), JSON.stringify(race)))
  );
}

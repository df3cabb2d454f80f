import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Find } from '../../conformance/explore/types.js';
import { checkWritable, writeOutput } from '../judging/outputs.js';
import { UsageError } from '../usage-error.js';

/** Before anything is run: whether finds can be written there. Throws UsageError. */
export function checkDirectory(out: string): void {
  const there = statSync(out, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw new UsageError(`--out: ${out} is a file; name a directory.`);
  // A directory that nothing is found for is not made.
  if (there) checkWritable('--out', join(out, 'find.yaml'));
}

/** Writes the scenario that reproduces a find, and the page about it; false when that is impossible, which is reported. */
export function writeFind(out: string, { name, yaml, markdown }: Find): boolean {
  const write = (file: string, text: string) => writeOutput('--out', join(out, file), text);
  return write(`${name}.yaml`, yaml) && write(`${name}.md`, markdown);
}

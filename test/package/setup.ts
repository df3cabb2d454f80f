import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildOneFile } from '../../packaging/one-file/build-one-file.js';
import { openPackage } from '../../packaging/open-package.js';
import type { PackedPackage } from '../../packaging/pack.js';
import { createTemporary, pack } from './pack.js';

declare module 'vitest' {
  export interface ProvidedContext {
    packed: PackedPackage;
    /** Path of `taskdouble.mjs`, built from it. */
    oneFile: string;
  }
}

/** Packs and builds once for all tests. */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  const { directory, clear } = createTemporary();
  const packed = pack(directory);
  const oneFile = join(directory, 'taskdouble.mjs');
  writeFileSync(oneFile, (await buildOneFile(openPackage(packed.tarball, join(directory, 'one-file')))).code);
  provide('packed', packed);
  provide('oneFile', oneFile);
  return clear;
}

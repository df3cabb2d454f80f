import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pack.js';

/** What package.json says under one name of `exports`. */
export interface PackageEntry {
  /** As users write it: `taskdouble/msw`. */
  specifier: string;
  /** Path of the file that it leads to, from the root of the package. */
  file: string;
  /** Path of the declarations that go with it: code has them. */
  types?: string;
  /** True for code, false for a document. */
  isModule: boolean;
  /** Name of the program that uses it, in `programs/`: `taskdouble-msw`. */
  program: string;
  /** It is made for test files: it runs below vitest only. */
  inVitest: boolean;
  /** Those of the optional peers that it cannot do without. */
  peers: string[];
}

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
};

/** Every entry point there is, in the order of package.json. */
export const entries: readonly PackageEntry[] = Object.entries(exports).map(([name, target]) => {
  const specifier = `taskdouble${name.slice(1)}`;
  const inVitest = /\/vitest$/.test(name);
  return {
    specifier,
    file: typeof target === 'string' ? target : target.default,
    ...(typeof target === 'string' ? {} : { types: target.types }),
    isModule: typeof target !== 'string',
    program: specifier.replaceAll('/', '-'),
    inVitest,
    peers: [...(inVitest ? ['vitest'] : []), ...(name === './msw' ? ['msw'] : [])],
  };
});

/** Those that are code. */
export const modules = entries.filter(({ isModule }) => isModule);

/** Writes dist/scenarios/format/library/library.json: run at build time, after the compiler. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLibrary } from '../load/load.js';
import { packageRoot } from './package-root.js';

const directory = join(packageRoot(), 'dist/scenarios/format/library');
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, 'library.json'), `${JSON.stringify(await readLibrary())}\n`);

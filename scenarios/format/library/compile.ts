/** Writes `library.json` beside itself: run at build time in dist/, after the compiler. */
import { writeFileSync } from 'node:fs';
import { readLibrary } from '../load/load.js';

writeFileSync(new URL('library.json', import.meta.url), `${JSON.stringify(await readLibrary())}\n`);

/** What must not be in a bundle for browsers, to see that it is found. */
import { readFileSync } from 'node:fs';

Object.assign(globalThis, { readFileSync });

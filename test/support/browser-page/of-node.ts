/** A Node.js import, for a test that it is detected in a bundle for browsers. */
import { readFileSync } from 'node:fs';

Object.assign(globalThis, { readFileSync });

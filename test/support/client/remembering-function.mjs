import { promisify } from 'node:util';
import { run as reference } from '../../../fixtures/clients/reference.mjs';

// Kept when the module is loaded, as many clients do.
const { random } = Math;
const sleep = promisify(setTimeout);

/** Waits up to a second before each request. */
export const run = (context) =>
  reference({
    ...context,
    fetch: async (...args) => {
      await sleep(1000 * random());
      return context.fetch(...args);
    },
  });

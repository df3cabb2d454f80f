/** A page with the package and MSW as globals, for tests that run code in it. */
import { setupWorker } from 'msw/browser';
import { createMock } from 'taskdouble';
import { handlers } from 'taskdouble/msw';

const worker = setupWorker();
await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });

const parts = { createMock, handlers, worker };
export type PageParts = typeof parts;
Object.assign(globalThis, { parts });

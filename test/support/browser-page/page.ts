/** A page that has the package and MSW at hand, for tests that run code in it. */
import { setupWorker } from 'msw/browser';
import { createMock } from 'taskdouble';
import { handlers } from 'taskdouble/msw';

const worker = setupWorker();
await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });

const parts = { createMock, handlers, worker };
export type PageParts = typeof parts;
Object.assign(globalThis, { parts });

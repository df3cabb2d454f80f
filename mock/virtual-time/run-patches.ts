import { Socket } from 'node:net';
import { parseUrl } from '../../spec/addresses.js';
import { real } from '../clock/real.js';
import { enterRun, findCurrentContext, findCurrentRun, isWholeProcess } from './current-run.js';
import { Patches } from './patches.js';

type PlatformFetch = (...args: Parameters<typeof globalThis.fetch>) => Promise<Response>;
type ProcessEmit = (this: NodeJS.Process, event: string, ...args: unknown[]) => boolean;

const CRASHES = new Set(['unhandledRejection', 'uncaughtException']);
/** One of this many responses waits for a turn of the event loop, so that a client that never pauses does not block it. */
const RESPONSES_PER_TURN = 16;

/** Passes a response to the client of the current run; after the run it never settles. */
export function handOver<T>(response: Promise<T>, run = findCurrentRun()): Promise<T> {
  if (!run) return response;
  return new Promise((resolve, reject) => {
    const wrapSettle = (settle: (value: never) => void) => (value: unknown) => {
      const settleInRun = () => {
        if (!run.isOver) settle(value as never);
      };
      // Counted for each run: the result must not depend on earlier runs.
      if (++run.responses % RESPONSES_PER_TURN === 0) real.setImmediate(settleInRun);
      else settleInRun();
    };
    response.then(wrapSettle(resolve), wrapSettle(reject));
  });
}

function readOrigin(input: Parameters<PlatformFetch>[0]): string {
  const address = typeof input === 'string' || input instanceof URL ? String(input) : input?.url;
  return parseUrl(address)?.origin ?? String(address);
}

/** Patches for runs in this process: they assign crashes to runs and track requests. */
export const runPatches = new Patches();

/** A crash ends the run to which it belongs; the test runner receives all others. */
runPatches.replace(process, 'emit', (before: ProcessEmit): ProcessEmit => {
  return function (event, ...args) {
    const run = CRASHES.has(event) ? findCurrentContext()?.run : undefined;
    if (!run) return before.call(this, event, ...args);
    run.crash(args[0]);
    return true;
  };
});

/** The internals of `fetch` (the platform's, or that of MSW) use real time: their time-outs and connections outlive the run. */
runPatches.replace(globalThis, 'fetch', (before: PlatformFetch): PlatformFetch => {
  return function fetch(...args) {
    const run = findCurrentRun();
    if (!run || isWholeProcess()) return before(...args);
    const call = {};
    run.requests.beginCall(call, readOrigin(args[0]));
    const response = enterRun({ run, call }, async () => before(...args));
    const settle = () => run.requests.end(call);
    response.then(settle, settle);
    return handOver(response, run);
  };
});

const isChunk = (value: unknown) => value !== undefined && value !== null && typeof value !== 'function';
for (const name of ['connect', 'write', 'end'] as const)
  runPatches.replace(
    Socket.prototype,
    name,
    (before: (...args: unknown[]) => unknown) =>
      function (this: Socket, ...args: unknown[]) {
        const run = findCurrentRun();
        run?.socketTimeouts.adopt(this);
        // `end` sends data only with a chunk.
        if (name !== 'end' || isChunk(args[0])) run?.requests.write(this);
        return before.apply(this, args);
      },
  );

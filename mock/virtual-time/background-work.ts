import crypto from 'node:crypto';
import files from 'node:fs/promises';
import zlib from 'node:zlib';
import { StandIns } from './stand-in.js';

/**
 * Resources of a process that mean that it is at work on something which will go on by itself: files, name look-ups,
 * connections being made, bytes being written.
 */
const WORKING =
  /^(FSReqCallback|FSReqPromise|FileHandleCloseReq|CloseReq|GetAddrInfoReqWrap|GetNameInfoReqWrap|QueryReqWrap|TCPConnectWrap|PipeConnectWrap|WriteWrap|ShutdownWrap|UDPSendWrap)$/;
/** Others that go on by themselves and may answer: a thread (modules may be loaded there), a child process. */
const HELPER = /^(MessagePort|ProcessWrap)$/;

/** What a process is busy with besides time and the service, counted by kind. */
export interface Work {
  /** Things that come to their end by themselves. */
  tasks: number;
  /** Threads that it waits for, and child processes. */
  helpers: number;
  children: number;
  /** `setImmediate` callbacks that are still to come. */
  immediates: number;
  /** Everything but time-outs that Node.js lists: the above, and whatever else is open. */
  open: number;
}

/** What runs on other threads and no list of Node's has (zlib, crypto, whole files): counted as it goes. */
let threadWork = 0;

export function workUnderWay(): Work {
  const work: Work = { tasks: threadWork, helpers: 0, children: 0, immediates: 0, open: threadWork };
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind === 'Timeout') continue;
    work.open++;
    if (kind === 'Immediate') work.immediates++;
    else if (WORKING.test(kind)) work.tasks++;
    else if (HELPER.test(kind)) {
      work.helpers++;
      if (kind === 'ProcessWrap') work.children++;
    }
  }
  return work;
}

type Callable = (this: unknown, ...args: unknown[]) => unknown;

function done(): void {
  threadWork--;
}

/** `call`, counted until the callback that is its last argument has been called. */
function countingCallback(call: Callable): Callable {
  const counting: Callable = function (...args) {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return call.apply(this, args);
    args[args.length - 1] = function (this: unknown, ...results: unknown[]) {
      done();
      return callback.apply(this, results);
    };
    // What refuses its arguments never calls back.
    const outcome = call.apply(this, args);
    threadWork++;
    return outcome;
  };
  return Object.defineProperties(counting, Object.getOwnPropertyDescriptors(call)) as Callable;
}

function countingPromise(call: Callable): Callable {
  return function (...args) {
    const outcome = call.apply(this, args);
    if (!(outcome instanceof Promise)) return outcome;
    threadWork++;
    outcome.then(done, done);
    return outcome;
  };
}

/** Counts what works on other threads while in place. */
export const workStandIns = new StandIns();

const CRYPTO_CALLBACKS = [
  'randomBytes',
  'randomFill',
  'randomInt',
  'pbkdf2',
  'scrypt',
  'hkdf',
  'generateKey',
  'generateKeyPair',
  'generatePrime',
  'checkPrime',
  'sign',
  'verify',
] as const;
for (const name of CRYPTO_CALLBACKS)
  workStandIns.replace(crypto, name, countingCallback(crypto[name] as unknown as Callable));

// In a context of its own a test may run without it, or with that of a simulated browser.
const subtle =
  globalThis.crypto?.subtle && (Object.getPrototypeOf(globalThis.crypto.subtle) as object | null);
for (const name of Object.getOwnPropertyNames(subtle ?? {})) {
  const { value } = Object.getOwnPropertyDescriptor(subtle, name)!;
  if (name !== 'constructor' && typeof value === 'function')
    workStandIns.replace(subtle!, name, countingPromise(value));
}

// Node.js 26 reads a whole file without a resource that it lists.
for (const name of ['readFile', 'writeFile', 'appendFile'] as const)
  workStandIns.replace(files, name, countingPromise(files[name] as Callable));

/** A native compressor: `write` works on another thread and calls what `init` was given when it is done. */
interface Handle {
  init: Callable;
  write: Callable;
}

const WRITES = Symbol('writes under way');

for (const make of [zlib.createGzip, zlib.createBrotliCompress]) {
  const handle = (make() as unknown as { _handle?: object })._handle;
  const native = handle && (Object.getPrototypeOf(handle) as Partial<Handle>);
  // Not part of Node's interface: where it is not there, compression is not waited for.
  if (typeof native?.init === 'function' && typeof native.write === 'function') countWrites(native as Handle);
}

function countWrites(native: Handle): void {
  const { init, write } = native;
  workStandIns.replace(native, 'init', function (this: { [WRITES]?: number }, ...args: unknown[]) {
    return init.apply(
      this,
      args.map((arg) => {
        if (typeof arg !== 'function') return arg;
        return function (this: { [WRITES]?: number }, ...results: unknown[]) {
          if (this[WRITES]) {
            this[WRITES]--;
            done();
          }
          return arg.apply(this, results);
        };
      }),
    );
  });
  workStandIns.replace(native, 'write', function (this: { [WRITES]?: number }, ...args: unknown[]) {
    const outcome = write.apply(this, args);
    this[WRITES] = (this[WRITES] ?? 0) + 1;
    threadWork++;
    return outcome;
  });
}

import crypto from 'node:crypto';
import files from 'node:fs/promises';
import zlib from 'node:zlib';
import { Patches } from './patches.js';

/** Resources for work of a process that ends by itself: files, name look-ups, connecting, writing. */
const WORKING =
  /^(FSReqCallback|FSReqPromise|FileHandleCloseReq|CloseReq|GetAddrInfoReqWrap|GetNameInfoReqWrap|QueryReqWrap|TCPConnectWrap|PipeConnectWrap|WriteWrap|ShutdownWrap|UDPSendWrap)$/;
/** Resources that work independently and may send messages: a thread (it may load modules), a child process. */
const HELPER = /^(MessagePort|ProcessWrap)$/;

/** Open work of a process other than timers and requests to the service, by kind. */
export interface BackgroundWork {
  /** Number of tasks that end without outside events. */
  tasks: number;
  /** Threads and child processes. */
  helpers: number;
  children: number;
  /** Pending `setImmediate` callbacks. */
  immediates: number;
  /** Pending timers of the platform. */
  timers: number;
  /** Everything except timers: the above, and all other open resources. */
  open: number;
}

const SOCKET = /^(TCPSocketWrap|PipeWrap)$/;
const SERVER = /^(TCPServerWrap|PipeServerWrap)$/;

/** Open sockets and listening servers that keep the process alive. A closed one counts until the next turn of the event loop. */
export interface OpenConnections {
  sockets: number;
  servers: number;
}

export function countOpenConnections(): OpenConnections {
  const open = { sockets: 0, servers: 0 };
  for (const kind of process.getActiveResourcesInfo()) {
    if (SOCKET.test(kind)) open.sockets++;
    else if (SERVER.test(kind)) open.servers++;
  }
  return open;
}

/** Work on other threads that Node.js does not list (crypto, web crypto, whole files). */
let threadWork = 0;

export function countBackgroundWork(): BackgroundWork {
  const work = { tasks: threadWork, helpers: 0, children: 0, immediates: 0, timers: 0, open: threadWork };
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind === 'Timeout') {
      work.timers++;
      continue;
    }
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

/** Counts a call until its callback, the last argument, was called. */
function countCallback(call: Callable): Callable {
  return function (...args) {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return call.apply(this, args);
    args[args.length - 1] = function (this: unknown, ...results: unknown[]) {
      threadWork--;
      return callback.apply(this, results);
    };
    // A call that refuses its arguments never calls back.
    const outcome = call.apply(this, args);
    threadWork++;
    return outcome;
  };
}

function countPromise(call: Callable): Callable {
  return function (...args) {
    const outcome = call.apply(this, args);
    if (!(outcome instanceof Promise)) return outcome;
    threadWork++;
    const endWork = () => void threadWork--;
    outcome.then(endWork, endWork);
    return outcome;
  };
}

export const workPatches = new Patches();

const CRYPTO_CALLBACKS =
  'randomBytes randomFill randomInt pbkdf2 scrypt hkdf generateKey generateKeyPair generatePrime checkPrime sign verify';
for (const name of CRYPTO_CALLBACKS.split(' ')) workPatches.replace(crypto, name, countCallback);

// A test context may have no web crypto, or that of a simulated browser.
const subtle: object = globalThis.crypto?.subtle ? Object.getPrototypeOf(globalThis.crypto.subtle) : {};
for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(subtle)))
  if (name !== 'constructor' && typeof value === 'function') workPatches.replace(subtle, name, countPromise);

// Node.js 26 reads a whole file without a resource that it lists.
for (const name of ['readFile', 'writeFile', 'appendFile'] as const)
  workPatches.replace(files, name, countPromise);

/** All compressors inherit this `_transform`, which calls back after another thread has processed the chunk. */
const { prototype: gzip } = (zlib as unknown as { Gzip: { prototype: object } }).Gzip;
const compressor = Object.getPrototypeOf(Object.getPrototypeOf(gzip)) as object;
workPatches.replace(compressor, '_transform', countCallback);

import childProcess from 'node:child_process';
import fs from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import v8 from 'node:v8';
import workerThreads from 'node:worker_threads';

// biome-ignore lint/suspicious/noExplicitAny: it takes what the platform's own takes
type PlatformFunction = (this: unknown, ...args: any[]) => unknown;
/** Ends the thread. `what`: the call as written in the client's code. */
type RefusalHandler = (what: string) => never;

/** Functions that act on the whole process, or that a thread does not have, by their owner. */
const OF_PROCESS: readonly [owner: object, name: string, functions: string][] = [
  [process, 'process', 'abort chdir dlopen execve kill setuid setgid seteuid setegid setgroups initgroups'],
  // `cluster` calls `fork`.
  [childProcess, 'child_process', 'spawn spawnSync exec execSync execFile execFileSync fork'],
  [childProcess.ChildProcess.prototype, 'ChildProcess', 'spawn'],
  [workerThreads, 'worker_threads', 'Worker BroadcastChannel'],
  [globalThis, 'globalThis', 'BroadcastChannel'],
  [module, 'module', 'register'],
  [os, 'os', 'setPriority'],
  [v8, 'v8', 'setFlagsFromString'],
];

const LISTEN = ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'] as const;
const SIGNAL = /^SIG[A-Z0-9]+$/;

/** Functions of `fs` that take a descriptor or a path, with a callback and without. */
const FILES = 'read readv write writev close readFile writeFile appendFile open';
/** The descriptors of stdin, stdout and stderr, and their paths. */
const LAST_DESCRIPTOR = 2;
const STREAM_PATH = /^\/(dev\/(std|tty|fd)|proc\/self)/;

/**
 * Replaces everything that would act on the testing process: it calls `refuse`, and the run is repeated in a process. Modules get the
 * replacements after `syncBuiltinESMExports`.
 */
export function refuseProcessCalls(refuse: RefusalHandler): void {
  for (const [owner, name, functions] of OF_PROCESS)
    for (const each of functions.split(' ')) replace(owner, each, () => () => refuse(`${name}.${each}`));
  replace(
    process,
    'umask',
    (before) =>
      (...args) =>
        args.length === 0 ? before() : refuse('process.umask'),
  );
  for (const each of LISTEN)
    replace(process, each, (before) => {
      return function (event, ...rest) {
        if (SIGNAL.test(String(event))) refuse(`process.${each}('${String(event)}')`);
        return before.call(this, event, ...rest);
      };
    });
  refuseProcessStreams(refuse);
  // Setting it in a thread does not change the time zone.
  process.env = new Proxy(process.env, {
    set: (env, name, value) => (name === 'TZ' ? refuse('process.env.TZ') : Reflect.set(env, name, value)),
  });
}

/** The first three descriptors belong to the testing process. */
function refuseProcessStreams(refuse: RefusalHandler): void {
  const names = FILES.split(' ');
  const ofFiles = [...names, ...names.map((name) => `${name}Sync`), 'createReadStream', 'createWriteStream'];
  const guard =
    (name: string) =>
    (before: PlatformFunction): PlatformFunction =>
      function (file, ...rest) {
        const descriptor = typeof file === 'number' ? file : rest[0]?.fd;
        if (descriptor <= LAST_DESCRIPTOR || STREAM_PATH.test(String(file))) refuse(`fs.${name} of a stream`);
        return before.call(this, file, ...rest);
      };
  for (const name of ofFiles) replace(fs, name, guard(name));
  for (const name of names) replace(fs.promises, name, guard(name));
}

/** Does nothing if this version of Node.js does not have the function. */
function replace(owner: object, name: string, wrap: (before: PlatformFunction) => PlatformFunction): void {
  const before = (owner as Record<string, unknown>)[name];
  if (typeof before !== 'function') return;
  const call = wrap(before as PlatformFunction);
  const value = function (this: unknown, ...args: unknown[]) {
    return call.apply(this, args);
  };
  // Copies properties such as `promisify.custom`.
  for (const key of Reflect.ownKeys(before))
    if (!Object.hasOwn(value, key))
      Object.defineProperty(value, key, Object.getOwnPropertyDescriptor(before, key)!);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}

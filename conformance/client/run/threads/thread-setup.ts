/**
 * The program of a client's thread: imitates a process, waits for its run, makes time virtual, and starts the client as its main module.
 * Built as CommonJS, which loads faster.
 */
import { runMain, syncBuiltinESMExports } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { format } from 'node:util';
import workerThreads, { type MessagePort } from 'node:worker_threads';
import { followTime, TIME_VARIABLE } from '../../../../mock/virtual-time/connect-to-time.js';
import type { RemoteConfig } from '../../../../mock/virtual-time/remote-messages.js';
import { refuseProcessCalls } from './process-calls.js';
import type { ThreadJob, ThreadMessage } from './thread-messages.js';

void setUp(workerThreads.parentPort!);

async function setUp(port: MessagePort): Promise<void> {
  const send = (message: ThreadMessage) => port.postMessage(message);
  const exit = process.exit.bind(process);
  replaceStreams(send);
  refuseProcessCalls((needs) => {
    send({ needs });
    return exit(1);
  });
  const { file, env, args, time } = await new Promise<ThreadJob>((resolve) => port.once('message', resolve));
  Object.assign(process.env, env);
  process.argv.splice(1, Number.POSITIVE_INFINITY, file, ...args);
  process.execArgv = [];
  // The client must not see this program as its main module.
  process.mainModule = undefined;
  Object.assign(workerThreads, { isMainThread: true, parentPort: null, workerData: null, threadId: 0 });
  syncBuiltinESMExports();
  await followTime(time, JSON.parse(env[TIME_VARIABLE]!) as RemoteConfig);
  runMain(file);
}

/** Sends output immediately, so that nothing is lost at exit. Stdin is empty, as for a command. */
function replaceStreams(send: (message: ThreadMessage) => void): void {
  const replace = (name: 'stdin' | 'stdout' | 'stderr', value: unknown) =>
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
  for (const [stream, fd] of [
    ['stdout', 1],
    ['stderr', 2],
  ] as const) {
    const write = (bytes: Buffer, _: BufferEncoding, done: () => void) => {
      send({ stream, bytes });
      done();
    };
    replace(stream, Object.assign(new Writable({ write }), { fd }));
  }
  replace('stdin', Object.assign(Readable.from([]), { fd: 0 }));
  // Node.js writes its warnings with it, without the streams.
  const writeError = (...args: unknown[]) => process.stderr.write(`${format(...args)}\n`);
  Object.defineProperty(process, '_rawDebug', { value: writeError, configurable: true, writable: true });
}

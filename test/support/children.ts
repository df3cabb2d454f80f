import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Child processes that are running; true if the child has its own process group. */
const running = new Map<ChildProcess, boolean>();

/**
 * Starts a child process that does not outlive the tests: `endChildren()` ends it, and the exit of the test process. With
 * `detached` it is a process group, which is ended as a whole: children of npx do not end with npx.
 */
export function startChild(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  watch();
  const child = spawn(command, args, options);
  running.set(child, options.detached ?? false);
  child.once('close', () => running.delete(child));
  return child;
}

/** Ends all running children, for `afterEach` and `afterAll`; settles when they have exited. */
export async function endChildren(): Promise<void> {
  const alive = [...running.keys()].filter(
    ({ pid, exitCode, signalCode }) => pid !== undefined && exitCode === null && signalCode === null,
  );
  // Not `close`: an unrelated process may still hold the output.
  const gone = alive.map((child) => once(child, 'exit'));
  killAll();
  await Promise.all(gone);
}

function killAll(): void {
  for (const [child, isGroup] of running) {
    // A child that could not be started has no id.
    if (child.pid === undefined) continue;
    try {
      process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // It has ended, and its last output has not arrived yet.
    }
  }
}

let watching = false;

function watch(): void {
  if (watching) return;
  watching = true;
  process.once('exit', killAll);
  // The runner of the tests has ended.
  process.once('disconnect', killAll);
  // These end a process without an exit event.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      killAll();
      process.kill(process.pid, signal);
    });
  }
}

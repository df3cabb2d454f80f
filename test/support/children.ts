import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What tests have started and what runs still; whether it is a process group of its own. */
const running = new Map<ChildProcess, boolean>();

/**
 * Starts a child process that does not outlive the tests, whatever comes of them: it is ended by `endChildren()`, and
 * when the process of the tests goes. `detached` makes a group of it, which is ended with all that is in it: what npx has
 * started does not end with npx.
 */
export function startChild(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  watch();
  const child = spawn(command, args, options);
  running.set(child, options.detached ?? false);
  child.once('close', () => running.delete(child));
  return child;
}

/** Ends what has been started and runs still, for `afterEach` and `afterAll`; settles when it is gone. */
export async function endChildren(): Promise<void> {
  const alive = [...running.keys()].filter(
    ({ pid, exitCode, signalCode }) => pid !== undefined && exitCode === null && signalCode === null,
  );
  // Not until it is closed: whoever holds its output still may be none of ours.
  const gone = alive.map((child) => once(child, 'exit'));
  killAll();
  await Promise.all(gone);
}

function killAll(): void {
  for (const [child, isGroup] of running) {
    // One that could not be started has no id.
    if (child.pid === undefined) continue;
    try {
      process.kill(isGroup ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // It has ended, and its last output is still on its way.
    }
  }
}

let watching = false;

function watch(): void {
  if (watching) return;
  watching = true;
  process.once('exit', killAll);
  // Whoever runs the tests is gone.
  process.once('disconnect', killAll);
  // These end a process without an exit event.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      killAll();
      process.kill(process.pid, signal);
    });
  }
}

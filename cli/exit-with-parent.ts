export const EXIT_WITH_PARENT = [
  '--exit-with-parent',
  'end as on SIGTERM when the process that started it has ended, however it ended',
] as const;

const CHECK_EVERY_MS = 1000;

/** Read when the command starts: the parent may end while it loads. */
const parent = process.ppid;

/**
 * Emits SIGTERM in this process when its parent has ended: the process then has another parent, or on Windows one that does not
 * exist.
 */
export function exitWithParent(): void {
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(parent)) return;
    clearInterval(timer);
    // Not process.kill, which ends a process on Windows without calling the listeners.
    process.emit('SIGTERM');
  }, CHECK_EVERY_MS).unref();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

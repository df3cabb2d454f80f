import { setMaxListeners } from 'node:events';
import { isatty } from 'node:tty';
import { EXIT, formatInternalError } from '../exit-codes.js';
import { printError } from '../print.js';

/** Ends a run early. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code; undefined unless the run was interrupted. */
  readonly code: number | undefined;
  /** Restores the previous handlers at the end of the run. */
  release(): void;
}

/** For a run that has nothing to clean up: a signal ends the process as usual. */
export const NO_INTERRUPT: Interrupt = {
  signal: new AbortController().signal,
  code: undefined,
  release() {},
};

const FAULTS = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * A signal or an uncaught error ends the run in order: created resources are removed, and the results so far are reported. The next signal
 * exits at once. `cleanUp`: describes the work until then, for the message.
 */
export function createInterrupt(say: (line: string) => void, cleanUp: string): Interrupt {
  const stop = new AbortController();
  // Each run of a client adds a listener.
  setMaxListeners(0, stop.signal);
  let code: number | undefined;
  const hasTerminal = [0, 1, 2].some(isatty);
  const end = (why: string, with_: number) => {
    if (code !== undefined) process.exit(with_);
    code = with_;
    say(`${why}: ${cleanUp}; Ctrl-C leaves at once`);
    stop.abort(new Error('interrupted'));
  };
  const listeners = {
    SIGINT: () => end('interrupted', EXIT.interrupted),
    SIGTERM: () => end('terminated', EXIT.terminated),
    SIGHUP: () => end('the terminal was closed', EXIT.hungUp),
  };
  const onFault = (error: unknown) => {
    printError(formatInternalError(error));
    end('ending early', EXIT.fault);
  };
  for (const [name, listener] of Object.entries(listeners)) process.on(name, listener);
  const before = FAULTS.map((name) => [name, process.rawListeners(name)] as const);
  for (const name of FAULTS) process.removeAllListeners(name).on(name, onFault);
  return {
    signal: stop.signal,
    get code() {
      return code;
    },
    release() {
      for (const [name, listener] of Object.entries(listeners)) process.off(name, listener);
      for (const name of FAULTS) process.off(name, onFault);
      for (const [name, all] of before) for (const each of all) process.on(name, each as () => void);
      // Node.js aborts when it exits without the terminal that it was started in. A shell sees 129 for the signal too.
      if (code === EXIT.hungUp && hasTerminal) process.kill(process.pid, 'SIGHUP');
    },
  };
}

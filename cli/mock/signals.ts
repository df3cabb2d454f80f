import { EXIT, internalErrorLine } from '../exit-codes.js';
import { printError } from '../print.js';

/** Ctrl-C ends it in order, a second one at once. */
export function closeOnSignal(close: () => Promise<void>): void {
  const end = (code: number) => {
    process.on('SIGINT', () => process.exit(EXIT.interrupted));
    close().then(
      () => process.exit(code),
      (error) => {
        printError(internalErrorLine(error));
        process.exit(EXIT.fault);
      },
    );
  };
  process.once('SIGINT', () => end(EXIT.interrupted));
  process.once('SIGTERM', () => end(EXIT.terminated));
  process.once('SIGHUP', () => end(EXIT.hungUp));
}

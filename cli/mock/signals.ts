import { EXIT, faultLine } from '../exit-codes.js';
import { complain } from '../print.js';

/** Ctrl-C ends it in order, a second one at once. */
export function endOnSignal(close: () => Promise<void>): void {
  const end = (code: number) => {
    process.on('SIGINT', () => process.exit(EXIT.interrupted));
    close().then(
      () => process.exit(code),
      (error) => {
        complain(faultLine(error));
        process.exit(EXIT.fault);
      },
    );
  };
  process.once('SIGINT', () => end(EXIT.interrupted));
  process.once('SIGTERM', () => end(EXIT.terminated));
  process.once('SIGHUP', () => end(EXIT.hungUp));
}

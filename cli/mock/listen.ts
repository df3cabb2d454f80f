import { EXIT, formatInternalError, UsageError } from '../exit-codes.js';
import { printError } from '../print.js';

/** A usage error for an address that cannot be used; any other error unchanged. */
export function toListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new UsageError(
        `port ${port} on ${host} is taken: choose one with --port, or any free one with --port 0.`,
      );
    case 'EACCES':
      return new UsageError(
        `port ${port} may not be opened by this user: choose one above 1023 with --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new UsageError(
        `${host} is no address of this machine: --host takes 127.0.0.1, ::1, 0.0.0.0 or another address it has.`,
      );
    default:
      return error;
  }
}

/** From now on an uncaught error is reported instead of ending the process: the server continues. */
export function surviveFaults(onFault: (error: unknown) => void): void {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.removeAllListeners(event).on(event, onFault);
}

/** The first Ctrl-C ends the server in order, a second one at once. */
export function closeOnSignal(close: () => Promise<void>): void {
  const end = (code: number) => {
    process.on('SIGINT', () => process.exit(EXIT.interrupted));
    close().then(
      () => process.exit(code),
      (error) => {
        printError(formatInternalError(error));
        process.exit(EXIT.fault);
      },
    );
  };
  process.once('SIGINT', () => end(EXIT.interrupted));
  process.once('SIGTERM', () => end(EXIT.terminated));
  process.once('SIGHUP', () => end(EXIT.hungUp));
}

import { EXIT, internalErrorLine } from '../exit-codes.js';
import { printError } from '../print.js';
import { UsageError } from '../usage.js';

/** Longest that what listens on a busy port gets to say whether it is taskdouble, ms. */
const ASK_MS = 1000;

/** Why it cannot listen there, in words; an error of any other kind as it is. */
export async function toListenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
): Promise<Error> {
  switch (error.code) {
    case 'EADDRINUSE': {
      const holder = (await isTaskdouble(host, port)) ? 'another taskdouble' : 'another program';
      return new UsageError(
        `port ${port} on ${host} is taken by ${holder}: choose one with --port, or any free one with --port 0.`,
      );
    }
    case 'EACCES':
      return new UsageError(
        `port ${port} may not be opened by this user: choose one above 1023 with --port.`,
      );
    case 'EADDRNOTAVAIL':
      return new UsageError(
        `${host} is no address of this machine: --host takes 127.0.0.1, ::1, 0.0.0.0 or another address it has.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new UsageError(
        `the host "${host}" is not known here: --host takes an address of this machine, such as 127.0.0.1.`,
      );
    default:
      return error;
  }
}

async function isTaskdouble(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(ASK_MS);
    const response = await fetch(`http://${name}:${port}/__admin/health`, { signal, redirect: 'manual' });
    const text = await response.text();
    // One that asks for an admin token names the header that it expects.
    return response.ok ? /"(in_flight|replay)":/.test(text) : text.includes('x-taskdouble-admin-token');
  } catch {
    return false;
  }
}

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

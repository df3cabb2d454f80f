import { Mistake } from '../mistake.js';

/** Why it cannot listen there, in words; an error of any other kind as it is. */
export function portMistake(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Mistake(
        `port ${port} on ${host} is taken by another program: choose one with --port, or any free one with --port 0.`,
      );
    case 'EACCES':
      return new Mistake(`port ${port} may not be opened by this user: choose one above 1023 with --port.`);
    case 'EADDRNOTAVAIL':
      return new Mistake(
        `${host} is no address of this machine: --host takes 127.0.0.1, ::1, 0.0.0.0 or another address it has.`,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new Mistake(
        `the host "${host}" is not known here: --host takes an address of this machine, such as 127.0.0.1.`,
      );
    default:
      return error;
  }
}

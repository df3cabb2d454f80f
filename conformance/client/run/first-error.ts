import { truncateText } from '../../../spec/show.js';
import type { ClientRun } from '../types.js';

const LONGEST = 300;
/** `TypeError: x is undefined`, `Error [ERR_MODULE_NOT_FOUND]: …`, `ModuleNotFoundError: …`, `panic: …`. */
const ERROR_LINE = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception)(?: \[\w+\])?|panic|fatal(?: error)?):? /i;
/** Lines that Node.js prints around an error. */
const NOISE = /^(Node\.js v|\s*at |\s*[{}\]]|\s*$)/;

/** The line of stderr with the error: by its name (in Python the last one), else the last line. */
export function findError(stderr: string): string | undefined {
  const lines = stderr.trim().split(/\r?\n/);
  const errors = lines.filter((line) => ERROR_LINE.test(line));
  const isPython = lines.some((line) => line.startsWith('Traceback '));
  const found = (isPython ? errors.at(-1) : errors[0]) ?? lines.findLast((line) => !NOISE.test(line));
  // Node.js prints the position of a syntax error in the first line.
  const place = found?.startsWith('SyntaxError') ? /^\S+:\d+$/.exec(lines[0]!)?.[0] : undefined;
  return found && truncateText(place ? `${found} (${place})` : found.trim(), LONGEST);
}

/** Why a client that crashes at startup cannot be tested, from its first run; otherwise undefined. */
export function findStartupCrash({
  end,
  exitCode,
  signal,
  line,
  exchanges,
  stderr,
  kind,
}: ClientRun): string | undefined {
  if (kind === 'function' || end !== 'by-itself' || line !== undefined || exchanges.length > 0)
    return undefined;
  if (exitCode === 0) return undefined;
  const how = signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
  const error = findError(stderr);
  const why = error === undefined ? 'It printed nothing' : error;
  return `the command ended at once ${how}, before any request. ${why}. Run it by itself first.`;
}

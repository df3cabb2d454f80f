import { CommanderError } from 'commander';
import { ReportError } from '../conformance/report/formats.js';
import { describeProblem, InvalidFile, UnknownName } from '../scenarios/format/invalid-file.js';
import type { AnyCommand } from './typed-commander.js';

export const EXIT = {
  /** The target conforms, or the command succeeded. */
  ok: 0,
  violation: 1,
  /** Wrong usage, configuration or scenario file. */
  usage: 2,
  /** The target could not be reached, or nothing could be tested. */
  unreachable: 3,
  /** A fault of the harness itself. */
  fault: 4,
  /** Ended by SIGHUP: the terminal was closed. */
  hungUp: 129,
  /** Ended by Ctrl-C (SIGINT). */
  interrupted: 130,
  /** Ended by SIGTERM. */
  terminated: 143,
} as const;

/** A mistake that the user can correct: one line on stderr, exit code 2, or 3 if the client cannot be started. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** `message`: what was expected, what was found, what to do. */
  constructor(
    message: string,
    readonly exitCode: number = EXIT.usage,
  ) {
    super(message.replace(/\s*\n\s*/g, ' '));
  }
}

/** Throws UsageError for given options that have no effect here. `why`: `--compare makes no run`. */
export function rejectOtherOptions(command: AnyCommand, why: string, allowed: readonly string[]): void {
  const given = command.options.filter(
    (option) => command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  const others = given.flatMap(({ long }) => (long && !allowed.includes(long) ? long : []));
  if (others.length > 0) throw new UsageError(`${why}: leave ${others.join(', ')} out.`);
}

/** The exit code of a failed command, and the line for stderr; no line if commander has printed it already. */
export function classifyError(error: unknown): { code: number; line?: string } {
  if (error instanceof InvalidFile) return { code: EXIT.usage, line: formatFirstProblem(error) };
  if (error instanceof UsageError) return { code: error.exitCode, line: error.message };
  if (error instanceof UnknownName || error instanceof ReportError)
    return { code: EXIT.usage, line: error.message };
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  return { code: EXIT.fault, line: formatInternalError(error) };
}

/** The first problem. Rules in shorthand come from `--network`. */
function formatFirstProblem({ problems }: InvalidFile): string {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return describeProblem({ ...first!, file: first!.file === 'network' ? '--network' : first!.file }) + more;
}

/** One line about an internal error; the stack only with TASKDOUBLE_DEBUG=1. */
export function formatInternalError(error: unknown): string {
  const description = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const line = `a fault of taskdouble itself: ${description.split('\n', 1)[0]} (TASKDOUBLE_DEBUG=1 shows where)`;
  const stack = process.env.TASKDOUBLE_DEBUG === '1' && error instanceof Error ? `\n${error.stack}` : '';
  return line + stack;
}

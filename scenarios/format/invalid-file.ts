import type { Problem } from './types.js';

/** Problems that a message reports. */
const MOST_REPORTED = 20;

/** A file, text or object that is not valid. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile';

  /** `problems`: at least one. The message has a line for each. */
  constructor(readonly problems: readonly Problem[]) {
    const lines = problems.slice(0, MOST_REPORTED).map(describeProblem);
    const left = problems.length - lines.length;
    super([...lines, ...(left > 0 ? [`(and ${left} more)`] : [])].join('\n'));
  }
}

/** An unknown name. The message shows the nearest name, or all names. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

/** `file:line:column: message`; of an object `scenario "x": message (at timeline[2].after)`. */
export function describeProblem({ file, line, column, path, message }: Problem): string {
  if (path === undefined) return `${file}:${line}:${column}: ${message}`;
  return `${file}: ${message}${path && ` (at ${path})`}`;
}

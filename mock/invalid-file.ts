import type { Problem } from '../scenarios/types.js';

/** A file or a text that was handed to the mock and that it cannot use. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile';

  /** `problems`: at least one. The message is about the first. */
  constructor(readonly problems: readonly Problem[]) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super(describeProblem(problems[0]!) + more);
  }
}

/** A name that nothing has. The message says which is nearest, or which there are. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

/** `file:line:column: message` */
export function describeProblem({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}: ${message}`;
}

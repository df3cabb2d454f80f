import type { Problem } from '../../scenarios/format/types.js';

/** Problems that a message tells of. */
const MOST_TOLD = 20;

/** A file, a text or an object that was handed to the mock and that it cannot use. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile';

  /** `problems`: at least one. The message tells of each, a line each. */
  constructor(readonly problems: readonly Problem[]) {
    const told = problems.slice(0, MOST_TOLD).map(describeProblem);
    const left = problems.length - told.length;
    super([...told, ...(left > 0 ? [`(and ${left} more)`] : [])].join('\n'));
  }
}

/** A name that nothing has. The message says which is nearest, or which there are. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

/** `file:line:column: message`; of an object `scenario "x": timeline[2].after: message`. */
export function describeProblem({ file, line, column, path, message }: Problem): string {
  if (path === undefined) return `${file}:${line}:${column}: ${message}`;
  // Most messages begin with the end of the path.
  const told = message.slice(0, message.indexOf(': '));
  const isTold = told !== '' && `.${path}`.endsWith(`.${told}`);
  const place = path === '' || path.startsWith('[') ? file + path : `${file}: ${path}`;
  return `${place}: ${isTold ? message.slice(told.length + 2) : message}`;
}

/** The feature needs Node.js and is not available in a browser: files, ports, the clocks of a process. */
export class NeedsNode extends TypeError {
  override readonly name = 'NeedsNode';
}

export function isNode(): boolean {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  return typeof process?.versions?.node === 'string';
}

/**
 * Throws NeedsNode outside Node.js: `what` needs it, `instead` is the advice. Called before the module that
 * needs it is loaded, so that an offline page shows the message, too.
 */
export function needNode(what: string, instead: string): void {
  if (!isNode()) throw new NeedsNode(`${what}, which requires Node.js; ${instead}`);
}

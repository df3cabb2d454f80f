/** Not in a browser: files, ports, the clocks of a process. */
export class NeedsNode extends TypeError {
  override readonly name = 'NeedsNode';
}

export function isNode(): boolean {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  return typeof process?.versions?.node === 'string';
}

/**
 * Throws NeedsNode outside of Node.js: `what` needs it, `instead` says what to do. Called before the module is
 * loaded that needs it, so that an offline page shows the message, too.
 */
export function needNode(what: string, instead: string): void {
  if (!isNode()) throw new NeedsNode(`${what}, which there is only in Node.js; ${instead}`);
}

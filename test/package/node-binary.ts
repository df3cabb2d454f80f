import { execFileSync } from 'node:child_process';

/** Path of the binary of a version of Node.js, brought by npx where it is not in npm's cache yet. */
export function findNodeBinary(version: string): string {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) {
    throw new TypeError(`expected a version of Node.js such as 24 or 20.20, got "${version}"`);
  }
  const args = ['-y', `node@${version}`, '-p', 'process.execPath'];
  return execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

import { spawn } from 'node:child_process';
import { isLoopbackHost } from '../spec/addresses.js';
import { printWarning } from './print.js';

/** `--open` of the commands that have a page to show. */
export const OPEN = ['--open', 'open the page in the default browser'] as const;

/** What opens an address in the default browser, without a shell that would read the address. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address of this machine (http, or a file: address) in the default browser. Never throws: one line on stderr names the address
 * where that is impossible. Resolves once the browser's command has started, which may outlive this process.
 */
export async function openBrowser(address: string): Promise<void> {
  const warn = (why: string) => printWarning(`--open: ${why}; open ${address} in a browser.`);
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'file:' && !isLoopbackHost(hostname))
    return warn('only an address of this machine is opened');
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.unref();
  child.once('exit', (code) => {
    // Exit codes of the Windows command say nothing.
    if (code && process.platform !== 'win32') warn(`${command} found no browser`);
  });
  await new Promise<void>((resolve) => {
    child.once('spawn', resolve);
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      warn(code === 'ENOENT' ? `${command} is not installed` : message);
      resolve();
    });
  });
}

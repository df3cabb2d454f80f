import { spawn } from 'node:child_process';
import { isLoopbackHost } from '../spec/addresses.js';
import { printWarning } from './print.js';

export const OPEN = ['--open', 'open the page in the default browser'] as const;

/** Commands that open an address in the default browser. No shell interprets the address. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address of this machine (http or file) in the default browser. Never throws: a failure is one line on stderr with the
 * address. Resolves when the browser's command has started; that command may outlive this process.
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
    // The exit code of the Windows command is meaningless.
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

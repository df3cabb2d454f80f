import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endChildren, startChild } from '../test/support/children.js';

const MAIN = join(import.meta.dirname, '../dist/command/main.js');
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-parent-'));
afterEach(async () => {
  await endChildren();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts a parent that starts the command; the first line that the command prints, and how the parent is killed. */
async function startWithParent(...args: string[]) {
  const start = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([MAIN, ...args])}, { stdio: 'inherit' })`;
  const parent = startChild(process.execPath, ['-e', `${start}; setInterval(() => {}, 1e6)`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group, so that nothing outlives a failed test.
    detached: true,
  });
  const [line] = await once(createInterface(parent.stdout!), 'line');
  const { base_url } = JSON.parse(line) as { base_url: string };
  return { base_url, parent };
}

const isRefused = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );
const FLAGS = ['--port', '0', '--json', '--quiet', '--exit-with-parent'];
/** Generous: on a busy machine a second may take long. */
const DEADLINE = { timeout: 300_000, interval: 100 };

describe('--exit-with-parent', () => {
  it('ends the mock and the proxy in order after their parent was killed', async () => {
    const mock = await startWithParent('mock', ...FLAGS);
    const report = join(directory, 'report.txt');
    const proxy = await startWithParent('proxy', mock.base_url, ...FLAGS, '--report', `pretty=${report}`);
    expect(await isRefused(mock.base_url)).toBe(false);
    expect(await isRefused(proxy.base_url)).toBe(false);
    proxy.parent.kill('SIGKILL');
    await vi.waitFor(() => expect(readFileSync(report, 'utf8')).toContain('client'), DEADLINE);
    await vi.waitFor(async () => expect(await isRefused(proxy.base_url)).toBe(true), DEADLINE);
    expect(await isRefused(mock.base_url)).toBe(false);
    mock.parent.kill('SIGKILL');
    await vi.waitFor(async () => expect(await isRefused(mock.base_url)).toBe(true), DEADLINE);
  });
});

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { endAll, RunningCommand } from '../test/support/cli/command.js';
import { openBrowser } from './open-browser.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-open-'));
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await endAll();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** PATH with an xdg-open that does this. */
function pathWith(script: string): string {
  const path = mkdtempSync(join(directory, 'bin-'));
  writeFileSync(join(path, 'xdg-open'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(path, 'xdg-open'), 0o755);
  return [path, '/usr/bin', '/bin'].join(delimiter);
}

function warnings(): string[] {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  return lines;
}

describe.runIf(process.platform === 'linux')('--open', () => {
  it('of the mock opens studio', async () => {
    const opened = join(directory, 'opened');
    const env = { PATH: pathWith(`echo "$#:$1" > ${opened}.part; mv ${opened}.part ${opened}`) };
    const command = new RunningCommand(['mock', '--port', '0', '--json', '--open'], { env });
    const [line] = await command.waitForOutput(/^\{.*\}$/m, 'stdout');
    await expect.poll(() => existsSync(opened)).toBe(true);
    expect(readFileSync(opened, 'utf8')).toBe(`1:${JSON.parse(line).base_url}/\n`);
    expect((await command.stop()).stderr).toBe('');
  });

  it('names the address where there is no browser, and fails nothing', async () => {
    const lines = warnings();
    vi.stubEnv('PATH', directory);
    await openBrowser('http://127.0.0.1:4010/');
    expect(lines).toEqual([
      'taskdouble: --open: xdg-open is not installed; open http://127.0.0.1:4010/ in a browser.\n',
    ]);
    vi.stubEnv('PATH', pathWith('exit 3'));
    await openBrowser('http://[::1]:4010/');
    await expect
      .poll(() => lines[1])
      .toBe('taskdouble: --open: xdg-open found no browser; open http://[::1]:4010/ in a browser.\n');
  });

  it('opens no address of another machine', async () => {
    const lines = warnings();
    await openBrowser('http://192.0.2.1:4010/');
    expect(lines).toEqual([expect.stringContaining('only an address of this machine is opened')]);
  });
});

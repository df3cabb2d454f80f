import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, RunningCommand } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-faults-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

// Throws once the command is there to catch it, as a mistake in our code would.
const bomb = join(directory, 'bomb.mjs');
writeFileSync(
  bomb,
  `const timer = setInterval(() => {
  if (process.listenerCount('uncaughtException') === 0) return;
  clearInterval(timer);
  THROW;
}, 1);`.replace('THROW', "throw new RangeError('the roof is leaking')"),
);
const env = { NODE_OPTIONS: `--import ${pathToFileURL(bomb)}` };

describe('a fault of the command itself', () => {
  it('is one line on stderr and exit code 4', async () => {
    const { code, stderr } = await new RunningCommand(['mock', '--port', '0', '--quiet'], { env }).ended;
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr:
        'taskdouble: a fault of taskdouble itself: RangeError: the roof is leaking (TASKDOUBLE_DEBUG=1 shows where)\n',
    });
  });

  it('comes with its stack when TASKDOUBLE_DEBUG is 1', async () => {
    const debug = { ...env, TASKDOUBLE_DEBUG: '1' };
    const { code, stderr } = await new RunningCommand(['mock', '--port', '0', '--quiet'], { env: debug })
      .ended;
    expect(code).toBe(4);
    expect(stderr).toMatch(/^\s+at .*bomb\.mjs/m);
  });
});

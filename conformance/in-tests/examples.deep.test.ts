import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode, runVitest } from '../../test/support/in-tests/run.js';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = 'fixtures/examples';

// Each as its own process, as in a project that has the package installed.
describe('the examples', () => {
  it('are sound TypeScript', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { code, stdout } = await runNode([tsc, '-p', EXAMPLES]);
    expect(code, stdout).toBe(0);
  });

  it('vitest: all tests pass', async () => {
    const { code, stdout, stderr } = await runVitest(`${EXAMPLES}/vitest`);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/Tests {2}4 passed \(4\)/);
  });

  it('vitest with MSW: all tests pass', async () => {
    const { code, stdout, stderr } = await runVitest(`${EXAMPLES}/vitest-msw`);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/Tests {2}1 passed \(1\)/);
  });

  it('node:test: all tests pass', async () => {
    const { code, stdout } = await runNode(['--test', `${EXAMPLES}/node-test/weather-client.spec.mjs`]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/pass 2\b/);
  });

  it('a plain script: shows the conversation of the client and the mock', async () => {
    const { code, stdout, stderr } = await runNode([`${EXAMPLES}/script/check-client.mjs`]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/\+2\.000 s {2}client {3}GET \/task\/\w{8}\?event_t=\+0\.300s → 200 done\n/);
    expect(stdout).toMatch(/It is 9 °C in Paris; take a coat\.\n$/);
  });
});

describe('the examples with a client that replies twice to each call', () => {
  // Inside the package, so that its name resolves.
  const broken = join(ROOT, 'dist', `examples-${process.pid}`);
  beforeAll(() => {
    cpSync(join(ROOT, EXAMPLES), broken, { recursive: true });
    const client = join(broken, 'weather-client.mjs');
    const reply = /^ *await call\('POST', `\/task\/\$\{id\}\/event`,[\s\S]*?\);\n/m;
    const text = readFileSync(client, 'utf8');
    expect(text).toMatch(reply);
    writeFileSync(
      client,
      text.replace(reply, (lines) => lines + lines),
    );
  });
  afterAll(() => rmSync(broken, { recursive: true }));

  it('fail in vitest', async () => {
    for (const example of ['vitest', 'vitest-msw']) {
      const { code, stderr } = await runVitest(relative(ROOT, join(broken, example)));
      expect(code).toBe(1);
      expect(stderr).toContain(
        '2 replies were sent: one was confirmed (200), and another one was sent after it',
      );
      expect(stderr).toContain('taskdouble: seed 1');
    }
  });

  it('fail in node:test', async () => {
    const { code, stdout } = await runNode(['--test', join(broken, 'node-test/weather-client.spec.mjs')]);
    expect(code).toBe(1);
    expect(stdout).toContain('reply to get_weather (weather): 200 {"temp_c":9} → 200');
  });

  it('fail as a script, with the conversation and the seed', async () => {
    const { code, stderr } = await runNode([join(broken, 'script/check-client.mjs')]);
    expect(code).toBe(1);
    expect(stderr).toContain('taskdouble: seed 7 (the same again: TASKDOUBLE_SEED=7), the conversation:');
    expect(stderr.match(/reply to get_weather \(weather\): 200 \{"temp_c":9\} → 200/g)).toHaveLength(2);
  });
});

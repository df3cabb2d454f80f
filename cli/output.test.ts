import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { VERSION } from '../conformance/common/version.js';
import { endAll, RunningCommand, startMock } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-output-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

const hasCurl = spawnSync('curl', ['--version']).status === 0 && process.platform !== 'win32';

describe('what taskdouble mock prints', () => {
  it('is one line of JSON on stdout with --json, and nothing else there', async () => {
    const mock = await startMock();
    await mock.call('POST', '/task', { task: 'x' });
    const { stdout } = await mock.command.stop();
    expect(stdout.split('\n')).toEqual([expect.any(String), '']);
    const { base_url, port, admin_url, seed } = mock;
    expect(JSON.parse(stdout)).toEqual({ base_url, port, admin_url, seed, version: VERSION });
  });

  it('is a banner for people, with addresses, seed and keys', async () => {
    const scenario = join(directory, 'mine.yaml');
    writeFileSync(scenario, 'title: x\nrequest: { task: x }\ntimeline:\n  - { service: finish }\n');
    const command = new RunningCommand(['mock', '--port', '0', '--seed', '77', '--scenarios', scenario]);
    const [, base_url] = await command.waitForOutput(/base URL +(http:\S+)/, 'stdout');
    await command.waitForOutput(/Ctrl-C/, 'stdout');
    expect(command.stdout).toContain(`${base_url}/__admin`);
    expect(command.stdout).toMatch(/seed +77/);
    expect(command.stdout).toMatch(/scenarios +1 of yours/);
    for (const key of ['invalid-', 'exhausted-', 'free-', 'limited-']) expect(command.stdout).toContain(key);
    expect(command.stdout).not.toContain('\u001b');
  });

  it.runIf(hasCurl)('has a curl line that works when it is pasted', async () => {
    const command = new RunningCommand(['mock', '--port', '0']);
    await command.waitForOutput(/Ctrl-C/, 'stdout');
    const pasted = command.stdout.slice(command.stdout.indexOf('id=$('), command.stdout.indexOf('Ctrl-C'));
    const { stdout } = await promisify(execFile)('bash', ['-c', pasted]);
    expect(JSON.parse(stdout).r).toMatchObject({ status: 'running', events: [] });
  });

  it('has colors with FORCE_COLOR, never with NO_COLOR', async () => {
    const forced = new RunningCommand(['mock', '--port', '0'], { env: { FORCE_COLOR: '1' } });
    await forced.waitForOutput(/Ctrl-C/, 'stdout');
    expect(forced.stdout).toContain('\u001b[');
    const plain = new RunningCommand(['mock', '--port', '0'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
    await plain.waitForOutput(/Ctrl-C/, 'stdout');
    expect(plain.stdout).not.toContain('\u001b[');
  });

  it('logs on stderr which scenario a task follows, which is the closest, and how it ended', async () => {
    const scenario = join(directory, 'greeting.yaml');
    writeFileSync(scenario, 'title: x\nrequest: { task: Say hello }\ntimeline:\n  - { service: finish }\n');
    const mock = await startMock('--scenarios', scenario);
    const { id } = (await mock.call('POST', '/task', { task: 'Say hello' })).body.r;
    await mock.command.waitForOutput(new RegExp(`created ${id} follows scenario greeting \\(match\\)`));
    await mock.call('GET', `/task/${id}`);
    await mock.command.waitForOutput(new RegExp(`ended +${id} done`));
    await mock.call('POST', '/task', { task: 'Say nothing' });
    await mock.command.waitForOutput(/improvises; no scenario matched; the closest is greeting: \S+/);
    await mock.call('POST', '/task', { task: 'x' }, { apikey: 'exhausted-1' });
    await mock.command.waitForOutput(/refused a task: 429 The credits are used up/);
    const { id: other } = (await mock.call('POST', '/task', { task: null })).body.r;
    await mock.call('DELETE', `/task/${other}`);
    await mock.command.waitForOutput(new RegExp(`ended +${other} stopped by the client`));
  });

  it('is nothing with --quiet, but for a warning', async () => {
    const mock = await startMock('--quiet');
    await mock.call('POST', '/task', { task: 'x' });
    expect((await mock.command.stop()).stderr).toBe('');
    const silent = new RunningCommand(['mock', '--port', '0', '--quiet', '--host', '0.0.0.0']);
    await silent.waitForOutput(/other machines/);
    const { stdout } = await silent.stop();
    expect(stdout).toBe('');
  });
});

describe('how taskdouble mock ends', () => {
  it('with 130 on Ctrl-C, 143 on SIGTERM and 129 on SIGHUP, even while requests are held', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      const mock = await startMock('--quiet', '--network', 'hold of getUsage until gate never');
      const held = mock.call('GET', '/usage').catch((error: Error) => error.name);
      while ((await mock.callAdmin('GET', '/health')).body.in_flight === 0);
      expect(await mock.command.stop(signal)).toMatchObject({ code, stderr: '' });
      expect(await held).toBe('TypeError');
    }
  });
});

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { endChildren, startChild } from '../support/children.js';
import { createEnvironment } from './environment.js';
import { Project } from './project.js';

describe('the installed command', () => {
  let project: Project;

  beforeAll(() => {
    project = new Project({ tarball: inject('packed').tarball, type: 'module', beside: ['vitest'] });
  });
  afterEach(endChildren);
  afterAll(() => project.clear());

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(project.run('npx', 'taskdouble', '--version')).toEqual({ code: 0, output: `${version}\n` });
  });

  it('lists the scenarios', () => {
    const { code, output } = project.run('npx', 'taskdouble', 'scenarios', 'list');
    expect(code, output).toBe(0);
    expect(output).toContain('polling/one-shot');
  });

  it('writes an adapter that a client can start from, and judges it', () => {
    expect(project.run('npx', 'taskdouble', 'client', '--init', 'node', 'adapter.mjs').code).toBe(0);
    const asked = ['client', '--scenario', 'polling/one-shot', '--', 'node', 'adapter.mjs'];
    const { code, output } = project.run('npx', 'taskdouble', ...asked);
    expect(code, output).toBe(0);
    expect(output).toContain('node adapter.mjs conforms');
  });

  it('writes the first files of a project, and their test passes', () => {
    const { code, output } = project.run('npx', 'taskdouble', 'init');
    expect(code, output).toBe(0);
    expect(output).toContain('npx vitest run test/taskdouble.test.mjs');
    const tested = project.run('npx', 'vitest', 'run', 'test/taskdouble.test.mjs');
    expect(tested.code, tested.output).toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('plays the service until %s', async (signal) => {
    // A group of its own: the signal reaches npx and what npx has started, as that of a terminal does.
    const asked = ['taskdouble', 'mock', '--port', '0', '--json', '--quiet', '--clock', 'manual'];
    const child = startChild('npx', asked, {
      cwd: project.directory,
      env: createEnvironment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const { base_url } = await firstLine(child);
    const headers = { apikey: 'demo', 'content-type': 'application/json' };
    const created = await fetch(`${base_url}/api/v1/task`, {
      method: 'POST',
      headers,
      body: '{"task": "Find tea"}',
    });
    const { id } = ((await created.json()) as { r: { id: string } }).r;
    const polled = await fetch(`${base_url}/api/v1/task/${id}`, { headers });
    expect(((await polled.json()) as { r: { status: string } }).r.status).toBe('running');

    process.kill(-child.pid!, signal);
    await ended;
    await expect(fetch(base_url)).rejects.toThrow();
  });
});

async function firstLine(child: ChildProcess): Promise<{ base_url: string }> {
  let text = '';
  for await (const chunk of child.stdout!.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n')) return JSON.parse(text);
  }
  throw new Error(`it ended before it said where it listens: ${text}`);
}

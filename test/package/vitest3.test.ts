import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { readPage } from '../docs/support/markdown.js';
import { ROOT } from './pack.js';
import { Project } from './project.js';

const page = readPage(join(ROOT, 'docs/test-in-vitest.md'));
const files = page.blocks.filter(({ info: [, kind] }) => kind === 'file' || kind === 'vitest');
const FAILING = 'failing.test.js';

/** The tests of docs/test-in-vitest.md, which say what goes with vitest 3, in a project that has the oldest of it. */
describe.each(['3.0'])('a project with vitest %s', (version) => {
  let project: Project;

  beforeAll(() => {
    project = new Project({
      tarball: inject('packed').tarball,
      type: 'module',
      beside: [`vitest@${version}`, 'msw'],
    });
    for (const { info, text } of files) project.write(info[2]!, text);
    cpSync(join(ROOT, 'fixtures/clients'), join(project.directory, 'fixtures/clients'), { recursive: true });
  });
  afterAll(() => project.clear());
  beforeEach(({ skip }) => skip(project.installed !== 'npm', 'the npm registry cannot be reached'));

  it('passes the tests of the page, side by side too', () => {
    const { code, output } = project.run('npx', 'vitest', 'run', '--exclude', FAILING);
    expect(code, output).toBe(0);
    expect(output).toContain(`RUN  v3.`);
    expect(output).toMatch(new RegExp(`Test Files +${files.length - 2} passed`));
  });

  it('shows the conversation and the seed of a test that fails', () => {
    const { code, output } = project.run('npx', 'vitest', 'run', FAILING);
    expect(code, output).toBe(1);
    expect(output).toContain("expected 'It is 9 °C in Paris; take a coat.' to contain '10 °C'");
    expect(output).toContain('taskdouble: seed 1 (the same again: TASKDOUBLE_SEED=1), the conversation:');
    expect(output).toMatch(/\+2\.000 s {2}client {3}GET \/task\/\w{8}\?event_t=\+0\.300s → 200 done\n/);
  });
});

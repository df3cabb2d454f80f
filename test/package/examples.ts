import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { ROOT } from './pack.js';
import { Project } from './project.js';

const EXAMPLES = join(ROOT, 'fixtures/examples');

/** What one test runner is asked to do with its example. */
export interface RunnerExample {
  /** The runner, `NAME@VERSION`, and its folder in fixtures/examples. */
  install: string;
  folder: string;
  /** The command that runs the example. */
  command: readonly [string, ...string[]];
  /** What it prints when the one test has passed. */
  passed: RegExp;
}

/** Tests that the example passes in a project that has the runner, and that it fails, with the conversation, where it should. */
export function testExample({ install, folder, command: [command, ...args], passed }: RunnerExample): void {
  let project: Project;

  beforeAll(() => {
    project = new Project({ tarball: inject('packed').tarball, type: 'module', beside: [install] });
    cpSync(join(EXAMPLES, folder), join(project.directory, folder), { recursive: true });
    cpSync(join(EXAMPLES, 'weather-client.mjs'), join(project.directory, 'weather-client.mjs'));
  });
  afterAll(() => project.clear());
  beforeEach(({ skip }) => skip(project.installed !== 'npm', 'the npm registry cannot be reached'));

  it('passes', () => {
    const { code, output } = project.run(command, ...args);
    expect(code, output).toBe(0);
    expect(output).toMatch(passed);
  });

  it('shows the conversation and the seed of a test that fails', () => {
    const spec = join(project.directory, folder, 'weather-client.spec.mjs');
    writeFileSync(spec, readFileSync(spec, 'utf8').replace('9 °C', '10 °C'));
    const { code, output } = project.run(command, ...args);
    expect(code, output).toBe(1);
    expect(output).toContain('taskdouble: seed 1 (the same again: TASKDOUBLE_SEED=1), the conversation:');
    // No second was waited for: the requests are where virtual time puts them.
    expect(output).toMatch(/\+2\.000 s {2}client {3}GET \/task\/\w{8}\?event_t=\+0\.300s → 200 done\n/);
  });
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { Workbench } from './workbench.js';

const ROOT = join(import.meta.dirname, '../../..');

interface GitlabJob {
  image?: string;
  script: string[];
  artifacts?: { when?: string; paths?: string[]; reports?: Record<string, string> };
}

/** Runs the scripts of all jobs, save for the installation. A service is a mock. */
export async function checkGitlabJobs(text: string, bench: Workbench): Promise<void> {
  const { default: shared, ...jobs } = parse(text) as { default?: { image?: string } } & Record<
    string,
    GitlabJob
  >;
  if (bench.isIdle) await bench.start('npx taskdouble mock');
  bench.save('taskdouble.mjs', `await import(${JSON.stringify(join(ROOT, 'dist/command/main.js'))});`);
  // As on GitLab, the jobs of a stage beside each other.
  const runJob = async ([name, { image, script, artifacts = {} }]: [string, GitlabJob]) => {
    expect(image ?? shared?.image, name).toMatch(/^[\w./-]+:[\w.-]+$/);
    // Reports of a job that fails are what it is about.
    expect(artifacts.when, name).toBe('always');
    const commands = script.filter((line) => line !== 'npm ci');
    const { code, output } = await bench.run(
      `export SERVICE_URL=${bench.base_url} TASKDOUBLE_API_KEY=ci-${name}; set -e\n${commands.join('\n')}`,
    );
    expect(code, output).toBe(0);
    for (const path of [...(artifacts.paths ?? []), ...Object.values(artifacts.reports ?? {})])
      expect(existsSync(join(bench.directory, path)), `${name}: ${path}`).toBe(true);
  };
  await Promise.all(Object.entries(jobs).map(runJob));
}

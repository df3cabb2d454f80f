import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const DIRECTORY = join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string>; steps: { run?: string; uses?: string }[] }>;
}

const workflows = readdirSync(DIRECTORY).map((name): [string, Workflow] => [
  name,
  parse(readFileSync(join(DIRECTORY, name), 'utf8')),
]);

it('there are workflows for changes and for releases', () => {
  expect(workflows.map(([name]) => name).sort()).toEqual(['ci.yml', 'release.yml']);
});

describe.each(workflows)('%s', (_, { permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('may read the repository, and a job that may more runs nothing of it', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs).filter((each) => each.permissions))
      for (const { run = '', uses = '' } of job.steps) {
        expect(uses).not.toContain('checkout');
        expect(run).not.toMatch(/npm|bash/);
      }
  });

  it('calls scripts that exist, and actions by version', () => {
    for (const { run = '', uses } of steps) {
      for (const [, name] of run.matchAll(/npm run (?:--silent )?([\w:]+)/g))
        expect(scripts).toHaveProperty([name!]);
      for (const [, path] of run.matchAll(/bash (\S+)/g))
        expect(existsSync(join(ROOT, path!)), path).toBe(true);
      // As text in a command, what others may choose could be a command.
      expect(run).not.toContain('${{');
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
    }
  });
});

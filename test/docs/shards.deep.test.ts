import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const SHARDS = 4;
const directory = mkdtempSync(join(tmpdir(), 'taskdouble-shards-'));
afterAll(() => rmSync(directory, { recursive: true }));

const readText = (file: string) => readFileSync(join(ROOT, 'docs/shards', file), 'utf8');

/** A ready file as the commands that its jobs run. */
interface ReadyFile {
  file: string;
  /** The command of a shard (from 0) and the variables that it has. */
  search(shard: number): { command: string; env: Record<string, string> };
  merge: string[];
  mergeEnv?: Record<string, string>;
}

function github(): ReadyFile {
  const { permissions, jobs } = parse(readText('github-matrix.yaml'));
  expect(permissions).toEqual({ contents: 'read' });
  const { env, strategy, steps } = jobs.search;
  expect(strategy.matrix.shard).toHaveLength(SHARDS);
  const commands = (all: { run?: string }[]) =>
    all.flatMap(({ run }) => (run?.includes('taskdouble') ? [run] : []));
  const values: Record<string, string> = { 'strategy.job-total': String(SHARDS) };
  const evaluate = (text: string, shard: number) =>
    text.replace(
      /\$\{\{ (\S+) \}\}/g,
      (_, name) => ({ ...values, 'strategy.job-index': String(shard) })[name as string]!,
    );
  return {
    file: 'github-matrix.yaml',
    search: (shard) => ({
      command: commands(steps)[0]!,
      env: Object.fromEntries(
        Object.entries(env).map(([name, text]) => [name, evaluate(text as string, shard)]),
      ),
    }),
    merge: commands(jobs.merge.steps),
  };
}

function gitlab(): ReadyFile {
  const { races, 'merge-races': merge } = parse(readText('gitlab-parallel.yaml'));
  expect(races.allow_failure.exit_codes).toEqual([1]);
  return {
    file: 'gitlab-parallel.yaml',
    search: (shard) => ({
      command: races.script[1],
      env: { CI_NODE_INDEX: String(shard + 1), CI_NODE_TOTAL: String(races.parallel) },
    }),
    merge: merge.script.slice(1),
  };
}

function kubernetes(): ReadyFile {
  const jobs = parseAllDocuments(readText('kubernetes-indexed-job.yaml')).map((each) => each.toJS());
  const [search, merge] = jobs.map(({ spec }) => spec.template.spec.containers[0]);
  const { completionMode, completions, parallelism } = jobs[0].spec;
  expect({ completionMode, completions, parallelism }).toEqual({
    completionMode: 'Indexed',
    completions: SHARDS,
    parallelism: SHARDS,
  });
  const envOf = ({ env }: { env: { name: string; value: string }[] }) => ({
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
    RACES: join(directory, 'kubernetes-indexed-job.yaml/races'),
  });
  return {
    file: 'kubernetes-indexed-job.yaml',
    search: (shard) => ({
      command: search.args[0],
      env: { ...envOf(search), JOB_COMPLETION_INDEX: String(shard) },
    }),
    merge: merge.args,
    mergeEnv: envOf(merge),
  };
}

describe.each([github(), gitlab(), kubernetes()])(
  'docs/shards/$file',
  ({ file, search, merge, mergeEnv }) => {
    const cwd = join(directory, file);
    const run = (command: string, env: Record<string, string> = {}) =>
      spawnSync('sh', ['-e', '-c', command], {
        cwd,
        encoding: 'utf8',
        env: { PATH: `${join(directory, 'bin')}:${process.env.PATH}`, HOME: directory, ...env },
      });

    beforeAll(() => {
      // The client of the page, and a search of one scenario that is short.
      cpSync(join(ROOT, 'fixtures/clients'), cwd, { recursive: true });
      writeFileSync(
        join(cwd, 'client.mjs'),
        "process.argv[1] = import.meta.resolve('./buggy/dies-of-html.mjs').slice(7);\nawait import('./buggy/dies-of-html.mjs');\n",
      );
      mkdirSync(join(directory, 'bin'), { recursive: true });
      const shim = `#!/bin/sh
shift; command=$1; shift
[ "$command" = explore ] && set -- --scenario polling/one-shot --schedules 4 --deviations 1 "$@"
exec "${process.execPath}" "${join(ROOT, 'dist/command/main.js')}" "$command" "$@"
`;
      writeFileSync(join(directory, 'bin/npx'), shim, { mode: 0o755 });
    });

    // All are run in one of the files, the first and the last in the others: that they are told apart is their own.
    const isWhole = file.startsWith('github');
    const shards = isWhole ? Array.from({ length: SHARDS }, (_, n) => n) : [0, SHARDS - 1];

    it('runs its shards, and merges what they found', () => {
      for (const shard of shards) {
        const { command, env } = search(shard);
        const { status, stderr } = run(command, env);
        // GitLab tolerates the exit code, the others turn it into 0.
        expect([0, ...(file.startsWith('gitlab') ? [1] : [])], stderr).toContain(status);
        expect(stderr).toContain(`part ${shard + 1} of ${SHARDS}`);
      }
      const ended = merge.map((command) => run(command, mergeEnv));
      expect(
        ended.map(({ status }) => status),
        ended[0]!.stderr,
      ).toEqual(merge.map(() => 1));
      if (isWhole) expect(ended[0]!.stdout).not.toMatch(/(is|are) missing/);
      else expect(ended[0]!.stdout).toContain('shards 2/4 and 3/4 are missing');
      expect(ended[0]!.stdout).toContain('does not conform');
    });
  },
);

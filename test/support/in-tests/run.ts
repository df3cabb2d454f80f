import { execFile } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export interface NodeRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Node.js in a directory of the repository. */
export function runNode(args: readonly string[], { cwd = '.', env = {} } = {}): Promise<NodeRun> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TASKDOUBLE_|NODE_OPTIONS|NODE_TEST|FORCE_COLOR|VITEST|GITHUB_|CI$)/.test(name),
  );
  const options = {
    cwd: join(ROOT, cwd),
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env },
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** `npx vitest run` in a directory. */
export function runVitest(cwd: string, args: readonly string[] = [], env = {}): Promise<NodeRun> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'no.config.mjs');
  return runNode([vitest, 'run', '--root', '.', '--config', config, '--testTimeout', '60000', ...args], {
    cwd,
    env,
  });
}

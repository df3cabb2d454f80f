import { realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, sep } from 'node:path';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { formatCommandLine } from './shell.js';

interface CommandStart {
  /** `process.argv[1]`. */
  program: string | undefined;
  cwd: string;
  /** The variable PATH. */
  path: string;
  /** Directory of the package, without symbolic links. */
  root: string;
}

/** The command as the user types it in `cwd`. Outside the CLI: `npx taskdouble`. */
export function readCommandName(cwd = process.cwd()): string {
  const { argv, env } = process;
  return resolveCommandName({
    program: argv[1],
    cwd,
    path: env.PATH ?? '',
    root: findRealPath(findPackageRoot())!,
  });
}

export function resolveCommandName({ program, cwd, path, root }: CommandStart): string {
  const main = join(root, 'dist/command/main.js');
  if (program === undefined || findRealPath(program) !== main || canUseNpx(program, cwd, root))
    return 'npx taskdouble';
  // npm puts directories named .bin before the path of its scripts: the shell of the user does not have them.
  const directories = path.split(delimiter).filter((directory) => basename(directory) !== '.bin');
  if (directories.some((directory) => findRealPath(join(directory, 'taskdouble')) === main))
    return 'taskdouble';
  const fromHere = relative(cwd, program);
  return formatCommandLine(['node', fromHere.length < program.length ? fromHere : program]);
}

/** True if npx runs this package in `cwd` without a request to a registry. */
function canUseNpx(program: string, cwd: string, root: string): boolean {
  const above = [cwd];
  while (dirname(above[0]!) !== above[0]) above.unshift(dirname(above[0]!));
  if (above.some((directory) => findRealPath(join(directory, 'node_modules/taskdouble')) === root))
    return true;
  // In a clone, npx links the clone into its cache.
  return program.includes(`${sep}_npx${sep}`) && above.includes(root);
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

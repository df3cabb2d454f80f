import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { formatCommandLine } from './shell.js';

interface CommandStart {
  /** `process.argv[1]`: of an executable, its name as the user typed it. */
  program: string | undefined;
  cwd: string;
  /** The variable PATH. */
  path: string;
  /** Directory of the package, without symbolic links. */
  root: string;
  /** Path of the executable that contains Node.js and taskdouble. */
  executable?: string | undefined;
}

/** The command as the user types it in `cwd`. Outside the CLI: `npx taskdouble`. */
export function readCommandName(cwd = process.cwd()): string {
  const { argv, env } = process;
  return resolveCommandName({
    program: argv[1],
    cwd,
    path: env.PATH ?? '',
    root: findRealPath(findPackageRoot())!,
    executable: findExecutable(),
  });
}

/** The words that start this command again, from any directory. */
export function readOwnCommand(): [program: string, ...args: string[]] {
  return findExecutable() === undefined ? [process.execPath, resolve(process.argv[1]!)] : [process.execPath];
}

/** True in `taskdouble.mjs` and in the executables, which unpack the command without the library. */
export function isUnpacked(root = findPackageRoot()): boolean {
  return existsSync(join(root, 'dist/command/start.cjs'));
}

function findExecutable(): string | undefined {
  return process.getBuiltinModule('node:sea').isSea() ? process.execPath : undefined;
}

export function resolveCommandName({ program, cwd, path, root, executable }: CommandStart): string {
  if (program === undefined) return 'npx taskdouble';
  const main = executable ?? (isUnpacked(root) ? findRealPath(program) : join(root, 'dist/command/main.js'));
  if (!executable && (findRealPath(program) !== main || canUseNpx(program, cwd, root)))
    return 'npx taskdouble';
  // npm puts directories named .bin before the path of its scripts: the shell of the user does not have them.
  const directories = path.split(delimiter).filter((directory) => basename(directory) !== '.bin');
  const name = executable ? basename(program) : 'taskdouble';
  if (directories.some((directory) => findRealPath(join(directory, name)) === main)) return name;
  const file = executable ?? program;
  const fromHere = relative(cwd, file);
  const shorter = fromHere.length < file.length ? fromHere : file;
  if (!executable) return formatCommandLine(['node', shorter]);
  return formatCommandLine([shorter.includes(sep) ? shorter : `.${sep}${shorter}`]);
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

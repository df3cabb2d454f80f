import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, extname, join } from 'node:path';

const JAVASCRIPT = ['.js', '.mjs', '.cjs'];

/** Why a command cannot be run in threads, after "runs are made in processes:"; undefined if no reason is known. */
export function explainNoThread([program = '', file = '']: readonly string[]): string | undefined {
  if (
    !/^node(\.exe)?$/.test(basename(program)) ||
    file.startsWith('-') ||
    !JAVASCRIPT.includes(extname(file))
  )
    return 'only "node FILE.mjs" (or .js, .cjs) can be run in threads';
  if (!existsSync(file)) return `there is no ${file}`;
  if (process.env['NODE_OPTIONS']) return 'NODE_OPTIONS is set';
  const path = findProgram(program);
  const isThisNode = path !== undefined && realpathSync(path) === realpathSync(process.execPath);
  return isThisNode ? undefined : 'it is started by another Node.js than taskdouble';
}

function findProgram(program: string): string | undefined {
  if (/[\\/]/.test(program)) return existsSync(program) ? program : undefined;
  const directories = (process.env['PATH'] ?? '').split(delimiter);
  return directories.map((each) => join(each || '.', program)).find(existsSync);
}

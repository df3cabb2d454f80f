import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { makeDirectory } from '../../conformance/report/make-directory.js';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { UsageError } from '../exit-codes.js';

/** A file to write: the template in fixtures/init, and what replaces its words in capitals. */
export interface Template {
  name: string;
  words?: Readonly<Record<string, string>>;
  /** The JSON Schema of the file, as a path in the package: editors find it through the first line, left out without one. */
  schema?: string;
}

/** Writes a template to `path`; false if there is a file already, which is left as it is. Throws UsageError. */
export function writeTemplate({ name, words = {}, schema }: Template, path: string): boolean {
  let text = readFileSync(join(packageRoot(), 'fixtures/init', name), 'utf8');
  if (schema === undefined) text = text.replace(/^# yaml-language-server: .*\n/, '');
  const all = schema === undefined ? words : { ...words, SCHEMA: schemaFor(path, schema) };
  for (const [word, value] of Object.entries(all)) text = text.replace(word, () => value);
  try {
    makeDirectory(dirname(path));
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(path)) return false;
    throw new UsageError(`${path} cannot be written: ${message}.`);
  }
}

/** The schema relative to the file, in the installed package: an absolute path would be of this machine only. */
function schemaFor(path: string, schema: string): string {
  const file = resolve(path);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const installed = join(folder, 'node_modules/taskdouble', schema);
    if (existsSync(installed)) return relativePath(file, installed);
    if (folder === packageRoot()) return relativePath(file, join(folder, schema));
  }
  return relativePath(file, resolve('node_modules/taskdouble', schema));
}

function relativePath(file: string, target: string): string {
  const path = relative(dirname(file), target).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

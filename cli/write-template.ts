import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { makeDirectory } from '../conformance/report/make-directory.js';
import { findPackageRoot } from '../scenarios/format/library/package-root.js';
import { UsageError } from './exit-codes.js';

export const SCENARIO_SCHEMA = 'scenarios/scenario.schema.json';

/** A file to write: the template in fixtures/init, and what replaces its words in capitals. */
export interface FileTemplate {
  name: string;
  words?: Readonly<Record<string, string>>;
  /** The JSON Schema of the file, as a path in the package: editors find it through the first line, left out without one. */
  schema?: string;
}

/** Writes a template to `path`; false if there is a file already, which is left as it is. Throws UsageError. */
export function writeTemplate({ name, words = {}, schema }: FileTemplate, path: string): boolean {
  let text = readFileSync(join(findPackageRoot(), 'fixtures/init', name), 'utf8');
  if (schema === undefined) text = text.replace(/^# yaml-language-server: .*\n/, '');
  const all = schema === undefined ? words : { ...words, SCHEMA: resolveSchema(path, schema) };
  for (const [placeholder, value] of Object.entries(all)) text = text.replace(placeholder, () => value);
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
function resolveSchema(path: string, schema: string): string {
  const file = resolve(path);
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const installed = join(folder, 'node_modules/taskdouble', schema);
    if (existsSync(installed)) return toRelativePath(file, installed);
    if (folder === findPackageRoot()) return toRelativePath(file, join(folder, schema));
  }
  return toRelativePath(file, resolve('node_modules/taskdouble', schema));
}

function toRelativePath(file: string, target: string): string {
  const path = relative(dirname(file), target).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

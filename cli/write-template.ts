import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { makeDirectory } from '../conformance/report/make-directory.js';
import { findPackageRoot } from '../scenarios/format/library/package-root.js';
import { UsageError } from './exit-codes.js';

export const SCENARIO_SCHEMA = 'scenarios/scenario.schema.json';

/** A template in fixtures/init, and the replacements of its words in capitals. */
export interface FileTemplate {
  name: string;
  words?: Readonly<Record<string, string>>;
  /** Path of the JSON Schema in the package. The first line of the template names it for editors; without a schema the line is removed. */
  schema?: string;
}

/** Writes a template to `path`; false if the file exists, which is not changed. Throws UsageError. */
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

/** The schema in the installed package, relative to the file: an absolute path would fit this machine only. */
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

import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client, ClientFunction } from '../../conformance/client/types.js';
import { UsageError } from '../usage-error.js';

/** The client function in a module: its export `run`, or its default export. Throws UsageError. */
export async function functionIn(file: string): Promise<Client> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`--function: ${file}: there is no such file.`);
  const module = await import(pathToFileURL(path).href).catch((error: unknown) => {
    const said = error instanceof Error ? error.message : String(error);
    const advice = /\.[cm]?tsx?$/.test(file) ? '; compile it first, or start taskdouble with tsx' : '';
    throw new UsageError(`--function: ${file} could not be loaded: ${said}${advice}.`);
  });
  const found = [module.run, module.default, module.default?.run].find((each) => typeof each === 'function');
  if (found === undefined) {
    const names = Object.keys(module).join(', ') || 'nothing';
    throw new UsageError(
      `--function: ${file}: expected a function as "export async function run({ baseUrl, apiKey, fetch, signal, job })" or as its default export; it exports ${names}.`,
    );
  }
  return { kind: 'function', run: found as ClientFunction, name: basename(file) };
}

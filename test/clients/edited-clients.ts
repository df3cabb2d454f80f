import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientFunction } from '../../conformance/client/types.js';

/** A client made of the reference client by one edit. */
export interface EditedClient {
  name: string;
  /** What it breaks; `-` for a correct client. */
  requirement: string;
  /** What it does otherwise. */
  title: string;
  find: string;
  replacement: string;
}

const CLIENTS = join(import.meta.dirname, '../../fixtures/clients');
const REFERENCE = readFileSync(join(CLIENTS, 'reference.mjs'), 'utf8');
const REQUESTS = readFileSync(join(CLIENTS, 'parts/requests.mjs'), 'utf8');

const ENTRY = /^([a-z0-9-]+) (-|[A-Z]+-\d+) (.+)\n- (.+)\n\+ (.+)\n?$/;

/** The entries of `buggy-edits.txt` or `correct-edits.txt`: what stands between blank lines, but for the head and headings. */
export function readEdits(file: 'buggy-edits.txt' | 'correct-edits.txt'): EditedClient[] {
  const [, ...entries] = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n\n');
  return entries.filter((entry) => !entry.startsWith('#')).map(readEdit);
}

function readEdit(entry: string): EditedClient {
  const [, name, requirement, title, find, replacement] = ENTRY.exec(entry) ?? [];
  if (!name || !requirement || !title || !find || !replacement) throw new Error(`no edit: ${entry}`);
  return { name, requirement, title, find, replacement };
}

/** How often the text that an edit replaces stands in the client. */
export function countOccurrences({ find }: EditedClient): number {
  return `${REFERENCE}\n${REQUESTS}`.split(find).length - 1;
}

export async function loadEdited({ find, replacement }: EditedClient): Promise<ClientFunction> {
  const requests = REQUESTS.replace(find, () => replacement);
  const reference = REFERENCE.replace(find, () => replacement)
    .replace('./parts/requests.mjs', toModuleUrl(requests))
    .replace('./parts/command.mjs', pathToFileURL(join(CLIENTS, 'parts/command.mjs')).href);
  const { run } = (await import(toModuleUrl(reference))) as { run: ClientFunction };
  return run;
}

function toModuleUrl(source: string): string {
  return `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
}

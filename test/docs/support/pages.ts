import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type MarkdownPage, readPage } from './markdown.js';

export const ROOT = join(import.meta.dirname, '../../..');
const FOLDERS = ['docs', 'fixtures', 'scenarios', 'conformance', 'mock', 'cli', 'spec', 'bench'];
const PAGES = [
  ...listMarkdown('.', false),
  ...FOLDERS.flatMap((folder) => listMarkdown(folder, true).filter((file) => !file.includes('node_modules'))),
];
/** Every page that a user reads. */
export const pages: readonly { name: string; file: string; page: MarkdownPage }[] = PAGES.map((name) => ({
  name,
  file: join(ROOT, name),
  page: readPage(join(ROOT, name)),
}));

function listMarkdown(folder: string, recursive: boolean): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file));
}

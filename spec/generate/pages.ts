/**
 * Writes the pages in docs/ that are made from the sources.
 *
 *   npx tsx spec/generate/pages.ts           write what has changed
 *   npx tsx spec/generate/pages.ts --check   change nothing, exit 1 when a page has drifted
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dialectsPage } from './dialects-page.js';
import { requirementsPage } from './requirements-page.js';
import { scenarioPage } from './scenario-page.js';

const FOLDER = new URL('../../docs/', import.meta.url);

/** The text of every page, by the name of its file. */
export function generatePages(): Map<string, string> {
  return new Map([
    ['dialects.md', dialectsPage()],
    ['requirements.md', requirementsPage()],
    ['scenario-reference.md', scenarioPage()],
  ]);
}

/** Names of the pages that are missing or differ from what would be written. */
export function driftedPages(pages: ReadonlyMap<string, string> = generatePages()): string[] {
  return [...pages].filter(([name, text]) => textOf(name) !== text).map(([name]) => name);
}

function textOf(name: string): string | undefined {
  const file = new URL(name, FOLDER);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function main(check: boolean): number {
  const pages = generatePages();
  const names = driftedPages(pages);
  for (const name of names) {
    if (check) console.error(`docs/${name} has drifted from its sources. Run: npm run generate:docs`);
    else {
      writeFileSync(new URL(name, FOLDER), pages.get(name)!);
      console.log(`docs/${name} written`);
    }
  }
  return check && names.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.includes('--check'));
}

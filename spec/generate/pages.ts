/**
 * Writes the pages and the picture in docs/ that are made from sources.
 *
 *   npx tsx spec/generate/pages.ts           write what has changed
 *   npx tsx spec/generate/pages.ts --check   change nothing, exit 1 when a page has drifted
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { instance } from '@viz-js/viz';
import { dialectsPage } from './dialects-page.js';
import { requirementsPage } from './requirements-page.js';
import { scenarioPage } from './scenario-page.js';

const FOLDER = new URL('../../docs/', import.meta.url);

/** The text of every page and picture, by the name of its file. */
export async function generatePages(): Promise<Map<string, string>> {
  const graphviz = await instance();
  return new Map([
    ['architecture.svg', graphviz.renderString(textOf('architecture.dot')!, { format: 'svg' })],
    ['dialects.md', dialectsPage()],
    ['requirements.md', requirementsPage()],
    ['scenario-reference.md', scenarioPage()],
  ]);
}

/** Names of the pages that are missing or differ from what would be written. */
export function driftedPages(pages: ReadonlyMap<string, string>): string[] {
  return [...pages].filter(([name, text]) => textOf(name) !== text).map(([name]) => name);
}

function textOf(name: string): string | undefined {
  const file = new URL(name, FOLDER);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function main(check: boolean): Promise<number> {
  const pages = await generatePages();
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
  process.exitCode = await main(process.argv.includes('--check'));
}

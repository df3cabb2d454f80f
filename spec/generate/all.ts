/**
 * Writes everything in spec/generated from the YAML files in spec/.
 *
 *   npx tsx spec/generate/all.ts           write what has changed
 *   npx tsx spec/generate/all.ts --check   change nothing, exit 1 when a file has drifted
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Document, readYaml } from './document.js';
import { generateDocuments, generateOpenPoints, generateRequirements } from './documents.js';
import { generateOperations } from './operations.js';
import { generateTypes } from './types.js';
import { generateResponseValidators, generateValidators } from './validators.js';

const FOLDER = new URL('../generated/', import.meta.url);

/** The text of every generated file, by its name. */
export async function generate(): Promise<Map<string, string>> {
  const document = readYaml('openapi.yaml') as Document;
  return new Map([
    ['openapi.ts', await generateTypes(document)],
    ['operations.ts', generateOperations(document)],
    ['validators.ts', generateValidators(document)],
    ['response-validators.ts', generateResponseValidators(document)],
    ['documents.ts', generateDocuments(document)],
    ['requirements.ts', generateRequirements()],
    ['open-points.ts', generateOpenPoints()],
  ]);
}

/** Names of the files in spec/generated that are missing, differ from what would be written, or do not belong there. */
export async function drifted(files?: Map<string, string>): Promise<string[]> {
  const wanted = files ?? (await generate());
  mkdirSync(FOLDER, { recursive: true });
  const present = readdirSync(FOLDER);
  const stale = present.filter((name) => !wanted.has(name));
  const changed = [...wanted].filter(
    ([name, text]) => !present.includes(name) || readFileSync(new URL(name, FOLDER), 'utf8') !== text,
  );
  return [...changed.map(([name]) => name), ...stale].sort();
}

async function main(check: boolean): Promise<number> {
  const files = await generate();
  const names = await drifted(files);
  if (check) {
    for (const name of names) console.error(`spec/generated/${name} has drifted from spec/*.yaml`);
    if (names.length > 0) console.error('Run: npm run generate');
    return names.length > 0 ? 1 : 0;
  }
  for (const name of names) {
    const text = files.get(name);
    if (text === undefined) rmSync(new URL(name, FOLDER));
    else writeFileSync(new URL(name, FOLDER), text);
    console.log(`spec/generated/${name} ${text === undefined ? 'removed' : 'written'}`);
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.includes('--check'));
}

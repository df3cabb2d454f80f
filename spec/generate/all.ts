/**
 * Writes everything in spec/generated from the YAML files in spec/, and the pages and the picture in docs/ that are made
 * from sources.
 *
 *   npx tsx spec/generate/all.ts           write what has changed
 *   npx tsx spec/generate/all.ts --check   change nothing, exit 1 when a file has drifted
 */
import { type ApiDescription, readYaml } from './document.js';
import { generateDocuments, generateOpenPoints, generateRequirements, generateTypes } from './documents.js';
import { drawGraph } from './draw-graph.js';
import { generateOperations } from './operations.js';
import { generateScenarioPage } from './scenario-page.js';
import { generateDialectsPage, generateRequirementsPage } from './section-pages.js';
import { generateValidators } from './validators.js';
import { readText, runGenerator } from './write-files.js';

/** Pictures of the docs, drawn from `.dot` files. */
const PICTURES = ['architecture', 'search-explore', 'search-client', 'search-service'];

/** The text of every file that is generated, by its path in the repository. */
export async function generate(): Promise<Map<string, string>> {
  const document = readYaml('openapi.yaml') as ApiDescription;
  return new Map([
    ['spec/generated/openapi.ts', await generateTypes(document)],
    ['spec/generated/operations.ts', generateOperations(document)],
    ['spec/generated/validators.ts', generateValidators(document)],
    ['spec/generated/documents.ts', generateDocuments(document)],
    ['spec/generated/requirements.ts', generateRequirements()],
    ['spec/generated/open-points.ts', generateOpenPoints()],
    ...(await Promise.all(
      PICTURES.map(
        async (name): Promise<[string, string]> => [
          `docs/${name}.svg`,
          await drawGraph(readText(`docs/${name}.dot`)),
        ],
      ),
    )),
    ['docs/dialects.md', generateDialectsPage()],
    ['docs/requirements.md', generateRequirementsPage()],
    ['docs/scenario-reference.md', generateScenarioPage()],
  ]);
}

await runGenerator(import.meta.url, generate);

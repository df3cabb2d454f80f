import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { explain, isUnknown } from '../../conformance/explain/explain.js';
import { formatExplanation } from '../../conformance/explain/format-explanation.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { requirements } from '../../spec/generated/documents.js';
import { quote } from '../../spec/show.js';
import type { KeptReports } from './judge-tools.js';
import { reportErrors, ToolError } from './result.js';

const MARKDOWN = { mimeType: 'text/markdown' };
const MOST_EXPLANATION = 1800;

/** What there is to read: explanations, requirements, scenarios, pages and reports. */
export function addKnowledge(server: McpServer, reports: KeptReports): void {
  addExplain(server);
  server.registerResource(
    'requirements',
    'taskdouble://requirements',
    { description: 'Every numbered rule of the API.', mimeType: 'text/plain' },
    (uri) => ({ contents: [{ uri: uri.href, text: formatRequirements() }] }),
  );
  server.registerResource(
    'scenarios',
    'taskdouble://scenarios',
    { description: 'Every scenario of the library.', mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, text: await formatScenarios() }] }),
  );
  const pages = listPages();
  server.registerResource(
    'docs',
    new ResourceTemplate('taskdouble://docs/{page}', {
      list: () => ({
        resources: pages.map((name) => ({ name, uri: `taskdouble://docs/${name}`, ...MARKDOWN })),
      }),
    }),
    { description: 'The pages of the documentation.', ...MARKDOWN },
    (uri, { page }) => ({ contents: [{ uri: uri.href, ...MARKDOWN, text: readDocs(String(page), pages) }] }),
  );
  server.registerResource(
    'reports',
    new ResourceTemplate('taskdouble://reports/{report}', {
      list: () => ({
        resources: [...reports.keys()].map((name) => ({
          name: `report ${name}`,
          uri: `taskdouble://reports/${name}`,
          ...MARKDOWN,
        })),
      }),
    }),
    { description: 'The reports of the last runs.', ...MARKDOWN },
    (uri, { report }) => {
      const file = reports.get(String(report));
      if (file === undefined) throw new Error(`there is no report ${quote(String(report))}`);
      return { contents: [{ uri: uri.href, ...MARKDOWN, text: readFileSync(file, 'utf8') }] };
    },
  );
}

function addExplain(server: McpServer): void {
  server.registerTool(
    'explain',
    {
      description:
        'Explain a name of a report (rule, requirement, check, open point, scenario, exit code, verb of a fault), or a symptom in words ("the tool runs twice"): what it means, a wrong and a right conversation, and what to do.',
      inputSchema: z.object({ name: z.string().min(1).max(300) }),
      outputSchema: z.object({ explanation: z.string() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ name }) =>
      reportErrors(async () => {
        const found = await explain(name);
        if (isUnknown(found))
          throw new ToolError(
            `Nothing has the name ${quote(name)}.${found.nearest === undefined ? '' : ` Did you mean ${found.nearest}?`}`,
          );
        const text = found.map((each) => formatExplanation(each, 'taskdouble')).join('\n\n');
        return { explanation: text.length > MOST_EXPLANATION ? `${text.slice(0, MOST_EXPLANATION)}…` : text };
      }),
  );
}

/** What the user may ask an agent to do. */
export function addPrompts(server: McpServer): void {
  const say = (text: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  });
  server.registerPrompt(
    'make-this-client-robust',
    { description: 'Find and mend what a client of the API does wrong, races included.' },
    () =>
      say(
        [
          'Make the client robust:',
          '1. check_client without scenarios. For each cause, explain its rule, read the code of the client, and mend the defect itself, not the symptom.',
          '2. Run check_client with the scenario of the example again, then with all scenarios, until the verdict is "conforms".',
          '3. explore_client. Mend each race, replay_race its file, and search again until no race is found.',
          '4. check_client with search 200.',
          'Change the client only. Report what was wrong, what you changed, and the last verdicts.',
        ].join('\n'),
      ),
  );
  server.registerPrompt(
    'build-a-service-that-conforms',
    { description: 'Build or mend a service until it keeps the rules of the API.' },
    () =>
      say(
        [
          'Make the service conform:',
          '1. Read taskdouble://requirements and the page taskdouble://docs/judge-a-service.',
          '2. check_service. Work in the order that the report gives: create and poll, tools, sessions, errors, resources.',
          '3. For each cause, explain its rule, mend the service, and run check_service with only its case.',
          '4. Once everything passes, check_service with search 300.',
          'What the description leaves open is yours to choose. Report the last verdict and what is left out.',
        ].join('\n'),
      ),
  );
}

function formatRequirements(): string {
  return requirements.map(({ id, side, level, rule }) => `${id} (${side}, ${level}): ${rule}`).join('\n');
}

async function formatScenarios(): Promise<string> {
  return (await loadLibrary()).map(({ name, title }) => `${name}: ${title}`).join('\n');
}

const DOCS = join(findPackageRoot(), 'docs');

function listPages(): string[] {
  try {
    return readdirSync(DOCS).flatMap((file) => (file.endsWith('.md') ? file.slice(0, -'.md'.length) : []));
  } catch {
    return [];
  }
}

function readDocs(page: string, pages: readonly string[]): string {
  if (!pages.includes(page)) throw new Error(`there is no page ${quote(page)}; pages: ${pages.join(', ')}`);
  return readFileSync(join(DOCS, `${page}.md`), 'utf8');
}

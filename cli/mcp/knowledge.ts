import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { explain, isUnknown } from '../../conformance/explain/explain.js';
import { formatExplanation } from '../../conformance/explain/format-explanation.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { writeScenario } from '../../scenarios/format/write.js';
import { requirements } from '../../spec/generated/documents.js';
import { quote } from '../../spec/show.js';
import { READS, reportErrors, ToolError, takeFirst } from './result.js';

const MARKDOWN = { mimeType: 'text/markdown' };
const TEXT = { mimeType: 'text/plain' };
const YAML = { mimeType: 'application/yaml' };
const MOST_EXPLANATION = 1800;

/** What there is to read in the package: explanations, requirements, scenarios and pages. */
export function addKnowledge(server: McpServer): void {
  addExplain(server);
  server.registerResource(
    'requirements',
    'taskdouble://requirements',
    { description: 'Every numbered rule of the API.', ...TEXT },
    (uri) => ({ contents: [{ uri: uri.href, ...TEXT, text: formatRequirements() }] }),
  );
  server.registerResource(
    'scenarios',
    'taskdouble://scenarios',
    { description: 'Every scenario of the library.', ...TEXT },
    async (uri) => ({ contents: [{ uri: uri.href, ...TEXT, text: await formatScenarios() }] }),
  );
  server.registerResource(
    'scenario',
    new ResourceTemplate('taskdouble://scenarios/{+name}', { list: undefined }),
    { description: 'A scenario of the library, as an example for one of your own.', ...YAML },
    async (uri, { name }) => ({
      contents: [{ uri: uri.href, ...YAML, text: await readScenario(String(name)) }],
    }),
  );
  const pages = listPages();
  server.registerResource(
    'docs',
    new ResourceTemplate('taskdouble://docs/{page}', {
      list: () => ({
        resources: pages.map((name) => ({
          name,
          description: readHeading(name),
          uri: `taskdouble://docs/${name}`,
          ...MARKDOWN,
        })),
      }),
    }),
    { description: 'The pages of the documentation.', ...MARKDOWN },
    (uri, { page }) => ({ contents: [{ uri: uri.href, ...MARKDOWN, text: readDocs(String(page), pages) }] }),
  );
}

function addExplain(server: McpServer): void {
  server.registerTool(
    'explain',
    {
      title: 'Explain a name or a symptom',
      description:
        'Explain a name of a report (rule, requirement, check, open point, scenario, exit code, verb of a fault), or a symptom in words ("the tool runs twice"): what it means, a wrong and a right conversation, and what to do.',
      inputSchema: z.strictObject({ name: z.string().min(1).max(300) }),
      outputSchema: z.object({ explanation: z.string() }),
      annotations: READS,
    },
    ({ name }) =>
      reportErrors(async () => {
        const found = await explain(name);
        if (isUnknown(found))
          throw new ToolError(
            `Nothing has the name ${quote(name)}. ${found.nearest === undefined ? 'Give a name as a report has it, or the symptom in other words; taskdouble://requirements has every rule of the API.' : `Did you mean ${found.nearest}?`}`,
          );
        const text = found.map((each) => formatExplanation(each, 'taskdouble')).join('\n\n');
        const lines = text.replace(/\bdocs\/([\w-]+)\.md/g, 'taskdouble://docs/$1').split('\n');
        const { shown, more } = takeFirst(lines, MOST_EXPLANATION);
        return { explanation: [...shown, ...(more > 0 ? ['…'] : [])].join('\n') };
      }),
  );
}

function formatRequirements(): string {
  return requirements.map(({ id, side, level, rule }) => `${id} (${side}, ${level}): ${rule}`).join('\n');
}

async function formatScenarios(): Promise<string> {
  return (await loadLibrary()).map(({ name, title }) => `${name}: ${title}`).join('\n');
}

async function readScenario(name: string): Promise<string> {
  const scenario = (await loadLibrary()).find((each) => each.name === name);
  if (!scenario) throw new Error(`there is no scenario ${quote(name)}; taskdouble://scenarios lists them`);
  return writeScenario(scenario);
}

const DOCS = join(findPackageRoot(), 'docs');

function listPages(): string[] {
  try {
    return readdirSync(DOCS).flatMap((file) => (file.endsWith('.md') ? file.slice(0, -'.md'.length) : []));
  } catch {
    return [];
  }
}

function readHeading(page: string): string {
  return /^# (.*)/m.exec(readFileSync(join(DOCS, `${page}.md`), 'utf8'))?.[1] ?? page;
}

function readDocs(page: string, pages: readonly string[]): string {
  if (!pages.includes(page))
    throw new Error(`there is no page ${quote(page)}; resources/list has the names of all`);
  return readFileSync(join(DOCS, `${page}.md`), 'utf8');
}

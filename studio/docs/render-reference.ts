import { escapeHtml, STUDIO_PREFIX } from '../../mock/pages/studio-page.js';
import { openapi } from '../../spec/generated/documents.js';
import { classifyRequest } from '../../spec/vocabulary.js';
import {
  createExample,
  type DescribedSchema,
  renderNotes,
  renderSchema,
  renderTable,
  renderText,
  renderType,
} from './render-schema.js';

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema: DescribedSchema;
}

type Content = Record<string, { schema: DescribedSchema }>;

interface DescribedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; description: string; content?: Content }>;
}

interface PlacedOperation extends DescribedOperation {
  method: string;
  path: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const description = openapi as unknown as {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<
    string,
    Partial<Record<(typeof METHODS)[number], DescribedOperation>> & { parameters?: Parameter[] }
  >;
  components: {
    schemas: Record<string, DescribedSchema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, { description: string; content?: Content }>;
  };
};
const { components, tags } = description;

/** The API reference: each operation and each schema as static HTML. */
export function renderReference(): { title: string; html: string } {
  const operations = listOperations();
  const groups = tags
    .map((tag) => ({ ...tag, operations: operations.filter((each) => each.tags[0] === tag.name) }))
    .filter((group) => group.operations.length > 0);
  const title = 'API reference';
  const html = `<nav class="operations" aria-label="Operations">
<label>Filter <input id="filter" type="search"></label>
${groups.map(({ name, operations: own }) => `<h2>${name}</h2><ul>${own.map(renderNavItem).join('')}</ul>`).join('\n')}
<h2>schemas</h2><ul>${Object.keys(components.schemas)
    .map((name) => `<li><a href="#schema-${name}">${name}</a></li>`)
    .join('')}</ul>
</nav>
<main>
<h1>${title}</h1>
<p>${renderText(description.info.description.split('\n\n')[0]!)}</p>
<p><label>API key of the requests you send here <input id="key" value="demo" autocomplete="off"></label> The description is at <a href="/openapi.yaml">/openapi.yaml</a>.</p>
<p id="warning" role="note" hidden>Behind the proxy, a request you send here reaches the real service.</p>
${groups.map((group) => `<section><h2>${group.name}</h2><p>${renderText(group.description)}</p>${group.operations.map(renderOperation).join('\n')}</section>`).join('\n')}
<section><h2>Schemas</h2>
${Object.entries(components.schemas)
  .map(
    ([name, schema]) =>
      `<article id="schema-${name}"><h3>${name}</h3><p>${renderText(schema.description ?? '')}</p>${renderSchema(schema)}</article>`,
  )
  .join('\n')}
</section>
</main>
<script src="${STUDIO_PREFIX}/docs/reference.js"></script>`;
  return { title, html };
}

function listOperations(): PlacedOperation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [
        { ...operation, parameters: parameters.map(resolveParameter), method: method.toUpperCase(), path },
      ];
    }),
  );
}

function resolveParameter(parameter: Parameter): Parameter {
  return parameter.$ref ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter;
}

function renderNavItem({ operationId, method, path, summary }: PlacedOperation): string {
  return `<li><a href="#${operationId}" title="${escapeHtml(summary)}"><b class="${method.toLowerCase()}">${method}</b> ${renderPath(path)}</a></li>`;
}

/** Long paths break before a slash. */
function renderPath(path: string): string {
  return escapeHtml(path).replaceAll('/', '<wbr>/');
}

function renderOperation(operation: PlacedOperation): string {
  const { operationId, method, path, summary, description: text, deprecated, requestBody } = operation;
  return `<article id="${operationId}">
<h3><b class="${method.toLowerCase()}">${method}</b> <code>${renderPath(path)}</code></h3>
<p><strong>${renderText(summary)}</strong>${deprecated ? ' <em>Deprecated.</em>' : ''} <span class="soft">${operationId}</span></p>
${text ? `<p>${renderText(text)}</p>` : ''}
${renderParameters(operation.parameters ?? [])}
${requestBody ? renderBody(requestBody.content) : ''}
${renderResponses(operation)}
${renderTryForm(operation)}
<p class="recorded" data-kinds="${listKinds(operation).join(' ')}"><button type="button">Recorded exchanges</button></p>
</article>`;
}

/** One operation carries replies and actions. */
function listKinds({ operationId }: DescribedOperation): string[] {
  return [...new Set([undefined, { name: 'tool_call' }].map((body) => classifyRequest(operationId, body)))];
}

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, description: text, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <b>required</b>' : ''}</td><td>${place}</td><td>${renderType(schema)}</td><td>${renderText(text ?? '')} ${renderNotes({ ...schema, description: '' })}</td></tr>`,
  );
  return renderTable(['Parameter', 'In', 'Type', 'Meaning'], rows);
}

function renderBody(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `<p>Body, <code>${type}</code>: ${renderType(schema)}</p>`)
    .join('');
}

function renderResponses({ responses }: DescribedOperation): string {
  const rows = Object.entries(responses).map(([status, given]) => {
    const response = given.$ref ? components.responses[given.$ref.split('/').at(-1)!]! : given;
    const schema = Object.values(response.content ?? {})[0]?.schema;
    const payload = schema?.properties?.r;
    const body = payload ? `{ r: ${renderType(payload)} }` : schema ? renderType(schema) : '';
    return `<tr><td><code>${status}</code></td><td>${renderText(response.description)}</td><td>${body}</td></tr>`;
  });
  return renderTable(['Response', 'When', 'Body'], rows);
}

function renderTryForm({ operationId, method, path, parameters = [], requestBody }: PlacedOperation): string {
  const json = requestBody?.content['application/json']?.schema;
  // A form with files needs more than a field.
  if (requestBody && !json) return '';
  const fields = parameters
    .filter((each) => each.in === 'path' || each.in === 'query')
    .map(
      ({ name, in: place, required }) =>
        `<label>${escapeHtml(name)} <input data-in="${place}" name="${escapeHtml(name)}"${required ? ' required' : ''}></label>`,
    );
  const example = json && JSON.stringify(createExample(json, components.schemas), null, 2);
  const body =
    example === undefined
      ? ''
      : `<label>Body <textarea name="body" rows="6">${escapeHtml(example)}</textarea></label>`;
  return `<details><summary>Try it<span class="hidden">: ${operationId}</span></summary><form data-method="${method}" data-path="${escapeHtml(path)}">${fields.join('')}${body}<button>Send</button><output tabindex="0"></output></form></details>`;
}

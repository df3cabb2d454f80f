import { escapeHtml } from '../../mock/pages/studio-page.js';

/** A JSON Schema, as far as the API description uses it. */
export interface DescribedSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, DescribedSchema>;
  required?: string[];
  items?: DescribedSchema;
  anyOf?: DescribedSchema[];
  oneOf?: DescribedSchema[];
  allOf?: DescribedSchema[];
  additionalProperties?: boolean | DescribedSchema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  [keyword: string]: unknown;
}

const BOUNDS = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'maxProperties',
  'format',
  'pattern',
];

/** `string or null`, `array of Event`, with links to the named schemas. */
export function renderType(schema: DescribedSchema): string {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return `<a href="#schema-${name}">${name}</a>`;
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return parts.map(renderType).join(' or ');
  if (schema.allOf) return schema.allOf.map(renderType).join(' and ');
  if (schema.enum) return schema.enum.map(renderValue).join(' or ');
  if (schema.const !== undefined) return renderValue(schema.const);
  if (schema.type === 'array') return `array of ${schema.items ? renderType(schema.items) : 'anything'}`;
  return [schema.type ?? 'anything'].flat().join(' or ');
}

function renderValue(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`;
}

/** The fields of an object as a table; for another schema, its type. */
export function renderSchema(schema: DescribedSchema): string {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return `<p>${renderType(schema)}. ${renderNotes(schema)}</p>`;
  const rows = fields.map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code>${schema.required?.includes(name) ? ' <b>required</b>' : ''}</td><td>${renderType(field)}</td><td>${renderNotes(field)}</td></tr>`,
  );
  const more = schema.additionalProperties === false ? '<p>No other fields.</p>' : '';
  return `${renderTable(['Field', 'Type', 'Meaning'], rows)}${more}`;
}

/** Each table has a label of its own. */
let tables = 0;

export function renderTable(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join('');
  return `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** Description, default and bounds. Nested objects are listed below. */
export function renderNotes(schema: DescribedSchema): string {
  const bounds = BOUNDS.filter((name) => schema[name] !== undefined).map(
    (name) => `${name} ${renderValue(schema[name])}`,
  );
  const notes = [
    renderText(schema.description ?? ''),
    schema.default !== undefined ? `Default ${renderValue(schema.default)}.` : '',
    bounds.length > 0 ? `${bounds.join(', ')}.` : '',
  ];
  const nested = [schema, ...(schema.anyOf ?? []), schema.items ?? {}].find(({ properties }) => properties);
  return `${notes.filter(Boolean).join(' ')}${nested ? renderSchema(nested) : ''}`;
}

/** Text with code in backticks. */
export function renderText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A small valid value: required fields only. */
export function createExample(
  schema: DescribedSchema,
  schemas: Readonly<Record<string, DescribedSchema>>,
  depth = 0,
): unknown {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return depth > 6 ? null : createExample(schemas[name] ?? {}, schemas, depth + 1);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const part = (schema.anyOf ?? schema.oneOf)?.[0];
  if (part) return createExample(part, schemas, depth + 1);
  const type = [schema.type].flat()[0];
  if (type === 'object' || schema.properties) {
    const fields = (schema.required ?? []).map((field) => [
      field,
      createExample(schema.properties?.[field] ?? {}, schemas, depth + 1),
    ]);
    return Object.fromEntries(fields);
  }
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  return type === 'null' ? null : 'text';
}

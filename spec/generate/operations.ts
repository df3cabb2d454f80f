import type { SchemaObject } from '../json-schema/schema.js';
import { type ApiDescription, BANNER, type FlatOperation, follow, listOperations } from './document.js';

const DECLARATIONS = `
export type OperationId = keyof typeof table;

/** One parameter as it is checked before the handler runs. */
export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly required: boolean;
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
}

/** One part of a multipart body. */
export interface OperationPart {
  readonly name: string;
  readonly kind: 'file' | 'text';
  readonly required: boolean;
  /** The part may come more than once. */
  readonly many: boolean;
  readonly maxLength?: number;
}

export interface OperationBody {
  readonly kind: 'json' | 'multipart';
  readonly required: boolean;
  /** The API does not say whether the body may be missing; that it is required is a choice. */
  readonly requiredIsChoice: boolean;
  /** Name of the schema; for JSON bodies a key of \`validators\`. */
  readonly schema: string;
  /** For JSON bodies only: the fields that the API names; none where it says nothing about them. */
  readonly fields?: readonly string[];
  /** For multipart bodies only. */
  readonly parts?: readonly OperationPart[];
}

export interface Operation {
  readonly id: OperationId;
  readonly tag: string;
  readonly summary: string;
  /** Upper case. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below \`/api/v1\`, parameters in braces. */
  readonly path: string;
  /** The path cut at its slashes; a parameter keeps its braces. */
  readonly segments: readonly string[];
  readonly auth: 'key' | 'none';
  readonly deprecated: boolean;
  /** Success body: \`{r: ...}\`, another stated shape, or none stated. */
  readonly body2xx: 'envelope' | 'bare' | 'open';
  /** True when the success body is stated to be \`{r: ...}\`. */
  readonly envelope: boolean;
  readonly successStatuses: readonly number[];
  readonly params: readonly OperationParameter[];
  readonly body?: OperationBody;
}
`;

/** The routing and validation table, and the types of the parameters once defaults are filled in. */
export function generateOperations(document: ApiDescription): string {
  const operations = listOperations(document);
  const rows = operations.map((operation) => {
    const row = JSON.stringify(buildEntry(document, operation));
    return `  ${operation.object.operationId}: ${row},`;
  });
  const params = operations.map(
    (operation) => `  ${operation.object.operationId}: ${formatParamTypes(operation)};`,
  );
  return [
    BANNER,
    'function freeze<T>(value: T): T {',
    "  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);",
    '  return value;',
    '}',
    '',
    'const table = {',
    ...rows,
    '} as const;',
    DECLARATIONS,
    '/** Every operation by its id, in the order of the description. */',
    'export const operations: Readonly<Record<OperationId, Operation>> = freeze(table);',
    '',
    '/** The ids of all operations. */',
    'export const operationIds = Object.freeze(Object.keys(table)) as readonly OperationId[];',
    '',
    '/** What a handler gets: defaults are filled in, so that only optional parameters without one may be missing. */',
    'export interface OperationParams {',
    ...params,
    '}',
    '',
  ].join('\n');
}

function buildEntry(document: ApiDescription, operation: FlatOperation) {
  const { object, path, method, parameters } = operation;
  const success = Object.keys(object.responses).filter((status) => status.startsWith('2'));
  const schema = object.responses[success[0] as string]?.content?.['application/json']?.schema ?? {};
  const open = schema.$ref === '#/components/schemas/NoBodySchema';
  const envelope = !open && schema.$ref === undefined && (schema.required ?? []).includes('r');
  return {
    id: object.operationId,
    tag: object.tags[0],
    summary: object.summary,
    method,
    path,
    segments: path.slice(1).split('/'),
    auth: object.security?.length === 0 ? 'none' : 'key',
    deprecated: object.deprecated ?? false,
    body2xx: open ? 'open' : envelope ? 'envelope' : 'bare',
    envelope,
    successStatuses: success.map(Number),
    params: parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required ?? false,
      ...pick(parameter.schema, ['type', 'default', 'minimum', 'maximum', 'maxLength', 'enum']),
    })),
    body: buildBody(document, operation),
  };
}

function buildBody(document: ApiDescription, { object }: FlatOperation) {
  if (object.requestBody === undefined) return undefined;
  const [type, { schema }] = Object.entries(object.requestBody.content)[0] as [
    string,
    { schema: SchemaObject },
  ];
  const name = (schema.$ref as string).split('/').at(-1) as string;
  const common = {
    required: object.requestBody.required ?? false,
    requiredIsChoice: object.requestBody['x-taskdouble-choice'] ?? false,
    schema: name,
  };
  const { properties = {}, required = [] } = follow<SchemaObject>(document, schema);
  if (type === 'application/json') return { kind: 'json', ...common, fields: Object.keys(properties) };
  const parts = Object.entries(properties as Record<string, SchemaObject>).map(([part, value]) => ({
    name: part,
    kind: ((value.items ?? value) as SchemaObject).contentMediaType === undefined ? 'text' : 'file',
    required: required.includes(part),
    many: value.type === 'array',
    ...pick(value, ['maxLength']),
  }));
  return { kind: 'multipart', ...common, parts };
}

function formatParamTypes({ parameters }: FlatOperation): string {
  const formatGroup = (where: string) => {
    const fields = parameters
      .filter((parameter) => parameter.in === where)
      .map(({ name, required, schema }) => {
        const sure = required || schema.default !== undefined;
        return `${JSON.stringify(name)}${sure ? '' : '?'}: ${schema.type === 'integer' ? 'number' : schema.type}`;
      });
    return fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`;
  };
  return `{ path: ${formatGroup('path')}; query: ${formatGroup('query')}; header: ${formatGroup('header')} }`;
}

function pick(source: SchemaObject, keys: (keyof SchemaObject)[]) {
  return Object.fromEntries(keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]]));
}

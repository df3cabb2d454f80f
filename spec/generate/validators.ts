import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import type { SchemaObject } from '../json-schema/schema.js';
import { BANNER, type Document, operationsOf } from './document.js';

const standalone = standaloneModule.default;

/** Schemas that no operation names as its body and that handlers check all the same. */
const INNER = [
  'CustomToolDefinition',
  'GotoPayload',
  'ExtractPayload',
  'EvaluateJsPayload',
  'RunTaskPayload',
  'ClosePayload',
  'ToolCallPayload',
  'ResultPayload',
  'Event',
];

const TYPES = `
/** The first thing wrong with a value. */
export interface Problem {
  /** JSON pointer of the value, '' for the whole. */
  readonly instancePath: string;
  /** Pointer of the schema keyword that refused it. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Gives undefined when the value fits its schema. Changes nothing in the value. */
export type Validator = (value: unknown) => Problem | undefined;

const wrap = (check: any): Validator => (value) => (check(value) ? undefined : check.errors[0]);
`;
const IMPORTED_TYPES = `
import type { Problem, Validator } from './validators.js';

const wrap = (check: any): Validator => (value): Problem | undefined => (check(value) ? undefined : check.errors[0]);
`;

/** Validators of the JSON request bodies and of what events carry, by the name of the schema. */
export function generateValidators(document: Document): string {
  const bodies = operationsOf(document).flatMap(({ object }) => {
    const ref = object.requestBody?.content['application/json']?.schema.$ref;
    return ref === undefined ? [] : [ref.split('/').at(-1) as string];
  });
  const names = [...new Set([...bodies, ...INNER])].sort();
  const schemas = names.map((name): NamedSchema => [name, { $ref: `#/components/schemas/${name}` }]);
  const doc = 'Every validator by the name of its schema.';
  return compile(document, schemas, TYPES, 'validators', 'ValidatorName', doc);
}

/** Validators of the success bodies, by operation id and status (`getTask 202`). */
export function generateResponseValidators(document: Document): string {
  const schemas = operationsOf(document).flatMap(({ object }) =>
    Object.entries(object.responses).flatMap(([status, { content }]): NamedSchema[] => {
      const schema = content?.['application/json']?.schema;
      return status.startsWith('2') && schema ? [[`${object.operationId} ${status}`, schema]] : [];
    }),
  );
  const doc = 'Every validator of a success body by operation id and status.';
  return compile(document, schemas, IMPORTED_TYPES, 'responseValidators', 'ResponseValidatorName', doc);
}

type NamedSchema = [name: string, schema: SchemaObject];

/** A module that exports a record of validators under these names. */
function compile(
  document: Document,
  schemas: readonly NamedSchema[],
  preamble: string,
  record: string,
  type: string,
  doc: string,
): string {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    strictTypes: false,
    allowUnionTypes: true,
    // What counts as a URL is an open point (task.url-form): handlers check it.
    validateFormats: false,
    keywords: ['x-taskdouble-choice', 'x-taskdouble-source'],
  });
  ajv.addSchema({ $id: 'api', $defs: rewrite(document.components.schemas) as Record<string, object> });
  const functions = schemas.map(([name]) => `check_${name.replace(/\W/g, '_')}`);
  for (const [index, [, schema]] of schemas.entries())
    ajv.addSchema({ $id: functions[index]!, ...(rewrite(schema) as object) });
  const exported = Object.fromEntries(functions.map((name) => [name, name]));
  return [
    '// @ts-nocheck',
    BANNER.trimEnd(),
    preamble,
    selfContained(standalone(ajv, exported)).trim(),
    '',
    `export type ${type} =\n${schemas.map(([name]) => `  | ${JSON.stringify(name)}`).join('\n')};`,
    '',
    `/** ${doc} */`,
    `export const ${record}: Readonly<Record<${type}, Validator>> = Object.freeze({`,
    ...schemas.map(([name], index) => `  ${JSON.stringify(name)}: wrap(${functions[index]}),`),
    '});',
    '',
  ].join('\n');
}

/** References of the description, as they read inside the one schema that holds them all. */
function rewrite(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewrite);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref'
        ? [key, String(value).replace('#/components/schemas/', 'api#/$defs/')]
        : [key, rewrite(value)],
    ),
  );
}

/** ajv writes \`require\` even into ES modules; the one helper that our schemas need is written out instead. */
function selfContained(code: string): string {
  const replaced = code.replaceAll(
    /require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g,
    '(text) => [...text].length',
  );
  const left = /require\([^)]*\)/.exec(replaced);
  if (left) throw new Error(`The validators need ${left[0]}; write it out in spec/generate/validators.ts`);
  return replaced.replace(/^"use strict";/, '').replaceAll(/^export const check_/gm, 'const check_');
}

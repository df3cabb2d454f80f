import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { BANNER, type Document, type OpenApiSchema, operationsOf } from './document.js';

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

const PROBLEM = `
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

/** Validators of the JSON request bodies and of what events carry, by the name of the schema. */
export function generateValidators(document: Document): string {
  const bodies = operationsOf(document).flatMap(({ object }) => {
    const ref = object.requestBody?.content['application/json']?.schema.$ref;
    return ref === undefined ? [] : [ref.split('/').at(-1) as string];
  });
  const names = [...new Set([...bodies, ...INNER])].sort();
  const code = compile(
    document,
    new Map(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }])),
  );
  return assemble(code, PROBLEM, 'validators', 'ValidatorName', 'Every validator by the name of its schema.');
}

/** Validators of the success bodies, by operation id and status (\`getTask 202\`). */
export function generateResponseValidators(document: Document): string {
  const schemas = new Map<string, OpenApiSchema>();
  for (const { object } of operationsOf(document)) {
    for (const [status, { content }] of Object.entries(object.responses)) {
      const schema = content?.['application/json']?.schema;
      if (status.startsWith('2') && schema) schemas.set(`${object.operationId} ${status}`, schema);
    }
  }
  const preamble = `
import type { Problem, Validator } from './validators.js';

const wrap = (check: any): Validator => (value): Problem | undefined => (check(value) ? undefined : check.errors[0]);
`;
  return assemble(
    compile(document, schemas),
    preamble,
    'responseValidators',
    'ResponseValidatorName',
    'Every validator of a success body by operation id and status.',
  );
}

interface Compiled {
  code: string;
  /** Key in the exported record, and the name the code exports it by. */
  names: [key: string, exported: string][];
}

function compile(document: Document, schemas: Map<string, OpenApiSchema>): Compiled {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    strictTypes: false,
    allowUnionTypes: true,
    // What counts as a URL is an open point (task.url-form): handlers check it.
    validateFormats: false,
    keywords: ['x-taskdouble-choice', 'x-taskdouble-source'],
  });
  ajv.addSchema({ $id: 'api', $defs: rewrite(document.components.schemas) as Record<string, object> });
  const names: [string, string][] = [];
  const exported: Record<string, string> = {};
  for (const [key, schema] of schemas) {
    const name = `check_${key.replace(/\W/g, '_')}`;
    ajv.addSchema({ $id: name, ...(rewrite(schema) as object) });
    names.push([key, name]);
    exported[name] = name;
  }
  return { code: selfContained(standalone(ajv, exported)), names };
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

function assemble(
  { code, names }: Compiled,
  preamble: string,
  record: string,
  type: string,
  doc: string,
): string {
  return [
    '// @ts-nocheck',
    BANNER.trimEnd(),
    preamble,
    code.trim(),
    '',
    `export type ${type} =\n${names.map(([key]) => `  | ${JSON.stringify(key)}`).join('\n')};`,
    '',
    `/** ${doc} */`,
    `export const ${record}: Readonly<Record<${type}, Validator>> = Object.freeze({`,
    ...names.map(([key, name]) => `  ${JSON.stringify(key)}: wrap(${name}),`),
    '});',
    '',
  ].join('\n');
}

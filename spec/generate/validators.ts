import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { type ApiDescription, BANNER, listOperations } from './document.js';

const standalone = standaloneModule.default;

const TYPES = `
/** Something wrong with a value. */
export interface Problem {
  /** JSON pointer of the value, '' for the whole. */
  readonly instancePath: string;
  /** Pointer of the schema keyword that refused it. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Everything that is wrong; undefined when the value fits its schema. Changes nothing in the value. */
export type Validator = (value: unknown) => readonly Problem[] | undefined;

const wrap = (check: any): Validator => (value) => (check(value) ? undefined : check.errors);
`;

/**
 * Validators of the JSON request bodies, and of the payloads of actions, by the name of the schema: code, because every request
 * with a body needs one.
 */
export function generateValidators(document: ApiDescription): string {
  const bodies = listOperations(document).flatMap(({ object }) => {
    const ref = object.requestBody?.content['application/json']?.schema.$ref;
    return ref === undefined ? [] : [ref.split('/').at(-1) as string];
  });
  const { schemas } = document.components;
  // Payloads of actions have a constant name.
  const payloads = Object.keys(schemas).filter((name) =>
    Object.hasOwn(Object(schemas[name]!.properties?.name), 'const'),
  );
  const names = [...new Set([...bodies, ...payloads])].sort();
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    strictTypes: false,
    allErrors: true,
    allowUnionTypes: true,
    // What counts as a URL is an open point (task.url-form): handlers check it.
    validateFormats: false,
    keywords: ['x-taskdouble-choice', 'x-taskdouble-source'],
  });
  ajv.addSchema({
    $id: 'api',
    $defs: rewriteReferences(document.components.schemas) as Record<string, object>,
  });
  const exported = Object.fromEntries(names.map((name) => [`check_${name}`, `api#/$defs/${name}`]));
  return [
    '// @ts-nocheck',
    BANNER.trimEnd(),
    TYPES,
    inlineHelpers(standalone(ajv, exported)).trim(),
    '',
    `export type ValidatorName =\n${names.map((name) => `  | '${name}'`).join('\n')};`,
    '',
    '/** Every validator by the name of its schema. */',
    'export const validators: Readonly<Record<ValidatorName, Validator>> = Object.freeze({',
    ...names.map((name) => `  ${name}: wrap(check_${name}),`),
    '});',
    '',
  ].join('\n');
}

/** Rewrites references of the description for the one schema that contains all definitions. */
function rewriteReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rewriteReferences);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref'
        ? [key, String(value).replace('#/components/schemas/', 'api#/$defs/')]
        : [key, rewriteReferences(value)],
    ),
  );
}

/** ajv writes \`require\` even into ES modules; the one helper in use is inlined instead. */
function inlineHelpers(code: string): string {
  const replaced = code.replaceAll(
    /require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g,
    '(text) => [...text].length',
  );
  const left = /require\([^)]*\)/.exec(replaced);
  if (left) throw new Error(`The validators need ${left[0]}; write it out in spec/generate/validators.ts`);
  return replaced.replace(/^"use strict";/, '').replaceAll(/^export const check_/gm, 'const check_');
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadLibrary } from '../library/library.js';
import { findPackageRoot } from '../library/package-root.js';

const read = (file: string) => JSON.parse(readFileSync(join(findPackageRoot(), 'scenarios', file), 'utf8'));
const scenario = read('scenario.schema.json');
const network = read('network.schema.json');
// As an editor uses them: the whole schema, no step picked out beforehand, references not replaced.
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(scenario, 'scenario.schema.json');
const isScenario = ajv.getSchema('scenario.schema.json')!;
const isNetwork = ajv.compile({ ...network, $id: 'network.schema.json' });

describe('the schemas for editors', () => {
  it('are JSON Schemas', () => {
    for (const schema of [scenario, network])
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
  });

  it('accept every file of the library', async () => {
    for (const { file } of await loadLibrary()) {
      const value = parse(readFileSync(join(findPackageRoot(), file!), 'utf8'));
      expect(isScenario(value), `${file} ${JSON.stringify(isScenario.errors?.slice(0, 3))}`).toBe(true);
    }
  });

  it('refuse what the loader refuses', () => {
    const request = { task: null };
    expect(isScenario({ title: 't', request, timeline: [{ service: 'finish' }] })).toBe(true);
    expect(isScenario({ title: 't', request, timeline: [{ service: 'finnish' }] })).toBe(false);
    expect(isScenario({ title: 't', request, timeline: [{ service: 'finish', aftr: 3 }] })).toBe(false);
    expect(isScenario({ request, timeline: [{ service: 'finish' }] })).toBe(false);
  });

  it('know network files in both forms', () => {
    expect(isNetwork([{ network: 'delay', time: '1s' }])).toBe(true);
    expect(isNetwork({ rules: [{ network: 'delay', time: '1s' }] })).toBe(true);
    expect(isNetwork([{ network: 'delay', time: '1s', after: '1s' }])).toBe(false);
    expect(isNetwork({ rule: [] })).toBe(false);
  });

  it('have examples and defaults that they accept', () => {
    const wrong: string[] = [];
    const visit = (node: unknown, path: string) => {
      if (node === null || typeof node !== 'object') return;
      const { examples = [], ...rest } = node as { examples?: unknown[]; default?: unknown };
      const values = Array.isArray(node) ? [] : 'default' in rest ? [...examples, rest.default] : examples;
      for (const value of values) {
        const isIt = ajv.compile({ $ref: `scenario.schema.json#${path}` });
        if (!isIt(value)) wrong.push(`${path} ${JSON.stringify(value)}`);
      }
      for (const [key, child] of Object.entries(rest)) {
        if (key !== 'default') visit(child, `${path}/${key.replaceAll('/', '~1')}`);
      }
    };
    visit(scenario, '');
    expect(wrong).toEqual([]);
    expect(ajv.compile({ $ref: 'scenario.schema.json#/$defs/side' })('both')).toBe(false);
  });

  it('describe every key, so that completion reads well', () => {
    const silent: string[] = [];
    for (const [name, definition] of Object.entries<Record<string, unknown>>(scenario.$defs)) {
      if (typeof definition.description !== 'string') silent.push(name);
      for (const [key, value] of Object.entries(
        (definition.properties ?? {}) as Record<string, { $ref?: string; description?: string }>,
      )) {
        if (value.description === undefined && value.$ref === undefined) silent.push(`${name}.${key}`);
      }
    }
    expect(silent).toEqual([]);
  });
});

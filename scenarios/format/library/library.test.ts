import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../../spec/index.js';
import { draw } from '../draw.js';
import { loadScenarios } from '../load/load.js';
import type { Scenario } from '../types.js';
import { FOLDERS } from './folders.js';
import { loadLibrary } from './library.js';
import { Matcher } from './match.js';
import { findPackageRoot } from './package-root.js';

const library = await loadLibrary();
const everyday = library.filter(({ name }) => !name.startsWith('races/'));
const races = library.filter(({ name }) => name.startsWith('races/'));

describe('the library', () => {
  it('has at least 24 everyday scenarios, some in each folder', () => {
    expect(everyday.length).toBeGreaterThanOrEqual(24);
    const used = new Set(library.map(({ name }) => name.split('/')[0]));
    for (const folder of FOLDERS) expect(used).toContain(folder);
  });

  it('gives names, titles and files once each', () => {
    for (const key of ['name', 'title', 'file'] as const) {
      const values = library.map((scenario) => scenario[key]);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it('says of each race what it exposes', () => {
    for (const { name, description } of races)
      expect(description, name).toMatch(/\bExposes clients (that|whose|with) /);
  });

  it('covers requirements that exist', () => {
    const known = new Set<string>(requirements.map(({ id }) => id));
    for (const { name, covers } of library) {
      expect(covers.length, name).toBeGreaterThan(0);
      expect(
        covers.filter((id) => !known.has(id)),
        name,
      ).toEqual([]);
    }
  });

  it.each(library.map((scenario) => [scenario.name, scenario] as const))(
    '%s is what its own request chooses',
    (_, scenario) => {
      const message = 'two scenarios have the same request: change the text of the task in one of them';
      expect(new Matcher(library).choose(scenario.request)?.name, message).toBe(scenario.name);
    },
  );

  it.each(library.map((scenario) => [scenario.name, scenario] as const))(
    '%s sends what its schemas promise',
    (_, scenario) => {
      for (const [value, schema] of promises(scenario)) {
        const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
        expect(validate(value), JSON.stringify(value)).toBe(true);
      }
    },
  );

  it.each(library.map((scenario) => [scenario.name, scenario] as const))('%s can be drawn', (_, scenario) => {
    expect(draw(scenario)).toMatch(/^sequenceDiagram\n {2}title /);
    expect(draw(scenario)).not.toContain('undefined');
  });

  it('is plain data, the same after a trip through JSON', () => {
    expect(JSON.parse(JSON.stringify(library))).toEqual(library);
  });
});

/** Scripted inputs of calls and structured outputs, each with the schema that it must fit. */
function promises({ request, timeline }: Scenario): [unknown, Record<string, unknown>][] {
  const found: [unknown, Record<string, unknown>][] = [];
  const tools = (request.custom_tools ?? []) as { name: string; inputs: Record<string, unknown> }[];
  for (const step of timeline) {
    if (!('service' in step)) continue;
    if (step.service === 'tool_call' && step.input !== undefined) {
      found.push([step.input, tools.find(({ name }) => name === step.tool)!.inputs]);
    }
    const model = request.response_model as Record<string, unknown> | undefined;
    if (step.service === 'finish' && model && (step.status ?? 'done') === 'done')
      found.push([step.output, model]);
  }
  return found;
}

describe('a file of the library', () => {
  it('has the same name when it is loaded alone', async () => {
    const file = join(findPackageRoot(), 'scenarios/tool-calls/corrected-input.yaml');
    const { scenarios, problems } = await loadScenarios([file]);
    expect(problems).toEqual([]);
    expect(scenarios[0]?.name).toBe('tool-calls/corrected-input');
    expect(scenarios[0]?.timeline).toEqual(
      library.find(({ name }) => name === 'tool-calls/corrected-input')?.timeline,
    );
  });

  it('names its schema for editors', () => {
    for (const { file } of library) {
      const text = readFileSync(join(findPackageRoot(), file!), 'utf8');
      expect(text, file).toMatch(/^# yaml-language-server: \$schema=\.\.\/scenario\.schema\.json\n/);
    }
  });
});

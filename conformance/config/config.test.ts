import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeProblem, InvalidFile } from '../../scenarios/format/invalid-file.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { operationIds, operations } from '../../spec/generated/operations.js';
import { LACKS } from '../common/lacks.js';
import { ALLOWANCES, KEY_NAMES, SUITES } from '../service/test-case/test-case.js';
import { TEXTS, TOOL_NAMES } from '../service/test-case/texts.js';
import { type Config, loadConfig, readConfig } from './config.js';

const schema = JSON.parse(
  readFileSync(join(findPackageRoot(), 'conformance/config/config.schema.json'), 'utf8'),
);
const env = { OTHER_KEY: 'k-other', EMPTY: '' };
const read = (text: string): Config => readConfig(text, 'ci/taskdouble.config.yaml', env);

const WHOLE = `
base_url: https://service.example
api_key: $OTHER_KEY
key: { free: k-free, other: $OTHER_KEY }
suite: [polling, auth]
only: ['polling/*']
allow: [destructive]
concurrency: 2
timeout: 2m
poll_interval: 500
report: [pretty, junit=out/junit.xml]
baseline: known.yaml
dialect_out: dialect.yaml
har: run.har
strict: true
seed: 7
texts: { one-shot: Say hello. }
tools:
  - { name: get_weather, description: d, inputs: { type: object }, output: o }
lacks: [automations, getJob]
`;

describe('a configuration', () => {
  it('resolves durations to ms, paths relative to the file, and variables', () => {
    expect(read(WHOLE)).toEqual({
      baseUrl: 'https://service.example',
      apiKey: 'k-other',
      keys: { free: 'k-free', other: 'k-other' },
      suites: ['polling', 'auth'],
      only: ['polling/*'],
      allow: ['destructive'],
      concurrency: 2,
      timeoutMs: 120_000,
      pollIntervalMs: 500,
      report: ['pretty', `junit=${resolve('ci/out/junit.xml')}`],
      baseline: resolve('ci/known.yaml'),
      dialectOut: resolve('ci/dialect.yaml'),
      har: resolve('ci/run.har'),
      strict: true,
      seed: 7,
      texts: { 'one-shot': 'Say hello.' },
      tools: [{ name: 'get_weather', description: 'd', inputs: { type: 'object' }, output: 'o' }],
      lacks: ['automations', 'getJob'],
    });
  });

  it('may leave everything out', () => {
    expect(read('# nothing yet\n')).toEqual({});
    expect(read('{}')).toEqual({});
  });

  it.each([
    ['base_uri: x', '1:1: unknown key "base_uri"; did you mean base_url?'],
    ['suite: [poling]', '1:9: suite[0]: expected one of polling, status-codes'],
    ['suite: [poling]', 'did you mean polling?'],
    ['suite: polling', '1:8: suite: expected a list of suites'],
    ['a: [', ':1:'],
    ['- 1', '1:1: expected a mapping with options'],
    ['concurrency: 0', '1:14: concurrency: expected a whole number from 1 to 64; found 0'],
    ['timeout: soon', '1:10: timeout: expected a duration such as 300ms, 1.5s or 2m; found "soon"'],
    ['timeout: 0s', '1:10: timeout: expected a duration such as 300ms, 1.5s or 2m; found "0s"'],
    ['allow: [money]', 'allow[0]: expected one of billing, organisation, destructive'],
    ['key: { main: x }', '1:8: unknown key "main" in key; known here: other, free, exhausted'],
    ['api_key: $NO_SUCH', '1:10: the environment variable NO_SUCH is not set'],
    ['key:\n  other: $EMPTY', '2:10: the environment variable EMPTY is empty'],
    ['api_key: $not a name', '1:10: api_key: expected a key, or $NAME for the environment variable NAME'],
    ['lacks: [automation]', 'found "automation"; did you mean automations?'],
    ['lacks: [fountain pens]', '1:9: lacks[0]: expected one of sessions, cancel, close, tools'],
    ['texts: { oneshot: x }', '1:10: unknown key "oneshot" in texts; did you mean one-shot?'],
    ['texts: { one-shot: 3 }', '1:20: texts.one-shot: expected a task text; found 3'],
    ['tools: [{ name: get_weather }]', '1:9: expected the key "description" in tools[0]'],
    [
      'tools: [{ name: get_wether, description: d, inputs: {}, output: o }]',
      'found "get_wether"; did you mean get_weather?',
    ],
    ['strict: 1', '1:9: strict: expected true or false; found 1'],
  ])('with a mistake says where and what: %s', (text, said) => {
    expect(problemsOf(text).join('\n')).toContain(said);
  });

  it('reports every error, without showing a key', () => {
    expect(problemsOf('strict: 1\nlacks: [x-1]')).toHaveLength(2);
    expect(problemsOf('key: { othre: s3cret-key }').join()).not.toContain('s3cret');
  });

  it('that is not there is a mistake too', () => {
    expect(() => loadConfig(join(import.meta.dirname, 'no-such.yaml'))).toThrow(
      /no-such\.yaml: expected a file/,
    );
  });
});

describe('the schema of the configuration', () => {
  it('is a JSON Schema that accepts what the loader accepts', () => {
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    expect(ajv.validate(schema, parse(WHOLE)), JSON.stringify(ajv.errors)).toBe(true);
  });

  it('names what there is', () => {
    const { suite, allow, key, texts, tools, lacks } = schema.properties;
    expect(lacks.items.enum).toEqual(LACKS);
    const tags = Object.values(operations).map(({ tag }) => tag);
    expect(LACKS).toEqual(expect.arrayContaining([...tags, ...operationIds, 'device', 'second_wait']));
    expect(Object.keys(texts.properties)).toEqual(Object.keys(TEXTS));
    expect(tools.items.properties.name.enum).toEqual(TOOL_NAMES);
    expect(suite.items.enum).toEqual(SUITES);
    expect(allow.items.enum).toEqual(ALLOWANCES);
    expect(['main', ...Object.keys(key.properties)]).toEqual(KEY_NAMES);
  });

  it('describes every key, so that completion reads well', () => {
    for (const [name, property] of Object.entries<{ description?: string }>(schema.properties)) {
      expect(property.description, name).toMatch(/\.$/);
    }
  });
});

function problemsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof InvalidFile) return error.problems.map(describeProblem);
    throw error;
  }
  throw new Error(`nothing wrong was found in ${text}`);
}

import { expect, it } from 'vitest';
import { createMock } from '../../index.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { judgeBothSides } from './both-sides.js';

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
/** Schemas that some or all objects satisfy, and values of other types. */
const USABLE: readonly object[] = [
  {},
  { title: 'Input' },
  { description: 'The input' },
  { $comment: 'none' },
  { type: 'object' },
  { type: ['object', 'null'] },
  { type: ['null', 'string', 'number', 'object', 'array'] },
  { type: 'object', nullable: true },
  CITY,
  { ...CITY, additionalProperties: false },
  { properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] },
  { required: ['any'] },
  { minProperties: 2 },
  { maxProperties: 0 },
  { additionalProperties: { type: 'number' } },
  { patternProperties: { '^x-': { type: 'boolean' } }, minProperties: 1, additionalProperties: false },
  { propertyNames: { pattern: '^[a-z]+$' }, minProperties: 1 },
  { minLength: 3, pattern: '^a' },
  { format: 'date' },
  { minimum: 3 },
  { items: { type: 'string' }, minItems: 1 },
  { enum: ['a', 7, null, { city: 'Oslo' }] },
  { enum: [{ city: 'Oslo' }, { city: 'Rome' }] },
  { const: { city: 'Oslo' } },
  { examples: ['a text', 3] },
  { default: 'a text' },
  { default: { city: 'Oslo' } },
  { anyOf: [{ type: 'string' }, CITY] },
  { oneOf: [{ type: 'string' }, { type: 'array' }, { type: 'null' }, CITY] },
  { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
  { allOf: [{ type: ['object', 'string'] }, { type: ['object', 'number'] }] },
  { allOf: [CITY, { properties: { days: { type: 'integer' } }, required: ['days'] }] },
  { $ref: '#/$defs/input', $defs: { input: CITY } },
  {
    anyOf: [{ $ref: '#/$defs/text' }, { $ref: '#/$defs/input' }],
    $defs: { text: { type: 'string' }, input: CITY },
  },
  { not: { type: 'string' } },
  { not: { required: ['city'] } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { if: { type: 'object' }, then: { required: ['city'] }, else: { type: 'string' } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { if: { type: 'string' }, then: { minLength: 1 } },
  { dependentRequired: { a: ['b'] }, required: ['a'] },
];
/** Schemas that no object satisfies. */
const UNUSABLE: readonly unknown[] = [
  { type: 'string' },
  { type: 'null' },
  { type: ['array', 'number'] },
  { enum: ['a', 7, null] },
  { const: 'a' },
  { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
  { oneOf: [{}, { type: 'object' }] },
  { allOf: [{ type: 'object' }, { type: 'string' }] },
  { $ref: '#/$defs/text', $defs: { text: { type: 'string' } } },
  { not: { type: 'object' } },
  { not: {} },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { if: { type: 'object' }, then: false },
  { minProperties: 2, maxProperties: 1 },
  { required: ['a'], properties: { a: false } },
];

it('calls every tool with an object that fits its schema, and refuses a tool that no object fits', async () => {
  const mock = createMock({ clock: 'skipping', library: false });
  const send = async (path: string, body?: object) => {
    const method = body ? 'POST' : 'GET';
    const headers = { apikey: 'k', 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await mock.fetch(`/api/v1${path}`, init);
    // biome-ignore lint/suspicious/noExplicitAny: the bodies are those of several operations
    return { status: response.status, ...((await response.json()) as { r: any; detail: unknown }) };
  };
  const create = (inputs: unknown) => {
    const tools = ['one', 'two'].map((name) => ({ name, description: 'd', inputs, output: 'o' }));
    return send('/task', { task: 'Use the tools', custom_tools: tools });
  };
  const inputs: unknown[] = [];
  for (const schema of USABLE) {
    const { status, r: created } = await create(schema);
    expect(status, JSON.stringify(schema)).toBe(200);
    let at = 0;
    for (let isOver = false; !isOver; ) {
      const { status, r: task } = await send(`/task/${created.id}?event_t=${at}`);
      for (const { id, payload, timestamp } of task.events) {
        inputs.push(payload.input);
        at = timestamp;
        const reply = { name: 'tool_call', id, timestamp, payload: { code: 200, output: null } };
        await send(`/task/${created.id}/event`, reply);
      }
      isOver = status === 200;
    }
  }
  expect(inputs).toHaveLength(2 * USABLE.length);
  expect(inputs.filter((input) => !isObject(input))).toEqual([]);
  for (const schema of [...UNUSABLE, true, false, [], 'x', null]) {
    const { status, detail } = await create(schema);
    expect(status, JSON.stringify(schema)).toBe(422);
    if (UNUSABLE.includes(schema)) expect(JSON.stringify(detail)).toMatch(/no object satisfies it/);
  }
  const { checks, summary } = judgeBothSides(mock.journal()).createReport({
    ...{ baseUrl: 'http://mock', started: new Date(0), duration_ms: 0 },
  });
  expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(summary.failed).toBe(0);
  for (const id of ['service#TOOL-01', 'service#TOOL-02'])
    expect(checks.find((check) => check.id === id)?.outcome).toBe('passed');
  await mock.close();
});

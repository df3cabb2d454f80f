import { operations } from '../../spec/generated/operations.js';
import { anything, bool, integer, text } from '../../spec/json-schema/build-schema.js';
import { createValidator } from '../../spec/json-schema/evaluate.js';
import type { Schema, SchemaObject, TypeName } from '../../spec/json-schema/schema.js';
import { findViolations } from '../../spec/json-schema/violations.js';
import { classifyRequest, NO_OPERATION } from '../../spec/vocabulary.js';
import type { Timers } from '../clock/wake-up-timer.js';
import { CLOCK_MODES } from '../engine/clock.js';
import type { JournalQuery } from '../exchange/journal.js';
import {
  DEFAULT_LIMITS,
  type GateTarget,
  type ListenOptions,
  type MockLimits,
  type MockOptions,
} from './mock-options.js';

/** JSON has no functions; the internal validator checks `typeof`. */
export const functionSchema: SchemaObject = { type: 'function' as TypeName };

/** A whole number, or Infinity for no bound. */
function createWholeSchema(minimum: number): SchemaObject {
  const expected = `a whole number from ${minimum}`;
  return { anyOf: [{ type: 'integer', minimum }, { const: Infinity }], 'x-expected': expected };
}

/** The schema of an options object. It does not compile unless every option of the type has a schema. */
export function createOptionsSchema<T>(
  properties: { readonly [Name in keyof Required<T>]: Schema },
  expected = 'an object',
): SchemaObject {
  return { type: 'object', properties, additionalProperties: false, 'x-expected': expected };
}

/** Throws TypeError for an unknown or invalid option: an ignored option would be noticed late. */
export function assertOptions(caller: string, given: unknown, schema: SchemaObject): void {
  const options = { ...schema, 'x-expected': 'an object of options' };
  const [violation] = findViolations(createValidator(options), given);
  if (violation) throw new InvalidOptions(caller, violation.message);
}

/** Unknown or invalid options: a TypeError in programs, a 422 in requests of the admin API. */
export class InvalidOptions extends TypeError {
  override readonly name = 'TypeError';

  constructor(
    caller: string,
    readonly violation: string,
  ) {
    super(`${caller}: ${violation}`);
  }
}

const LIMITS = createOptionsSchema<MockLimits>(
  Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, createWholeSchema(1)])) as Record<
    keyof MockLimits,
    Schema
  >,
);

const TIMERS = createOptionsSchema<Timers>(
  { set: functionSchema, clear: functionSchema },
  'an object with set and clear',
);

export const ORIGIN = {
  type: 'string',
  pattern: '^https?://([\\w.-]+|\\[[\\da-f:]+\\])(:\\d{1,5})?(/[^\\s"\\\\]*)?$',
  'x-expected': 'an address such as http://mock:4010',
} as const;

/** Options of `createMock`. The contents of files, scenarios, fixtures and choices are checked where they are read. */
const OPTIONS = createOptionsSchema<MockOptions>({
  seed: { type: ['string', 'number'], 'x-expected': 'a text or a number' },
  clock: { enum: [...CLOCK_MODES] },
  speed: { type: 'number', exclusiveMinimum: 0, 'x-expected': 'a number above 0' },
  startMs: { ...integer(), 'x-expected': 'a whole number of ms' },
  agent: { enum: ['improvising', 'idle'] },
  scenarios: { type: 'array', 'x-expected': 'a list of scenarios or paths' },
  library: bool,
  dialect: anything,
  network: {
    type: ['string', 'array'],
    'x-expected': 'a list of rules, a path, or rules in shorthand such as "fail 503 of poll"',
  },
  fixtures: anything,
  limits: LIMITS,
  origin: ORIGIN,
  wall: functionSchema,
  timers: TIMERS,
  adminToken: text,
  judge: functionSchema,
  writeScenario: functionSchema,
  readTimelines: functionSchema,
  describeJob: functionSchema,
  readPage: functionSchema,
  clientRuns: anything,
  serveMcp: functionSchema,
  lightResponses: bool,
  onNote: functionSchema,
  onFault: functionSchema,
  onExchange: functionSchema,
  onRecord: functionSchema,
  onTrace: functionSchema,
});

const LISTEN = createOptionsSchema<ListenOptions>({
  port: integer(0, 65_535),
  host: text,
});

const KINDS = [...Object.keys(operations).map((id) => classifyRequest(id, undefined)), 'reply', NO_OPERATION];

const QUERY = createOptionsSchema<JournalQuery>({
  key: text,
  task: text,
  kind: {
    enum: KINDS,
    'x-expected': 'create, poll, reply, action, cancel, unknown, or the id of another operation',
  },
  since: createWholeSchema(0),
  limit: createWholeSchema(0),
});

const GATE = createOptionsSchema<GateTarget>({ task: text, key: text });

// Each throws TypeError for an unknown or invalid option.
export const checkOptions = (given: unknown, caller = 'createMock') => assertOptions(caller, given, OPTIONS);
export const checkListen = (given: unknown, caller = 'mock.listen') => assertOptions(caller, given, LISTEN);
export const checkQuery = (given: unknown) => assertOptions('mock.journal', given, QUERY);
export const checkGate = (given: unknown) => assertOptions('mock.openGate', given, GATE);

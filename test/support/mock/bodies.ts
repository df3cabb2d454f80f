import fc from 'fast-check';
import { openapi } from '../../../spec/generated/documents.js';
import { HOSTILE_SCHEMAS, PLAIN_SCHEMAS } from './hostile-schemas.js';
import type { EntityKind } from './known-entities.js';

/** A placeholder in a body for a name from an earlier response, replaced when the request is sent. */
export class EntityReference {
  constructor(
    readonly kind: EntityKind,
    readonly field: string,
    readonly n: number,
  ) {}

  toString(): string {
    return `${this.kind} ${this.n}`;
  }
}

/** A placeholder in a body for a large value: counterexamples stay readable. */
export class LargeValue {
  constructor(readonly name: keyof typeof LARGE) {}
}

/** Valid JSON that is too deep for recursive serializers. */
const createDeepText = () => '['.repeat(20_000) + ']'.repeat(20_000);

export const LARGE: Readonly<Record<string, () => unknown>> = {
  ...HOSTILE_SCHEMAS,
  'deep JSON text': createDeepText,
};

type SchemaNode = Readonly<Record<string, unknown>>;

/** Strings that often cause failures. */
const HOSTILE_WORDS = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'call-1',
  '{{constructor.name}}',
  '{{call-1.output}}',
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  '../../etc/passwd',
  '<script>',
  '😀'.repeat(20),
  '1e999',
] as const;

export const word: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,8}$/) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_WORDS) },
);

function createReferenceArbitrary(kind: EntityKind, field: string): fc.Arbitrary<unknown> {
  return fc.nat({ max: 1000 }).map((n) => new EntityReference(kind, field, n));
}

const schema: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...PLAIN_SCHEMAS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...Object.keys(HOSTILE_SCHEMAS)).map((name) => new LargeValue(name)),
  },
);

/** Rarely present: for values that make most requests fail or slow. */
function createRareArbitrary(arbitrary: fc.Arbitrary<unknown>, odds = 4): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: odds, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const result = fc.record(
  {
    code: fc.constantFrom<unknown>(200, 200, 200, 400, 500, 501, '200'),
    output: fc.jsonValue({ maxDepth: 2 }),
  },
  { noNullPrototype: true },
);

const session = fc.oneof(
  fc.record({ name: fc.constant('goto'), input: fc.record({ url: fc.webUrl() }) }),
  fc.record({ name: fc.constant('extract'), input: fc.record({ schema, prompt: fc.option(word) }) }),
  fc.record({ name: fc.constant('evaluate_js'), input: fc.record({ js: word, args: fc.jsonValue() }) }),
  fc.record({
    name: fc.constant('run_task'),
    input: fc.record({
      task: word,
      response_model: createRareArbitrary(schema),
      max_steps: fc.integer({ min: 2, max: 128 }),
    }),
  }),
  fc.record({ name: word, input: fc.jsonValue() }),
);

/** Values with a meaning for the service, by schema and property. */
const MEANINGFUL: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'TaskRequest.task': fc.oneof(word, fc.constant(null)),
  'TaskRequest.custom_tools': createRareArbitrary(
    fc.array(fc.record({ name: word, description: word, inputs: schema, output: word }), {
      minLength: 1,
      maxLength: 2,
    }),
    1,
  ),
  'TaskRequest.response_model': createRareArbitrary(schema, 2),
  'TaskRequest.files': createRareArbitrary(
    fc.array(createReferenceArbitrary('file', 'file_id'), { maxLength: 2 }),
  ),
  'TaskRequest.profile_id': createRareArbitrary(
    fc.oneof(createReferenceArbitrary('profile', 'profile_id'), word),
  ),
  'TaskUpdateRequest.tool_response': fc.record({
    id: createReferenceArbitrary('toolCall', 'id'),
    code: fc.constantFrom(200, 400, 500, 7),
    output: fc.oneof(word, fc.constant('{"a":1}'), fc.constant(new LargeValue('deep JSON text'))),
  }),
  TaskEvent: fc.oneof(
    fc.record({ name: fc.constant('browser_action'), id: word, payload: session }),
    fc.record({ name: fc.constant('session_action'), id: fc.uuid(), payload: session, timestamp: fc.nat() }),
    fc.record({
      name: fc.constant('session_action'),
      id: fc.uuid(),
      payload: fc.constant({ name: 'close' }),
    }),
    fc.record({
      name: fc.constant('tool_call'),
      id: createReferenceArbitrary('toolCall', 'id'),
      payload: result,
    }),
  ),
  'ProfileRequest.id': fc.oneof(word, fc.constant(null)),
  'BrowserSessionRequest.profile_id': createRareArbitrary(
    fc.oneof(createReferenceArbitrary('profile', 'profile_id'), word),
  ),
  'AutomationWebhookRequest.automation_id': fc.oneof(
    createReferenceArbitrary('automation', 'id'),
    createReferenceArbitrary('automation', 'webhook_token'),
  ),
};

/** Values that are valid for a schema of the API description. `path`: key of `MEANINGFUL`. */
export function createSchemaArbitrary(node: SchemaNode, path: string): fc.Arbitrary<unknown> {
  if (MEANINGFUL[path]) return MEANINGFUL[path];
  if (typeof node.$ref === 'string') {
    const name = node.$ref.split('/').at(-1)!;
    return MEANINGFUL[name] ?? createSchemaArbitrary(openapi.components.schemas[name]!, name);
  }
  if (Array.isArray(node.enum)) return fc.constantFrom(...node.enum);
  if (Array.isArray(node.anyOf))
    return fc.oneof(...node.anyOf.map((one: SchemaNode) => createSchemaArbitrary(one, path)));
  if (node.type === undefined) return fc.jsonValue({ maxDepth: 2 });
  const types = Array.isArray(node.type) ? node.type : [node.type];
  return fc.oneof(...types.map((type: string) => createTypeArbitrary(type, node, path)));
}

function createTypeArbitrary(type: string, node: SchemaNode, path: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Number(node.minimum ?? -1000), max: Number(node.maximum ?? 1_000_000) });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'string':
      return word;
    case 'array':
      return fc.array(createSchemaArbitrary(node.items as SchemaNode, path), {
        maxLength: Math.min(3, Number(node.maxItems ?? 3)),
      });
    case 'object':
      return createObjectArbitrary(node, path);
    default:
      throw new Error(`No values for type ${type} at ${path}`);
  }
}

function createObjectArbitrary(node: SchemaNode, path: string): fc.Arbitrary<unknown> {
  const properties = Object.entries((node.properties ?? {}) as Record<string, SchemaNode>);
  if (properties.length === 0) {
    const more =
      typeof node.additionalProperties === 'object' ? (node.additionalProperties as SchemaNode) : {};
    return fc.dictionary(word, createSchemaArbitrary(more, `${path}.*`), {
      maxKeys: 3,
      noNullPrototype: true,
    });
  }
  const model = Object.fromEntries(
    properties.map(([name, one]) => [name, createSchemaArbitrary(one, `${path}.${name}`)]),
  );
  // Meaningful properties are always present, so that requests succeed.
  const always = properties.map(([name]) => name).filter((name) => MEANINGFUL[`${path}.${name}`]);
  const requiredKeys = [...new Set([...always, ...((node.required as string[] | undefined) ?? [])])];
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

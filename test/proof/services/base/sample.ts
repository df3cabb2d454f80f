interface SampleSchema {
  type?: string | string[];
  properties?: Record<string, SampleSchema>;
  items?: SampleSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: SampleSchema[];
  oneOf?: SampleSchema[];
  allOf?: SampleSchema[];
  $ref?: string;
  $defs?: Record<string, SampleSchema>;
  minimum?: number;
  minItems?: number;
  minLength?: number;
  format?: string;
  pattern?: string;
}

/** The plainest value that satisfies a schema: what the agent of a demo service calls tools with. */
export function sample(schema: unknown, root: unknown = schema): unknown {
  const given = (schema ?? {}) as SampleSchema;
  if (given.$ref) {
    let found = root;
    for (const key of given.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[key];
    return sample(found, root);
  }
  if (given.const !== undefined) return given.const;
  if (given.enum) return given.enum[0];
  const choice = given.anyOf?.[0] ?? given.oneOf?.[0] ?? given.allOf?.[0];
  if (choice) return sample(choice, root);
  const type = Array.isArray(given.type) ? given.type[0] : given.type;
  if (type === 'object' || given.properties)
    return Object.fromEntries(
      Object.entries(given.properties ?? {}).map(([name, each]) => [name, sample(each, root)]),
    );
  if (type === 'array') return Array.from({ length: given.minItems ?? 1 }, () => sample(given.items, root));
  if (type === 'integer' || type === 'number') return Math.max(1, given.minimum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (given.pattern) return createFromPattern(given.pattern);
  if (given.format === 'uri') return 'https://example.com';
  return 'example'.padEnd(given.minLength ?? 0, 'x');
}

/** For patterns of the plain kind, `^[A-Z]{2}-[0-9]{4}$`: the first character of each class. */
function createFromPattern(pattern: string): string {
  return pattern
    .replace(/^\^|\$$/g, '')
    .replace(/\[(.)[^\]]*\](?:\{(\d+)\})?/g, (_, first: string, times = '1') => first.repeat(Number(times)));
}

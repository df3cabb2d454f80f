import type { Random } from './engine/generate/random.js';
import type { Generators } from './engine/world.js';

/** Schemas whose examination is remembered: clients send the same ones again and again. */
const REMEMBERED = 500;

/**
 * Loads what makes values up. Its libraries take longer to load than the rest of the mock to start, so this is done
 * once the first request needs it.
 */
export async function loadGenerators(): Promise<Generators> {
  const { checkSchema, generate, plausibleOutput } = await import('./engine/generate/index.js');
  const known = new Map<string, string | undefined>();
  return {
    problem(schema) {
      const text = JSON.stringify(schema) ?? 'undefined';
      if (known.has(text)) return known.get(text);
      const found = checkSchema(schema);
      const at = found?.pointer ? ` at ${found.pointer}` : '';
      const problem = found && `expected ${found.expected}${at}, got ${found.got}`;
      if (text.length > 16_384) return problem;
      if (known.size >= REMEMBERED) known.delete(known.keys().next().value!);
      known.set(text, problem);
      return problem;
    },
    value(schema: unknown, random: Random) {
      const made = generate(schema, random);
      return 'value' in made ? made.value : undefined;
    },
    text: plausibleOutput,
  };
}

import type { Generators } from '../engine/world.js';
import { createRandom, type Random } from './random.js';

/** Schemas whose examination is remembered: clients send the same ones again and again. */
const REMEMBERED = 500;
/** Longest schema that is remembered, in characters. */
const LONGEST_REMEMBERED = 16_384;

/** What is known of a schema: why it cannot be used, or a value that satisfies it. */
type Examined = { problem: string } | { value: unknown };

/**
 * Loads what makes values up. Its libraries take longer to load than the rest of the mock to start, so this is done
 * once the first request needs it.
 */
export async function loadGenerators(): Promise<Generators> {
  const { checkSchema, compileSchema, generate, plausibleOutput } = await import('./index.js');
  const known = new Map<string, Examined>();

  function examine(schema: unknown): Examined {
    const text = JSON.stringify(schema) ?? 'undefined';
    const remembered = known.get(text);
    if (remembered) return remembered;
    const examined = look(schema);
    if (text.length > LONGEST_REMEMBERED) return examined;
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value!);
    known.set(text, examined);
    return examined;
  }

  /** A schema is of use only if a value can be found for it: one is made at once, from a seed of its own. */
  function look(schema: unknown): Examined {
    const refused = checkSchema(schema);
    if (refused) return { problem: describe(refused) };
    const trial = generate(schema, createRandom('trial'));
    return 'value' in trial
      ? trial
      : {
          problem: `no value satisfies it: ${describe(trial.problem)}; loosen the keywords that rule values out`,
        };
  }

  return {
    problem(schema) {
      const examined = examine(schema);
      return 'problem' in examined ? examined.problem : undefined;
    },
    value(schema: unknown, random: Random) {
      const made = generate(schema, random);
      if ('value' in made) return made.value;
      // Not for this seed: the value that was found when the schema came still satisfies it.
      const examined = examine(schema);
      return 'value' in examined ? structuredClone(examined.value) : undefined;
    },
    fits(schema, value) {
      return !('problem' in examine(schema)) && compileSchema(schema)(value) === undefined;
    },
    text: plausibleOutput,
  };
}

function describe({ pointer, expected, got }: { pointer: string; expected: string; got: string }): string {
  return `expected ${expected}${pointer === '' ? '' : ` at ${pointer}`}, got ${got}`;
}

import { linearPattern } from '../schema/patterns.js';
import { fakerFor } from './faker.js';
import { type PatternRequest, STEPS_PER_UNIT, textForPatterns } from './pattern-text.js';

/** What the text must be beside matching the patterns. */
export interface Surroundings {
  /** A text that reads like a real value, of which parts may be put around. */
  real?: string | undefined;
  fits(text: string): boolean;
}

/**
 * A text that matches the patterns because a part of it does, where they are open at an end: `@acme\.com$` says only
 * how an address ends, `^x_` only how a name begins. With `fits` the first such text that passes; undefined when none
 * does. Throws what `request.spend` throws.
 */
export function textAround(
  request: PatternRequest,
  { real, fits }: Partial<Surroundings> = {},
): string | undefined {
  const core = textForPatterns({ ...request, min: 0 });
  if (core === undefined) return undefined;
  const tests = request.patterns.map(linearPattern);
  const steps = tests.reduce((sum, test) => sum + (typeof test === 'string' ? 0 : test.steps), 0);
  const passes = (text: string) => {
    request.spend(0.1 + (steps * text.length) / STEPS_PER_UNIT);
    return (
      text.length >= request.min &&
      text.length <= request.max &&
      tests.every((test) => typeof test !== 'string' && test.test(text)) &&
      (fits?.(text) ?? true)
    );
  };
  return surrounded(core, word(request), real).find(passes);
}

/** The shapes in which a core reads well; the core alone comes last. */
function surrounded(core: string, filler: string, real: string | undefined): string[] {
  const shapes = [filler, core + filler, filler + core];
  if (real !== undefined) {
    shapes.push(real + core, core + real);
    // In place of as much of it: dates of one year, numbers with one beginning.
    shapes.push(core + real.slice(core.length), real.slice(0, -core.length || undefined) + core);
    // What an address or a link begins and ends with: some formats ask for both around the core.
    const begin = /^[a-z]+:\/\/[^/]*\//.exec(real)?.[0];
    const end = /@.+$/.exec(real)?.[0];
    if (end !== undefined) shapes.push(core + end, filler + core + end, core + end.slice(1));
    if (begin !== undefined) shapes.push(begin + core, begin + filler + core);
  }
  return [...shapes, core];
}

function word({ random }: PatternRequest): string {
  return (
    fakerFor(random)
      .word.noun()
      .replace(/[^a-z]/g, '') || 'word'
  );
}

import { Source, type Violation } from '../../scenarios/format/load/source.js';
import { resolveDialect } from '../../spec/dialect.js';
import { openPoints } from '../../spec/generated/open-points.js';
import { nearest } from '../../spec/nearest.js';
import { show } from '../../spec/show.js';
import { InvalidFile } from './invalid-file.js';

const KNOWN = ['title', 'description', 'choices'];

/**
 * Reads a dialect from YAML or JSON: `title` and `choices`, the choice for each open point by its id. Throws
 * InvalidFile with every problem there is.
 */
export function readDialect(text: string, file: string): Record<string, unknown> {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) throw new InvalidFile(problems);
  const violations = checkDialect(source.value);
  if (violations.length > 0) throw new InvalidFile(violations.map((violation) => source.problem(violation)));
  return (source.value as { choices: Record<string, unknown> }).choices;
}

function checkDialect(value: unknown): Violation[] {
  if (!isMapping(value))
    return [{ path: [], message: `expected a mapping with "choices", found ${show(value)}` }];
  const strays = Object.keys(value).filter((name) => !KNOWN.includes(name));
  if (strays.length > 0) return strays.map(stray);
  const { choices } = value;
  if (!isMapping(choices)) {
    return [
      {
        path: ['choices'],
        message: `choices: expected a mapping from open point to choice, found ${show(choices)}`,
      },
    ];
  }
  return resolveDialect(choices, openPoints).problems.map(({ id, kind, message }) => ({
    path: ['choices', id],
    at: kind === 'unknown-point' ? 'key' : 'value',
    message,
  }));
}

function stray(name: string): Violation {
  const meant = nearest(name, KNOWN);
  const advice = meant ? `did you mean ${meant}?` : 'the choice for an open point stands below "choices"';
  return { path: [name], at: 'key', message: `unknown key "${name}"; ${advice}` };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { nearest } from './nearest.js';
import type { NumberPoint, OpenPoint } from './requirement-types.js';

/** What was chosen for every open point, by its id: the name of a choice, or a number in the unit of the point. */
export type Dialect = Readonly<Record<string, string | number>>;

/** Something wrong with the choices of a dialect. */
export interface DialectProblem {
  /** The id as it was given. */
  readonly id: string;
  /** `unknown-point`: there is no such open point. `bad-choice`: there is, and this is none of its choices. */
  readonly kind: 'unknown-point' | 'bad-choice';
  /** What would be right. */
  readonly expected: string;
  /** What was given, as JSON. */
  readonly found: string;
  /** One sentence for a person: where, what was expected, what came, what to do. */
  readonly message: string;
}

/**
 * Fills in the default of every open point that `choices` says nothing about. The dialect is complete even when there
 * are problems: a point with a bad choice has its default. Status codes and `null` may come unquoted, as YAML reads
 * them. Changes nothing that it is given.
 */
export function resolveDialect(
  choices: Readonly<Record<string, unknown>>,
  points: readonly OpenPoint[],
): { dialect: Dialect; problems: DialectProblem[] } {
  const byId = new Map(points.map((point) => [point.id, point]));
  const dialect = new Map<string, string | number>(points.map((point) => [point.id, point.default]));
  const problems: DialectProblem[] = [];
  for (const [id, given] of Object.entries(choices)) {
    const point = byId.get(id);
    if (point === undefined) {
      problems.push(unknownPoint(id, given, byId.keys()));
      continue;
    }
    const chosen = choose(point, given);
    if (chosen === undefined) problems.push(badChoice(point, given));
    else dialect.set(id, chosen);
  }
  return { dialect: Object.freeze(Object.fromEntries(dialect)), problems };
}

function choose(point: OpenPoint, given: unknown): string | number | undefined {
  if (point.kind === 'number') return isWithin(given, point) ? given : undefined;
  if (typeof given === 'object' && given !== null) return undefined;
  const name = String(given);
  return Object.hasOwn(point.choices, name) ? name : undefined;
}

function isWithin(given: unknown, { choices }: NumberPoint): given is number {
  return (
    typeof given === 'number' &&
    Number.isInteger(given) &&
    given >= choices.minimum &&
    given <= choices.maximum
  );
}

function unknownPoint(id: string, given: unknown, known: Iterable<string>): DialectProblem {
  const meant = nearest(id, known);
  const advice = meant === undefined ? 'remove it, or see open-points.yaml' : `did you mean ${meant}?`;
  return {
    id,
    kind: 'unknown-point',
    expected: meant ?? 'the id of an open point',
    found: show(given),
    message: `${id}: there is no open point of this name; ${advice}`,
  };
}

function badChoice(point: OpenPoint, given: unknown): DialectProblem {
  const expected = admissible(point);
  const found = show(given);
  const wanted = point.kind === 'choice' && typeof given === 'string' ? Object.keys(point.choices) : [];
  const meant = nearest(String(given), wanted);
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  return {
    id: point.id,
    kind: 'bad-choice',
    expected,
    found,
    message: `${point.id}: expected ${expected}, found ${found}${advice}`,
  };
}

function admissible(point: OpenPoint): string {
  if (point.kind === 'choice') {
    const names = Object.keys(point.choices);
    return names.length === 1 ? `${names[0]}, the only choice there is` : `one of ${names.join(', ')}`;
  }
  const { unit, minimum, maximum } = point.choices;
  return `a whole number from ${minimum} to ${maximum} (${unit}${point.zero ? `; 0: ${point.zero}` : ''})`;
}

function show(given: unknown): string {
  const text = JSON.stringify(given) ?? String(given);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

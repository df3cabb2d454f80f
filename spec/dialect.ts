import { formatSuggestion } from './nearest.js';
import type { OpenPoint } from './requirement-types.js';
import { show } from './show.js';

/** The choice for every open point, by its id: the name of a choice, or a number in the unit of the point. */
export type Dialect = Readonly<Record<string, string | number>>;

/** Something wrong with the choices of a dialect. */
export interface DialectProblem {
  /** The id as it was given. */
  readonly id: string;
  /** `unknown-point`: no open point has this id. `bad-choice`: the open point does not have this choice. */
  readonly kind: 'unknown-point' | 'bad-choice';
  /** One sentence: where, what was expected, what was found, what to do. */
  readonly message: string;
}

/**
 * Fills in the default of every open point that `choices` leaves out. The dialect is complete even when there
 * are problems: a point with a bad choice has its default. Status codes and `null` may be unquoted, as YAML reads them.
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
    const chosen = point && choose(point, given);
    if (chosen !== undefined) dialect.set(id, chosen);
    else if (point) problems.push({ id, kind: 'bad-choice', message: describeBadChoice(point, given) });
    else {
      const advice = formatSuggestion(id, byId.keys(), 'remove it, or see open-points.yaml');
      const message = `${id}: there is no open point of this name${advice}`;
      problems.push({ id, kind: 'unknown-point', message });
    }
  }
  return { dialect: Object.freeze(Object.fromEntries(dialect)), problems };
}

function choose(point: OpenPoint, given: unknown): string | number | undefined {
  if (point.kind === 'number') {
    const { minimum, maximum } = point.choices;
    return Number.isInteger(given) && Number(given) >= minimum && Number(given) <= maximum
      ? Number(given)
      : undefined;
  }
  if (typeof given === 'object' && given !== null) return undefined;
  return Object.hasOwn(point.choices, String(given)) ? String(given) : undefined;
}

function describeBadChoice(point: OpenPoint, given: unknown): string {
  const found = given === null ? 'null' : show(given);
  if (point.kind === 'number') {
    const { unit, minimum, maximum } = point.choices;
    const zero = point.zero ? `; 0: ${point.zero}` : '';
    return `${point.id}: expected a whole number from ${minimum} to ${maximum} (${unit}${zero}), found ${found}`;
  }
  const names = Object.keys(point.choices);
  const expected =
    names.length === 1 ? `${names[0]}, the only choice there is` : `one of ${names.join(', ')}`;
  return `${point.id}: expected ${expected}, found ${found}${formatSuggestion(given, names)}`;
}

/** Reads answers whose fields the API does not name: whatever they are called, what is looked for is found by what it is usually called. */

/** How deep it is looked. */
const DEEPEST = 4;

/** The first value under one of `names` that `fits`: earlier names first, then what is nearest to the top. */
export function find<T>(
  value: unknown,
  names: readonly string[],
  fits: (value: unknown) => value is T,
): T | undefined {
  for (const name of names) {
    let level: unknown[] = [value];
    for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
      const objects = level.filter((each) => each !== null && typeof each === 'object') as object[];
      for (const object of objects) {
        const found = Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
        if (fits(found)) return found;
      }
      level = objects.flatMap((object) => Object.values(object));
    }
  }
  return undefined;
}

/** An id as text, though a service may count them. */
export function findId(value: unknown, ...names: string[]): string | undefined {
  const found = find(value, names, isId);
  return found === undefined ? undefined : String(found);
}

export function findTime(value: unknown, ...names: string[]): number | undefined {
  return find(value, names, Number.isSafeInteger as (each: unknown) => each is number);
}

export function findText(value: unknown, ...names: string[]): string | undefined {
  return find(value, names, (each): each is string => typeof each === 'string' && each !== '');
}

/** The first object in a list under one of `names`. */
export function findRow(value: unknown, ...names: string[]): Record<string, unknown> | undefined {
  return find(value, names, isRows)?.[0];
}

/** The first id in a list of plain ids under one of `names`: of a file that is called `filename`. */
export function findListedId(value: unknown, filename: string, ...names: string[]): string | undefined {
  const isIds = (each: unknown): each is string[] => Array.isArray(each) && isPlainId(each[0], filename);
  return find(value, names, isIds)?.[0];
}

/** A text that stands for a file by itself: neither its name nor its address. */
export function isPlainId(value: unknown, filename: string): value is string {
  return typeof value === 'string' && value !== '' && value !== filename && !value.includes('://');
}

/** The members of a list, wherever in the body it stands; undefined where there is none. */
export function rowsOf(body: unknown): readonly unknown[] | undefined {
  let level: unknown[] = [body];
  for (let depth = 0; depth <= 2; depth++) {
    const list = level.find(Array.isArray);
    if (list) return list;
    level = level.flatMap((each) => (each !== null && typeof each === 'object' ? Object.values(each) : []));
  }
  return undefined;
}

/** Every text and number that stands anywhere in a body, as text. */
export function valuesIn(body: unknown, found = new Set<string>()): Set<string> {
  if (body === null || typeof body !== 'object') found.add(String(body));
  else for (const each of Object.values(body)) valuesIn(each, found);
  return found;
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

function isRows(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value[0] !== null && typeof value[0] === 'object';
}

/** Shorter endings than this may be counted up, and what they are changed into may exist. */
const LEAST_TAIL = 8;

/** An id that looks like this one, so that nothing but its absence can be wrong with it. */
export function unlike(id: string): string {
  const tail = /[0-9a-z]+$/i.exec(id)?.[0].slice(-12) ?? '';
  const turned = [...tail].reverse().join('');
  if (tail.length < LEAST_TAIL || turned === tail) return `${id}${/\d$/.test(id) ? '' : '-'}9081726354`;
  return id.slice(0, id.length - tail.length) + turned;
}

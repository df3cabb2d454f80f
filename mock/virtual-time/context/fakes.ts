interface Marks {
  clock?: unknown;
  isMock?: unknown;
  _isMockFunction?: unknown;
}

/** Fake timers: those of vitest, jest and sinon have a clock; those of node:test are known by their names alone. */
export function isFake(value: unknown): boolean {
  const { clock, isMock } = marksOf(value);
  if (typeof clock === 'object' || isMock === true) return true;
  return typeof value === 'function' && value.name.startsWith('bound #');
}

/** A spy of vitest or jest. */
export function isSpy(value: unknown): boolean {
  return marksOf(value)._isMockFunction === true;
}

function marksOf(value: unknown): Marks {
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? value : {};
}

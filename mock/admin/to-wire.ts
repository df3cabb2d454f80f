/** Fields of views that hold what clients or files sent: their names are data. */
const DATA = new Set(['request', 'input', 'output', 'events', 'rule', 'outcome']);

/** A view as JSON names it: `nextDue` is `next_due`. */
export function toWire(view: unknown): unknown {
  if (Array.isArray(view)) return view.map(toWire);
  if (typeof view !== 'object' || view === null) return view;
  return Object.fromEntries(
    Object.entries(view).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      DATA.has(name) ? value : toWire(value),
    ]),
  );
}

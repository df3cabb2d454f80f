import { inPlace, type SchemaDocument } from './document.js';
import type { Schema, SchemaObject, SchemaProblem } from './schema.js';

/** Schemas that one value may have to be held against. Doubling references reach a million in twenty lines. */
const MOST_IN_PLACE = 20_000;

/**
 * Refuses references that lead back to themselves without stepping into an object or array (checking any value would
 * never end), and ones that multiply (checking would end too late).
 */
export function checkInPlace(document: SchemaDocument): SchemaProblem | undefined {
  const cost = new Map<SchemaObject, number>();
  const onPath = new Set<SchemaObject>();
  for (const start of document.pointers.keys()) {
    const problem = measure(start);
    if (problem) return problem;
  }
  return undefined;

  // A path of references may be as long as the schema has nodes, so this must not recurse.
  function measure(start: SchemaObject): SchemaProblem | undefined {
    const path: { schema: SchemaObject; rest: Iterator<Schema>; sum: number }[] = [];
    const enter = (schema: SchemaObject) => {
      onPath.add(schema);
      path.push({ schema, rest: inPlace(schema, document), sum: 1 });
    };
    if (!cost.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = top.rest.next();
      if (step.done) {
        if (top.sum > MOST_IN_PLACE) {
          const expected = `references and combinations that unfold to at most ${MOST_IN_PLACE} schemas`;
          return { pointer: document.pointers.get(top.schema) ?? '', expected, got: 'more' };
        }
        cost.set(top.schema, top.sum);
        onPath.delete(top.schema);
        path.pop();
        const above = path.at(-1);
        if (above) above.sum += top.sum;
      } else if (typeof step.value === 'boolean') {
        top.sum++;
      } else if (onPath.has(step.value)) {
        const expected = 'a recursion that goes through an object or an array';
        return { pointer: document.pointers.get(top.schema) ?? '', expected, got: 'one that never ends' };
      } else {
        const known = cost.get(step.value);
        if (known === undefined) enter(step.value);
        else top.sum += known;
      }
    }
    return undefined;
  }
}

import type { Schema, SchemaObject } from '../../../spec/json-schema/schema.js';
import { inPlace, type SchemaDocument } from './document.js';
import type { SchemaProblem } from './problem.js';

/** Schemas that one value may have to be held against. Doubling references reach a million in twenty lines. */
const MOST_IN_PLACE = 20_000;
/** References and combinations in a row. The validator follows them by recursion. */
const LONGEST_CHAIN = 200;

/** What unfolds from one schema at one place: how many schemas, and how many in a row. */
interface Extent {
  sum: number;
  chain: number;
}

/**
 * Refuses references that lead back to themselves without stepping into an object or array (checking any value would
 * never end), and ones that multiply (checking would end too late) or form a long chain.
 */
export function checkReferences(document: SchemaDocument): SchemaProblem | undefined {
  const extents = new Map<SchemaObject, Extent>();
  const onPath = new Set<SchemaObject>();
  for (const start of document.pointers.keys()) {
    const problem = measure(start);
    if (problem) return problem;
  }
  return undefined;

  function refuse(schema: SchemaObject, expected: string, got: string): SchemaProblem {
    return { pointer: document.pointers.get(schema) ?? '', expected, got };
  }

  // A path of references may be as long as the schema has nodes, so this must not recurse.
  function measure(start: SchemaObject): SchemaProblem | undefined {
    const path: { schema: SchemaObject; rest: Iterator<Schema>; extent: Extent }[] = [];
    const enter = (schema: SchemaObject) => {
      onPath.add(schema);
      path.push({ schema, rest: inPlace(schema, document), extent: { sum: 1, chain: 1 } });
    };
    if (!extents.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { schema, extent } = top;
      const step = top.rest.next();
      if (step.done) {
        if (extent.sum > MOST_IN_PLACE) {
          return refuse(
            schema,
            `references and combinations that unfold to at most ${MOST_IN_PLACE} schemas`,
            'more',
          );
        }
        if (extent.chain > LONGEST_CHAIN) {
          return refuse(schema, `at most ${LONGEST_CHAIN} references in a row`, 'more');
        }
        extents.set(schema, extent);
        onPath.delete(schema);
        path.pop();
        const above = path.at(-1);
        if (above) add(above.extent, extent);
      } else if (typeof step.value === 'boolean') {
        extent.sum++;
      } else if (onPath.has(step.value)) {
        return refuse(schema, 'a recursion that goes through an object or an array', 'one that never ends');
      } else {
        const known = extents.get(step.value);
        if (known) add(extent, known);
        else enter(step.value);
      }
    }
    return undefined;
  }
}

function add(to: Extent, inner: Extent): void {
  to.sum += inner.sum;
  to.chain = Math.max(to.chain, inner.chain + 1);
}

import { childPointer } from '../../../spec/json-pointer.js';
import type { SchemaProblem } from './problem.js';

/** How large a schema may be. Bytes of its JSON text in UTF-8, values in it, values inside each other. */
export interface SchemaLimits {
  bytes: number;
  nodes: number;
  depth: number;
}

export const SCHEMA_LIMITS: SchemaLimits = { bytes: 256 * 1024, nodes: 5_000, depth: 32 };

/**
 * The JSON text of a value that came from anywhere, or what keeps it from being read: too large, too deep, no JSON,
 * or a key that would change an object's prototype. Walks without recursion and stops at the first bound, so that
 * its cost is bounded whatever it is handed.
 */
export function boundedText(
  value: unknown,
  limits: SchemaLimits,
): { text: string } | { problem: SchemaProblem } {
  const refuse = (place: Visited | undefined, expected: string, got: string) => ({
    problem: { pointer: pointerTo(place), expected, got },
  });
  const open: Visited[] = [{ value, key: '', depth: 0 }];
  let nodes = 0;
  let chars = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: inner, depth } = place;
    if (++nodes > limits.nodes)
      return refuse(undefined, `at most ${limits.nodes} values in the schema`, 'more');
    if (depth > limits.depth) return refuse(place, `at most ${limits.depth} levels`, 'more');
    if (typeof inner === 'string') chars += inner.length;
    else if (typeof inner === 'object' && inner !== null) {
      const keys = Array.isArray(inner) ? undefined : Object.keys(inner);
      const size = keys?.length ?? (inner as unknown[]).length;
      if (nodes + open.length + size > limits.nodes)
        return refuse(place, `at most ${limits.nodes} values in the schema`, `${size} of them here`);
      for (let i = size - 1; i >= 0; i--) {
        const key = keys?.[i] ?? i;
        if (key === '__proto__') return refuse(place, 'names other than __proto__', '__proto__');
        if (keys) chars += keys[i]!.length;
        open.push({
          value: (inner as Record<string, unknown>)[key],
          key,
          depth: depth + 1,
          parent: place,
        });
      }
    } else if (inner !== null && typeof inner !== 'boolean' && !Number.isFinite(inner)) {
      return refuse(place, 'a JSON value', typeof inner === 'number' ? String(inner) : typeof inner);
    }
    if (chars > limits.bytes) return refuse(undefined, `at most ${limits.bytes} bytes of JSON`, 'more');
  }
  const text = JSON.stringify(value);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > limits.bytes) return refuse(undefined, `at most ${limits.bytes} bytes of JSON`, `${bytes}`);
  return { text };
}

/** A value on the way. Its pointer is only written when it is refused. */
interface Visited {
  value: unknown;
  key: string | number;
  depth: number;
  parent?: Visited;
}

function pointerTo(place: Visited | undefined): string {
  return place?.parent === undefined ? '' : childPointer(pointerTo(place.parent), place.key);
}

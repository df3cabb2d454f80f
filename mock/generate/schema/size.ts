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
  const refuse = (pointer: string, expected: string, got: string) => ({
    problem: { pointer, expected, got },
  });
  const open: { value: unknown; pointer: string; depth: number }[] = [{ value, pointer: '', depth: 0 }];
  let nodes = 0;
  let chars = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { pointer, depth } = at;
    if (++nodes > limits.nodes) return refuse('', `at most ${limits.nodes} values in the schema`, 'more');
    if (depth > limits.depth) return refuse(pointer, `at most ${limits.depth} levels`, 'more');
    const inner = at.value;
    if (typeof inner === 'string') chars += inner.length;
    else if (typeof inner === 'object' && inner !== null) {
      const list = Array.isArray(inner);
      const keys = list ? undefined : Object.keys(inner);
      const size = list ? inner.length : keys!.length;
      if (nodes + open.length + size > limits.nodes) {
        return refuse(pointer, `at most ${limits.nodes} values in the schema`, `${size} of them here`);
      }
      for (let i = size - 1; i >= 0; i--) {
        const key = keys?.[i] ?? i;
        if (key === '__proto__') return refuse(pointer, 'names other than __proto__', '__proto__');
        if (keys) chars += keys[i]!.length;
        open.push({
          value: (inner as Record<string, unknown>)[key],
          pointer: childPointer(pointer, key),
          depth: depth + 1,
        });
      }
    } else if (inner !== null && typeof inner !== 'boolean' && !Number.isFinite(inner)) {
      return refuse(pointer, 'a JSON value', typeof inner === 'number' ? String(inner) : typeof inner);
    }
    if (chars > limits.bytes) return refuse('', `at most ${limits.bytes} bytes of JSON`, 'more');
  }
  const text = JSON.stringify(value);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > limits.bytes) return refuse('', `at most ${limits.bytes} bytes of JSON`, `${bytes}`);
  return { text };
}

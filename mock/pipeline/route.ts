import { type Operation, operations } from '../../spec/generated/operations.js';
import { API_PREFIX } from '../../spec/vocabulary.js';

interface RouteNode {
  literal: Map<string, RouteNode>;
  parameter: RouteNode | null;
  methods: Map<string, Operation>;
}

export interface Route {
  operation: Operation;
  /** Values of the path parameters, decoded, in the order of the path. */
  values: string[];
}

/** A path that has no operation, at least not with this method. */
export interface NoRoute {
  /** The methods that the path has. */
  allowed?: string[];
  /** A percent-encoding cannot be decoded. */
  isMalformed?: boolean;
}

const root = buildTree();
const MOST_SEGMENTS = Math.max(...Object.values(operations).map((operation) => operation.segments.length));

/** The path below `/api/v1`, extra slashes ignored; undefined for any other path. */
function pathBelow(path: string): string | undefined {
  if (path.startsWith(`${API_PREFIX}/`) && path.charCodeAt(API_PREFIX.length + 1) !== 0x2f)
    return path.slice(API_PREFIX.length);
  const folded = path.replace(/\/{2,}/g, '/');
  return folded.startsWith(`${API_PREFIX}/`) ? folded.slice(API_PREFIX.length) : undefined;
}

/** Finds the operation of a path. Extra slashes are ignored, as some clients send them. */
export function route(method: string, fullPath: string): Route | NoRoute {
  const path = pathBelow(fullPath);
  if (path === undefined) return {};
  const known = FIXED.get(path)?.get(method);
  if (known) return known;
  const parts = path.split('/');
  const segments = parts.indexOf('', 1) === -1 ? parts.slice(1) : parts.filter((segment) => segment !== '');
  if (segments.length > MOST_SEGMENTS) return {};
  const allowed: string[] = [];
  const found = walk(root, segments, 0, method, allowed);
  if (found) {
    const values: string[] = [];
    for (let i = 0; i < segments.length; i++) {
      if (!found.segments[i]!.startsWith('{')) continue;
      const value = decode(segments[i]!);
      if (value === undefined) return { isMalformed: true };
      values.push(value);
    }
    return { operation: found, values };
  }
  return allowed.length > 0 ? { allowed } : {};
}

/** Routes of paths without parameters, by path and method: found without taking the path apart. */
const FIXED = new Map<string, Map<string, Route>>();
for (const operation of Object.values(operations)) {
  if (operation.path.includes('{')) continue;
  if (!FIXED.has(operation.path)) FIXED.set(operation.path, new Map());
  FIXED.get(operation.path)!.set(operation.method, { operation, values: [] });
}

/** Literal segments first, then parameters: `/task/zero` is not a task called "zero", unless nothing else fits. */
function walk(
  node: RouteNode,
  segments: string[],
  depth: number,
  method: string,
  allowed: string[],
): Operation | undefined {
  if (depth === segments.length) {
    const operation = node.methods.get(method);
    if (!operation) allowed.push(...node.methods.keys());
    return operation;
  }
  const literal = node.literal.get(segments[depth]!);
  const found = literal && walk(literal, segments, depth + 1, method, allowed);
  if (found || !node.parameter) return found;
  return walk(node.parameter, segments, depth + 1, method, allowed);
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function newNode(): RouteNode {
  return { literal: new Map(), parameter: null, methods: new Map() };
}

function buildTree(): RouteNode {
  const top = newNode();
  for (const operation of Object.values(operations)) {
    let node = top;
    for (const segment of operation.segments) {
      if (segment.startsWith('{')) {
        node.parameter ??= newNode();
        node = node.parameter;
      } else {
        if (!node.literal.has(segment)) node.literal.set(segment, newNode());
        node = node.literal.get(segment)!;
      }
    }
    node.methods.set(operation.method, operation);
  }
  return top;
}

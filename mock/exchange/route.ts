import { type Operation, operations } from '../../spec/generated/operations.js';
import { API_PREFIX } from '../../spec/vocabulary.js';

export interface Route {
  operation: Operation;
  /** Decoded path parameters, in the order of the path. */
  values: string[];
}

/** A path without an operation for this method. */
export interface NoRoute {
  allowed?: string[];
  /** A percent-encoding cannot be decoded. */
  isMalformed?: boolean;
}

/** The header `allow`: HEAD is allowed where GET is. */
export function formatAllow(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)).join(', ');
}

/** Pages that responses link to, below the origin. */
export const PAGES = ['live', 'recordings', 'downloads', 'billing', 'invite'] as const;

/** Replaces the origin of links to pages. */
export function movePages(text: string, from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined || from === to) return text;
  const literal = from.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return text.replace(new RegExp(`${literal}(?=/(?:${PAGES.join('|')})/)`, 'g'), () => to);
}

/** Operations by the first path segment, which is never a parameter. */
const BY_START = new Map<string, Operation[]>();
// `{` sorts behind all letters: `/task/zero` matches a fixed path before a task with the id "zero".
for (const operation of Object.values(operations).sort((one, other) => (one.path < other.path ? -1 : 1))) {
  const start = operation.segments[0]!;
  BY_START.set(start, [...(BY_START.get(start) ?? []), operation]);
}

/** Ignores duplicate slashes, as some clients send them. */
export function route(method: string, fullPath: string): Route | NoRoute {
  const path = fullPath.includes('//') ? fullPath.replace(/\/{2,}/g, '/') : fullPath;
  if (!path.startsWith(`${API_PREFIX}/`)) return {};
  const segments = path.slice(API_PREFIX.length + 1).split('/');
  if (segments.at(-1) === '') segments.pop();
  const group = BY_START.get(segments[0] ?? '') ?? [];
  for (const operation of group) {
    if (operation.method !== method || !isMatch(operation, segments)) continue;
    try {
      return { operation, values: readPathValues(operation, segments) };
    } catch {
      return { isMalformed: true };
    }
  }
  const allowed = group.filter((each) => isMatch(each, segments)).map((each) => each.method);
  return allowed.length > 0 ? { allowed } : {};
}

function isMatch({ segments }: Operation, given: readonly string[]): boolean {
  if (segments.length !== given.length) return false;
  for (let i = 1; i < segments.length; i++)
    if (segments[i] !== given[i] && !segments[i]!.startsWith('{')) return false;
  return true;
}

/** Throws URIError for a broken percent-encoding. */
function readPathValues({ segments }: Operation, given: readonly string[]): string[] {
  const values: string[] = [];
  for (let i = 1; i < segments.length; i++) {
    const value = given[i]!;
    if (segments[i]!.startsWith('{')) values.push(value.includes('%') ? decodeURIComponent(value) : value);
  }
  return values;
}

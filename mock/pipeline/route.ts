import { type Operation, operations } from '../../spec/generated/operations.js';
import { API_PREFIX } from '../../spec/vocabulary.js';

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

/** Pages that responses link to, below the origin. */
export const PAGES = '(?:live|recordings|downloads|billing|invite)/';

/** The text with its links to pages leading to another origin. */
export function movePages(text: string, from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined || from === to) return text;
  const literal = from.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return text.replace(new RegExp(`${literal}(?=/${PAGES})`, 'g'), () => to);
}

/** Operations by the number of segments of their path. */
const BY_LENGTH: Operation[][] = [];
for (const operation of Object.values(operations)) {
  BY_LENGTH[operation.segments.length] ??= [];
  BY_LENGTH[operation.segments.length]!.push(operation);
}
// `{` sorts behind all letters: `/task/zero` is not a task called "zero", unless nothing else fits.
for (const group of BY_LENGTH)
  group?.sort((one, other) => Number(one.path > other.path) - Number(one.path < other.path));

/** Finds the operation of a path. Extra slashes are ignored, as some clients send them. */
export function route(method: string, fullPath: string): Route | NoRoute {
  const path = fullPath.includes('//') ? fullPath.replace(/\/{2,}/g, '/') : fullPath;
  if (!path.startsWith(`${API_PREFIX}/`)) return {};
  const segments = path.slice(API_PREFIX.length + 1).split('/');
  if (segments.at(-1) === '') segments.pop();
  const group = BY_LENGTH[segments.length] ?? [];
  const operation = group.find((each) => each.method === method && fits(each, segments));
  if (!operation) {
    const allowed = group.filter((each) => fits(each, segments)).map((each) => each.method);
    return allowed.length > 0 ? { allowed } : {};
  }
  try {
    const values = segments.filter((_, index) => isParameter(operation.segments[index]!));
    return { operation, values: values.map(decode) };
  } catch {
    return { isMalformed: true };
  }
}

function fits({ segments }: Operation, given: readonly string[]): boolean {
  return segments.every((segment, index) => segment === given[index] || isParameter(segment));
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function decode(segment: string): string {
  return segment.includes('%') ? decodeURIComponent(segment) : segment;
}

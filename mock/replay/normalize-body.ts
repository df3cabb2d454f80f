import { readJson } from '../../spec/json.js';
import { showJson } from '../../spec/show.js';
import type { Exchange } from '../../spec/vocabulary.js';

/**
 * The body of a recorded request, normalized for comparison; undefined for a missing or empty one. Bytes are latin1 text. The boundary of a
 * form, which clients generate, becomes `<boundary>`.
 */
export function normalizeBody({ headers, body, body_base64 }: Exchange['request']): string | undefined {
  if (body_base64 === undefined) return body || undefined;
  const bytes = atob(body_base64);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const boundary = /boundary="?([^";]+)/i.exec(type ?? '')?.[1];
  return boundary === undefined ? bytes : bytes.replaceAll(boundary, '<boundary>');
}

/** The JSON object or array in a body, otherwise undefined. */
function parseTree(body: string | undefined): unknown {
  return body !== undefined && /^\s*[[{]/.test(body) ? readJson(body) : undefined;
}

function isTree(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID, or a text in a field `id`, `…_id` or `…_ids`. */
function isId(name: string, value: unknown): value is string {
  return typeof value === 'string' && value !== '' && (/(^|_)ids?$/i.test(name) || UUID.test(value));
}

/** Any `timestamp`, ms since 1970 from 2001 to 2286, or an ISO date. */
function isTime(name: string, value: unknown): boolean {
  if (typeof value === 'number') return name === 'timestamp' || (value > 1e12 && value < 1e13);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
}

/** The ids in a JSON body, in the order of field names. */
export function collectIds(body: string | undefined): string[] {
  const found: string[] = [];
  const collect = (name: string, value: unknown) => {
    if (isId(name, value)) found.push(value);
    else if (isTree(value))
      for (const key of Object.keys(value).sort()) collect(Array.isArray(value) ? name : key, value[key]);
  };
  collect('', parseTree(body));
  return found;
}

/** A normalized JSON body, with placeholders for times and for the ids that `isOwn` accepts; any other body unchanged. */
export function maskBody(body: string | undefined, isOwn: (id: string) => boolean): string | undefined {
  const value = parseTree(body);
  if (value === undefined) return body;
  return JSON.stringify(value, (name, each) => {
    if (isTime(name, each)) return '<time>';
    if (isId(name, each) && isOwn(each)) return '<id>';
    return isTree(each) && !Array.isArray(each) ? sortFields(each) : each;
  });
}

function sortFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Maps the ids that a client generates in each run to the recorded ones, and back in responses. */
export class ClientIds {
  readonly #recorded = new Map<string, string>();
  readonly #given = new Map<string, string>();

  /** If the masked bodies are equal, ids in the same place identify the same resource. */
  pairIds(recorded: string | undefined, given: string | undefined): void {
    const now = collectIds(given);
    for (const [index, then] of collectIds(recorded).entries()) {
      const id = now[index]!;
      if (then === id || this.#recorded.has(id)) continue;
      this.#recorded.set(id, then);
      this.#given.set(then, id);
    }
  }

  toRecorded(body: string | undefined): string | undefined {
    return body && replaceIds(body, this.#recorded);
  }

  toClient(body: string): string {
    return replaceIds(body, this.#given);
  }

  /** The recorded id for one of the client; any other text unchanged. */
  toRecordedId(text: string): string {
    return this.#recorded.get(text) ?? text;
  }
}

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

function replaceIds(body: string, ids: ReadonlyMap<string, string>): string {
  if (ids.size === 0) return body;
  return body.replace(JSON_STRING, (token) => {
    const id = ids.get(token.slice(1, -1));
    return id === undefined ? token : JSON.stringify(id);
  });
}

/** The first difference between two bodies, except for times. */
export function describeDifference(recorded: string | undefined, given: string | undefined): string {
  const rejectIds = () => false;
  const [then, now] = [parseTree(maskBody(recorded, rejectIds)), parseTree(maskBody(given, rejectIds))];
  const found = then !== undefined && now !== undefined ? findDifference(then, now) : undefined;
  if (!found) return `expected ${showJson(recorded, 80)}, found ${showJson(given, 80)}`;
  return `at ${found.at || 'its root'} expected ${showJson(found.recorded, 80)}, found ${showJson(found.given, 80)}`;
}

function findDifference(
  recorded: unknown,
  given: unknown,
  at = '',
): { at: string; recorded: unknown; given: unknown } | undefined {
  if (isTree(recorded) && isTree(given) && Array.isArray(recorded) === Array.isArray(given)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(given)])) {
      const found = findDifference(recorded[name], given[name], at === '' ? name : `${at}.${name}`);
      if (found) return found;
    }
    return undefined;
  }
  return recorded === given ? undefined : { at, recorded, given };
}

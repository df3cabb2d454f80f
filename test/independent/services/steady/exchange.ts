/** Requests read and checked, answers written. */
import type { SteadyChoices } from './settings.js';
import { isObject, type Json, type JsonObject } from './values.js';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly place: string[] = [],
  ) {
    super(message);
  }
}
export const invalid = (place: string, message: string) => new Refusal(422, `${place}: ${message}`, [place]);
export const unknown = (what: string) => new Refusal(404, `There is no such ${what}`);

export const answer = (body: Json, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

interface IntegerLimits {
  least?: number;
  most?: number;
}

export class SteadyExchange {
  readonly query: URLSearchParams;
  org = '';
  constructor(
    readonly request: Request,
    readonly path: Record<string, string>,
    readonly choices: SteadyChoices,
  ) {
    this.query = new URL(request.url).searchParams;
  }

  text(name: string): string {
    const value = this.query.get(name);
    if (value === null) throw invalid(name, 'is required');
    return value;
  }

  optionalInteger(
    name: string,
    { least = -Infinity, most = Infinity }: IntegerLimits = {},
  ): number | undefined {
    const text = this.query.get(name);
    if (text === null) return undefined;
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw invalid(name, 'is no integer');
    if (value < least || value > most) throw invalid(name, `is not from ${least} to ${most}`);
    return value;
  }

  integer(name: string): number {
    const value = this.optionalInteger(name);
    if (value === undefined) throw invalid(name, 'is required');
    return value;
  }

  optionalBoolean(name: string): boolean | undefined {
    const text = this.query.get(name);
    if (text === null) return undefined;
    const known = this.choices.varies('strict-booleans') ? ['true', 'false'] : ['true', 'false', '1', '0'];
    if (!known.includes(text)) throw invalid(name, 'is no boolean');
    return text === 'true' || text === '1';
  }

  boolean(name: string): boolean {
    const value = this.optionalBoolean(name);
    if (value === undefined) throw invalid(name, 'is required');
    return value;
  }

  header(name: string): string {
    const value = this.request.headers.get(name);
    if (value === null || value === '') throw invalid(name, 'is a required header');
    return value;
  }

  async body(): Promise<JsonObject> {
    const type = this.request.headers.get('content-type') ?? '';
    if (this.choices.varies('json-type-needed') && !/^application\/json\b/i.test(type))
      throw invalid('content-type', 'is not application/json');
    const text = await this.request.text();
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw invalid('body', 'is no JSON');
    }
    if (!isObject(value)) throw invalid('body', 'is no object');
    return value;
  }

  async form(): Promise<FormData> {
    try {
      return await this.request.formData();
    } catch {
      throw invalid('body', 'is no multipart form');
    }
  }

  created(body: Json): Response {
    return answer(body, this.choices.varies('created-201') ? 201 : 200);
  }

  /** The answer of an endpoint that has no body schema. */
  plain(): Response {
    return this.choices.varies('no-content') ? new Response(null, { status: 204 }) : answer(null);
  }

  /** The answer of an endpoint whose response is only named. */
  named(body: JsonObject): Response {
    return answer(this.choices.varies('wrapped') ? { r: body } : body);
  }
}

export interface SteadyRoute {
  method: string;
  parts: string[];
  keyed: boolean;
  handle(exchange: SteadyExchange): Response | Promise<Response>;
}

export function route(text: string, handle: SteadyRoute['handle'], keyed = true): SteadyRoute {
  const [method = '', path = ''] = text.split(' ');
  return { method, parts: path.split('/').slice(1), keyed, handle };
}

const isParameter = (part: string) => part.startsWith('{');

export function matchPath(route: SteadyRoute, parts: string[]): boolean {
  if (route.parts.length !== parts.length) return false;
  return route.parts.every((part, at) => (isParameter(part) ? parts[at] !== '' : part === parts[at]));
}

/** Of several routes that match, the one with more words of its own counts. */
export const byWords = (one: SteadyRoute, other: SteadyRoute) =>
  one.parts.filter(isParameter).length - other.parts.filter(isParameter).length;

export function readPath(
  route: SteadyRoute,
  parts: string[],
  choices: SteadyChoices,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [at, part] of route.parts.entries()) {
    if (!isParameter(part)) continue;
    let text = parts[at] ?? '';
    try {
      if (!choices.fault('path-not-decoded')) text = decodeURIComponent(text);
    } catch {
      throw invalid(part.slice(1, -1), 'is encoded wrongly');
    }
    found[part.slice(1, -1)] =
      choices.fault('path-lower-cased') && part === '{profile_id}' ? text.toLowerCase() : text;
  }
  return found;
}

export function writeRefusal(
  refusal: Refusal,
  choices: SteadyChoices,
  headers: Record<string, string>,
): Response {
  const { status, message, place } = refusal;
  const listed = status === 422 && choices.varies('detail-list');
  const detail: Json = listed ? [{ loc: place, msg: message, type: 'value_error' }] : message;
  return answer(choices.fault('error-key') ? { error: detail } : { detail }, status, headers);
}

function readCookie(request: Request): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [name, ...rest] = pair.trim().split('=');
    if (name === 'apikey') return rest.join('=');
  }
  return undefined;
}

export function readKey(request: Request, choices: SteadyChoices): string {
  const header = request.headers.get('apikey') || undefined;
  const cookie = readCookie(request) || undefined;
  if (choices.fault('two-keys-refused') && header !== undefined && cookie !== undefined) return '';
  return (choices.varies('cookie-wins') ? (cookie ?? header) : (header ?? cookie)) ?? '';
}

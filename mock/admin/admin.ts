import { isLoopbackHost, parseHost } from '../../spec/addresses.js';
import { InvalidValue } from '../../spec/json-schema/violations.js';
import { quote } from '../../spec/show.js';
import { MockError } from '../exchange/errors.js';
import { formatAllow } from '../exchange/route.js';
import type { WireRequest, WireResponse } from '../exchange/wire.js';
import { InvalidOptions } from '../options/check-options.js';
import type { Organisations } from '../pipeline/organisations.js';
import { AdminError, RawResponse, readQuery } from './admin-request.js';
import type { AdminRoute, AdminRoutes } from './route.js';

const ADMIN_PREFIX = '/__admin';

export function isAdmin(url: string): boolean {
  if (!url.startsWith(ADMIN_PREFIX)) return false;
  const next = url.charAt(ADMIN_PREFIX.length);
  return next === '' || next === '/' || next === '?';
}

/** No CORS headers: pages of other origins must not use the admin API. */
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' } as const;

/**
 * The admin API over plain requests: the methods of `Mock` as routes. Its requests are not in a journal, and network rules do not apply to
 * them. Never rejects because of a request.
 */
export class Admin<T> {
  /**
   * With a token, requests from any machine are accepted; without one, only requests from this machine. Throws TypeError for an empty
   * token.
   */
  constructor(
    private readonly target: T,
    private readonly token: string | undefined,
    private readonly routes: AdminRoutes<T>,
    private readonly organisations?: Pick<Organisations, 'find'>,
  ) {
    if (token === '')
      throw new TypeError('The admin token is empty: give one of at least a character, or none.');
  }

  async handle(request: WireRequest): Promise<WireResponse> {
    try {
      const refused = findRefusal(request, this.token);
      if (refused !== undefined) throw new AdminError(403, refused);
      const result = await this.#run(request);
      if (!(result instanceof RawResponse)) return respond(200, result);
      const { slow, ...response } = result.response;
      if (!slow || request.method !== 'HEAD') return result.response;
      await slow.stream.cancel();
      return response;
    } catch (error) {
      const { status, detail, more, headers } = toAdminError(error);
      return respond(status, { detail, ...more }, headers);
    }
  }

  #run(request: WireRequest): unknown {
    const path = readAdminPath(request.url);
    const known = new Map<string, { route: AdminRoute<T>; values: string[] }>();
    for (const [name, route] of Object.entries({ 'GET ': createIndexRoute(this.routes), ...this.routes })) {
      const [method, wanted] = name.split(' ') as [string, string];
      const values = new RegExp(`^${wanted.replace('{id}', '([^/]+)')}$`).exec(path)?.slice(1);
      if (values) known.set(method, { route, values });
    }
    if (known.size === 0) {
      throw new AdminError(
        404,
        `There is nothing at ${quote(path)} in the admin API. GET ${ADMIN_PREFIX} lists what there is.`,
      );
    }
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = known.get(method);
    if (!found) {
      const allow = formatAllow([...known.keys()]);
      throw new AdminError(405, `${method} is not allowed here, only ${allow}.`, {}, { allow });
    }
    const query = readQuery(request.url, found.route.query ?? []);
    // A name in a body must not remove all.
    if (method === 'DELETE' && (request.body?.length ?? 0) > 0)
      throw new AdminError(422, 'DELETE has no body here: say in the query what to remove.');
    const key = query.key ?? request.headers.apikey ?? this.#resolveKey(query.organisation);
    // A variable that is empty by mistake must not select all organisations.
    if (key === '')
      throw new AdminError(422, 'key: expected an API key, got an empty text; leave it out to select all.');
    return found.route.run({ target: this.target, request, query, values: found.values, key });
  }

  /** Studio knows organisations by their names, not by their keys. */
  #resolveKey(name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    const organisation = this.organisations?.find((each) => each.name === name);
    if (!organisation) throw new AdminError(404, `There is no organisation ${quote(name)}.`);
    return organisation.key;
  }
}

function createIndexRoute<T>(routes: AdminRoutes<T>): AdminRoute<T> {
  return {
    about: 'This list.',
    run: () => ({
      about:
        'The admin API of this mock. ?key= or the header apikey selects one organisation; without it, requests concern all.',
      operations: Object.entries(routes).map(([name, { about }]) => {
        const [method, path] = name.split(' ');
        return { method, path: `${ADMIN_PREFIX}${path}`, about };
      }),
    }),
  };
}

function respond(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return { status, headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) };
}

/** The path below the prefix, without duplicate or trailing slashes. */
function readAdminPath(url: string): string {
  const path = url
    .split('?', 1)[0]!
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  return path.slice(ADMIN_PREFIX.length);
}

const STATUS_BY_KIND = { missing: 404, taken: 409, invalid: 422 } as const;

function toAdminError(error: unknown): AdminError {
  if (error instanceof AdminError) return error;
  if (error instanceof MockError) return new AdminError(STATUS_BY_KIND[error.kind], error.message);
  if (error instanceof InvalidOptions) return new AdminError(422, `${error.violation}.`);
  if (error instanceof InvalidValue) return new AdminError(422, `The body does not fit: ${error.message}.`);
  // Values nested deeper than JSON.stringify supports.
  if (error instanceof RangeError) return new AdminError(422, 'The body is nested too deeply.');
  throw error;
}

/**
 * Why a request may not use the admin API, or `what` is under its protection; undefined if it may. With a token: any request that sends it is accepted. Without: only programs
 * on this machine, and pages of the mock's own origin. Pages of other origins, and pages at a host name that resolves to this machine, are
 * refused.
 */
export function findRefusal(
  request: WireRequest,
  token: string | undefined,
  what = 'admin API',
): string | undefined {
  if (token !== undefined) {
    if (isSame(readToken(request), token)) return undefined;
    return `The ${what} of this mock requires its token: send it in the header x-taskdouble-admin-token.`;
  }
  if (!request.loopback) {
    return `The ${what} is open to this machine only. Start the mock with --admin-token to open it to others.`;
  }
  const { origin, host } = request.headers;
  const address = host === undefined ? undefined : parseHost(host);
  if (origin !== undefined && origin !== address?.origin) {
    return `The ${what} is closed to pages of other origins. Start the mock with --admin-token to open it to them.`;
  }
  if (host !== undefined && !(address && isLoopbackHost(address.hostname))) {
    return `The ${what} is open at localhost, 127.0.0.1 or [::1] only. Start the mock with --admin-token for other names.`;
  }
  return undefined;
}

function readToken({ headers }: WireRequest): string {
  const bearer = /^bearer +(.+)$/i.exec(headers.authorization ?? '');
  return headers['x-taskdouble-admin-token'] ?? bearer?.[1] ?? '';
}

/** Constant time, so that the duration does not reveal how much of the token is correct. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let i = 0; i < wanted.length; i++)
    difference |= (given.charCodeAt(i % (given.length || 1)) || 0) ^ wanted.charCodeAt(i);
  return difference === 0;
}

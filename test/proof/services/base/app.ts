/** A small web framework in the manner of Express: routes, keys, JSON, and one envelope for all. */

export interface ServiceCall {
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Headers;
  /** The organisation of the key. */
  org: string;
  body: Record<string, unknown>;
  form: FormData | undefined;
}

export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly detail: unknown,
  ) {
    super(String(detail));
  }
}

export class Reply {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

export type RouteHandler = (call: ServiceCall) => unknown;

/** The last step of each response: a service may put its own steps around it. */
export type ResponseStep = (route: string, reply: Reply) => Reply;

const KEYS = new Map([
  ['main-key', 'org-main'],
  ['other-key', 'org-other'],
]);

export const createInvalidError = (where: string, name: string, msg: string) =>
  new HttpError(422, [{ loc: [where, name], msg, type: 'value_error' }]);

export const createMissingError = (what: string) => new HttpError(404, `${what} not found`);

export class App {
  #routes: { route: string; method: string; parts: string[]; handler: RouteHandler; open: boolean }[] = [];

  finish: ResponseStep = (_, reply) => reply;

  on(route: string, handler: RouteHandler, { open = false } = {}): this {
    const [method, path] = route.split(' ') as [string, string];
    this.#routes.unshift({ route, method, parts: path.split('/').slice(1), handler, open });
    return this;
  }

  handle = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(address, init);
    const { pathname, searchParams: query } = new URL(request.url);
    const parts = pathname
      .replace(/^\/api\/v1\//, '')
      .split('/')
      .map(decodeURIComponent);
    const found = this.#routes.find(
      (each) => each.method === request.method && matchesParts(each.parts, parts),
    );
    let reply: Reply;
    try {
      if (!found) throw new HttpError(404, 'Not Found');
      const org = KEYS.get(request.headers.get('apikey') ?? readCookie(request.headers) ?? '');
      if (!org && !found.open) throw new HttpError(401, 'Invalid API key');
      const params = Object.fromEntries(
        found.parts.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), parts[at]!]] : [])),
      );
      const { body, form } = await readBody(request);
      const result = await found.handler({
        params,
        query,
        headers: request.headers,
        org: org ?? '',
        body,
        form,
      });
      reply = result instanceof Reply ? result : new Reply(200, { r: result });
    } catch (error) {
      reply =
        error instanceof HttpError
          ? new Reply(error.status, { detail: error.detail })
          : new Reply(500, { detail: 'Internal Server Error' });
    }
    const { status, body } = this.finish(found?.route ?? '', reply);
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
}

function matchesParts(wanted: string[], parts: string[]): boolean {
  return (
    wanted.length === parts.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at])
  );
}

function readCookie(headers: Headers): string | undefined {
  return /(?:^|;\s*)apikey=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1];
}

async function readBody(request: Request): Promise<Pick<ServiceCall, 'body' | 'form'>> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) {
    const form = await request.formData().catch(() => undefined);
    return { body: {}, form };
  }
  const text = await request.text();
  if (text === '') return { body: {}, form: undefined };
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { body, form: undefined };
  } catch {}
  throw new HttpError(422, [{ loc: ['body'], msg: 'expected a JSON object', type: 'value_error' }]);
}

export function intParam(
  query: URLSearchParams,
  name: string,
  fallback: number,
  min = -Infinity,
  max = Infinity,
) {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < min || value > max)
    throw createInvalidError('query', name, 'not an allowed integer');
  return value;
}

export function boolParam(query: URLSearchParams, name: string, fallback?: boolean): boolean {
  const text = query.get(name);
  if (text === null && fallback !== undefined) return fallback;
  if (text !== 'true' && text !== 'false') throw createInvalidError('query', name, 'expected true or false');
  return text === 'true';
}

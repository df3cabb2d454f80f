import { createTerminatedError, type WireResponse } from '../exchange/wire.js';

/** The key of the state: a symbol, so that lists of property names do not include it. */
const STATE = Symbol('state');

interface State {
  source: WireResponse & { body: string };
  used: boolean;
  headers: Headers | undefined;
  platform: Response | undefined;
}

/** Text that UTF-8 encoding would change: unpaired surrogates and a byte order mark. */
const NEEDS_CODING = /[\ud800-\udfff\ufeff]/;

/** True for a response whose `text()` and `json()` follow from the body without encoding it. */
export function isLight(source: WireResponse): source is WireResponse & { body: string } {
  const { body, status, fault, headers, slow } = source;
  return (
    typeof body === 'string' &&
    slow === undefined &&
    fault?.kind !== 'drop' &&
    status !== 204 &&
    status !== 304 &&
    headers['content-type'] !== undefined &&
    !NEEDS_CODING.test(body)
  );
}

/**
 * Behaves like a Response for a client (`instanceof` too), and is several times as cheap if only its text or JSON is read. Any other member
 * creates a platform response. A service worker or a cache does not accept it and needs a platform response.
 */
class LightResponse {
  [STATE]: State;

  constructor(source: WireResponse & { body: string }) {
    this[STATE] = { source, used: false, headers: undefined, platform: undefined };
  }

  get status(): number {
    return this[STATE].source.status;
  }

  get ok(): boolean {
    const { status } = this[STATE].source;
    return status >= 200 && status <= 299;
  }

  get headers(): Headers {
    const state = this[STATE];
    state.headers ??= state.platform?.headers ?? new Headers(state.source.headers);
    return state.headers;
  }

  get bodyUsed(): boolean {
    const { platform, used } = this[STATE];
    return used || platform?.bodyUsed === true;
  }

  async text(): Promise<string> {
    const state = this[STATE];
    if (state.platform || state.used) return ensurePlatform(state).text();
    return readBody(state);
  }

  async json(): Promise<unknown> {
    const state = this[STATE];
    if (state.platform || state.used) return ensurePlatform(state).json();
    return JSON.parse(readBody(state));
  }
}

function readBody(state: State): string {
  state.used = true;
  if (state.source.fault) throw createTerminatedError();
  return state.source.body;
}

/** The platform's response in the same state: a used body stays used. */
function ensurePlatform(state: State): Response {
  if (state.platform) return state.platform;
  const { status, body, fault } = state.source;
  const headers = state.headers ?? state.source.headers;
  state.platform =
    fault?.kind === 'truncate'
      ? createTruncatedResponse(state.source, fault.bytes, headers)
      : new Response(body, { status, headers });
  state.headers ??= state.platform.headers;
  // Reading a truncated body fails.
  if (state.used) state.platform.text().catch(() => {});
  return state.platform;
}

let isShaped = false;

/** Makes the class inherit from `Response`. Done on demand: in Node.js the first access to `Response` takes as long as starting a mock. */
function shapePrototype(): void {
  isShaped = true;
  const { prototype } = LightResponse;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Response.prototype))) {
    const own =
      Object.getOwnPropertyDescriptor(prototype, name) ?? delegate(name, typeof value === 'function');
    Object.defineProperty(prototype, name, { ...own, enumerable: true });
  }
  Object.defineProperty(prototype, 'constructor', { value: Response, enumerable: false });
  Object.setPrototypeOf(prototype, Response.prototype);
}

function delegate(name: string, isMethod: boolean): PropertyDescriptor {
  type Members = Record<string, unknown>;
  const read = (light: LightResponse) => (ensurePlatform(light[STATE]) as unknown as Members)[name];
  if (!isMethod) {
    return {
      get(this: LightResponse) {
        return read(this);
      },
    };
  }
  return {
    value(this: LightResponse) {
      return (read(this) as () => unknown).call(ensurePlatform(this[STATE]));
    },
  };
}

/** True if the text of the response is in memory. */
export function isLightResponse(response: Response): boolean {
  return STATE in response;
}

/** The headers of any response, with names in lower case. */
export function readResponseHeaders(response: Response): Record<string, string> {
  const { platform, headers, source } = isLightResponse(response)
    ? (response as unknown as LightResponse)[STATE]
    : {};
  // Unchanged headers need no Headers object.
  if (source && !platform && !headers)
    return Object.fromEntries(
      Object.entries(source.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
  return Object.fromEntries(response.headers);
}

export function createLightResponse(source: WireResponse & { body: string }): Response {
  if (!isShaped) shapePrototype();
  return new LightResponse(source) as unknown as Response;
}

/** Creates a response whose body ends after `bytes`: reading it fails, as on a broken connection. */
export function createTruncatedResponse(
  { status, body }: WireResponse,
  bytes: number,
  headers: HeadersInit,
): Response {
  const whole = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(whole.slice(0, Math.min(bytes, whole.length - 1)));
    },
    pull(controller) {
      controller.error(createTerminatedError());
    },
  });
  return new Response(stream, { status, headers });
}

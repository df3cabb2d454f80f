import type { WireRequest, WireResponse } from '../exchange/wire.js';
import type { ListenOptions, MockServer } from '../options/mock-options.js';
import { needNode } from '../options/needs-node.js';
import type { HttpTransportOptions, ListeningServer } from './http.js';

export class Listeners {
  readonly #open = new Set<ListeningServer>();

  /** `openPort`: opens the given port, or a free one for port 0. */
  constructor(private readonly openPort: (where: Required<ListenOptions>) => Promise<ListeningServer>) {}

  /** Opens a port, any free one by default. Rejects with the system's error if the port is not available. */
  async listen({ port = 0, host = '127.0.0.1' }: ListenOptions): Promise<MockServer> {
    const listening = await this.openPort({ port, host });
    this.#open.add(listening);
    const baseUrl = `http://${toReachableHost(host)}:${listening.port}`;
    const close = async () => {
      this.#open.delete(listening);
      await listening.close();
    };
    return { baseUrl, port: listening.port, adminUrl: `${baseUrl}/__admin`, close };
  }

  async close(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.all(open.map((listening) => listening.close()));
  }
}

let http: Promise<typeof import('./http.js')> | undefined;

/** Listens over node:http, which is loaded with the first port. */
export function createListeners(
  handle: Handle,
  options: Pick<HttpTransportOptions, 'mostBytes' | 'onFault'>,
): Listeners {
  return new Listeners(async (where) => {
    needNode(
      'mock.listen() opens a port',
      'in a browser hand mock.fetch to the client, or use handlers() of taskdouble/msw.',
    );
    http ??= import('./http.js');
    const { listen } = await http;
    return listen(handle, { ...where, ...options });
  });
}

/** The host name for addresses: a wildcard host is replaced by one that clients can reach. */
function toReachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Called by a transport with each request. */
export type Handle = (request: WireRequest) => WireResponse | Promise<WireResponse>;

/** Largest body of a request, in bytes. */
export type BodyLimit = (request: Pick<WireRequest, 'url' | 'headers'>) => number;

/**
 * Lets pages of any origin send the key in a cookie (`credentials: 'include'`): a browser then requires its own origin instead of the `*`
 * of API responses. Every transport calls it, so that journals keep the response of the service. Responses without the `*`, such as those
 * of the admin API, stay inaccessible to pages.
 */
export function allowOrigins(handle: Handle): Handle {
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined) return handle(request);
    const handled = handle(request);
    return handled instanceof Promise
      ? handled.then((response) => allowOrigin(response, request))
      : allowOrigin(handled, request);
  };
}

/** Characters that are allowed in the header. */
const ORIGIN = /^[\x21-\x7e]+$/;

function allowOrigin(response: WireResponse, { headers: { origin = '' } }: WireRequest): WireResponse {
  const { headers } = response;
  if (headers['access-control-allow-origin'] !== '*' || !ORIGIN.test(origin)) return response;
  const own = {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: extendVary('origin', headers),
  };
  return { ...response, headers: { ...headers, ...own } };
}

/** The value of the header `vary` with one more name. */
export function extendVary(name: string, { vary }: Readonly<Record<string, string>>): string {
  return vary === undefined ? name : `${vary}, ${name}`;
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { isLoopbackHost, parseUrl } from '../../spec/addresses.js';
import { real } from '../clock/real.js';
import { findCurrentContext } from './current-run.js';

/** Longest wait for unmatched requests (such as a body that is not read), ms of real time. */
export const SETTLE_MS = 500;
/** Longest wait until the response of another server begins, ms of real time. */
const ELSEWHERE_MS = 15_000;
/** The same for a socket with another protocol: it is unknown whether a message has a response. */
const SOCKET_MS = 2_000;
/** Most that the time between two looks counts, ms: where the process had to wait for a processor, what has arrived is not read yet. */
export const MOST_COUNTED_MS = 20;

/** A call of `fetch` with its HTTP requests, or a request without such a call. */
interface TrackedRequest {
  readonly origin: string;
  readonly isToService: boolean;
  readonly call: object | undefined;
  socket?: Socket;
}

type HttpClientRequest = ClientRequest & { res?: { complete: boolean } };

/** Sockets of undici and node:http, whose requests are tracked. */
const httpSockets = new WeakSet<object>();
/** Sockets that a server of this process has accepted. */
export const acceptedSockets = new WeakSet<object>();

/**
 * The requests of one client that are under way, through `fetch`, undici, node:http and (from Node.js 22 on) node:http2, and sockets with
 * another protocol (such as a database) on which it has sent data.
 */
export class RequestTracker {
  /** Number of requests begun and ended. */
  changes = 0;
  /** Total number of requests to the service. */
  started = 0;
  /** Keyed by call and by request. */
  readonly #underWay = new Map<object, TrackedRequest>();
  /** The number of bytes received when data was last sent. */
  readonly #sockets = new Map<Socket, number>();
  /** Number of open requests that are no longer awaited. */
  #unmatched = 0;
  /** How long nothing has changed, ms, and when that was last seen. */
  #waited_ms = 0;
  #lookedAt = 0;
  #marks = '';

  /** `baseUrl`: where the service is reached; undefined: every request is one to it. */
  constructor(private readonly baseUrl: () => string | undefined) {}

  beginCall(call: object, origin: string): void {
    this.#underWay.set(call, { origin, isToService: this.#isService(origin), call });
    this.changes++;
  }

  start(request: object, origin: string, call?: object): void {
    const isToService = this.#isService(origin);
    const ofCall = call && this.#underWay.get(call);
    this.#underWay.set(request, ofCall ?? { origin, isToService, call: undefined });
    if (isToService) this.started++;
    this.changes++;
  }

  send(request: object, socket: Socket): void {
    const tracked = this.#underWay.get(request);
    if (tracked) tracked.socket = socket;
  }

  end(which: object): void {
    if (this.#underWay.delete(which)) this.changes++;
  }

  /** Records data sent on a socket. All data is assumed to have a response. */
  write(socket: Socket): void {
    this.#sockets.set(socket, socket.bytesRead);
  }

  /** Number of sockets that the client has neither ended nor destroyed, and that keep the process alive: those of a pool do not. */
  countOpenSockets(): number {
    return [...this.#sockets.keys()].filter(
      (each) => !each.destroyed && !each.writableEnded && holdsProcess(each),
    ).length;
  }

  /** Number of requests to the service, or to other servers, that wait for their response or for the rest of it. */
  countOpen(isToService: boolean): number {
    return [...this.#collectPending()].filter((each) => each.isToService === isToService).length;
  }

  /** Other servers that have not begun to respond. */
  listPendingOrigins(): string[] {
    const origins = [...this.#listOtherOrigins(), ...this.#listSilentSockets().map(formatAddress)];
    return [...new Set(origins)];
  }

  /**
   * True while more requests are open than the service holds (`held`): the rest are in transit, or go to another server. `marks` changes
   * with every event at the service.
   */
  hasInTransit(held: number, marks: number): boolean {
    if (this.#underWay.size + this.#sockets.size === 0) return false;
    const silent = this.#listSilentSockets().length;
    const missing = silent + Math.max(0, this.#collectPending().size - held);
    if (missing <= this.#unmatched) {
      this.#unmatched = missing;
      this.#marks = '';
      return false;
    }
    const now = real.performanceNow();
    const current = `${marks} ${this.changes} ${this.#countBytesRead()}`;
    if (current !== this.#marks) {
      this.#marks = current;
      this.#waited_ms = 0;
    } else this.#waited_ms += Math.min(now - this.#lookedAt, MOST_COUNTED_MS);
    this.#lookedAt = now;
    const patience_ms =
      this.#listOtherOrigins().length > 0 ? ELSEWHERE_MS : silent > 0 ? SOCKET_MS : SETTLE_MS;
    if (this.#waited_ms < patience_ms) return true;
    this.#unmatched = missing;
    return false;
  }

  #collectPending(): Set<TrackedRequest> {
    const tracked = new Set<TrackedRequest>();
    for (const [which, request] of this.#underWay)
      if (!hasResponse(which as HttpClientRequest)) tracked.add(request);
    return tracked;
  }

  #listOtherOrigins(): string[] {
    return [...this.#underWay].flatMap(([which, { origin, isToService, call }]) =>
      isToService || (call && call !== which) || (which as HttpClientRequest).res ? [] : [origin],
    );
  }

  #listSilentSockets(): Socket[] {
    const port = parseUrl(this.baseUrl() ?? '')?.port ?? '';
    return [...this.#sockets].flatMap(([socket, read]) => {
      // A socket that cannot be read, such as the output of this process, has no response.
      const isOther = !socket.destroyed && socket.readable && String(socket.remotePort) !== port;
      const isTracked = httpSockets.has(socket) || acceptedSockets.has(socket);
      return isOther && !isTracked && socket.bytesRead === read ? [socket] : [];
    });
  }

  /** Number of bytes read of open responses, which may arrive in parts. */
  #countBytesRead(): number {
    let bytes = 0;
    for (const [which, { socket }] of this.#underWay)
      bytes += (socket ?? (which as HttpClientRequest).socket)?.bytesRead ?? 0;
    return bytes;
  }

  #isService(origin: string): boolean {
    const base = this.baseUrl();
    if (base === undefined) return true;
    const host = formatHost(origin);
    return host !== undefined && host === formatHost(base);
  }
}

/** Host and port, with one name for this machine; undefined for an invalid address. */
function formatHost(address: string): string | undefined {
  const url = parseUrl(address);
  if (!url) return undefined;
  const { protocol, hostname, port } = url;
  return `${isLoopbackHost(hostname) ? 'localhost' : hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

function holdsProcess(socket: Socket): boolean {
  return (socket as { _handle?: { hasRef?(): boolean } })._handle?.hasRef?.() !== false;
}

/** For node:http: a response that the client does not read counts as complete, too. */
function hasResponse(request: HttpClientRequest): boolean {
  return request.destroyed === true || request.res?.complete === true;
}

function formatAddress({ remoteAddress, remotePort }: Socket): string {
  return remoteAddress === undefined ? 'a local socket' : `${remoteAddress}:${remotePort}`;
}

interface UndiciMessage {
  request: { origin?: string | URL };
  socket: Socket;
}

/** The tracker of each undici request: undici sends a request in the async context of its connection. */
const trackers = new WeakMap<object, RequestTracker>();

function start(request: object, origin: string): void {
  const context = findCurrentContext();
  if (!context) return;
  context.run.requests.start(request, origin, context.call);
  trackers.set(request, context.run.requests);
}

const end = (request: object) => trackers.get(request)?.end(request);

const LISTENERS: Record<string, (message: never) => void> = {
  'undici:request:create': ({ request }: UndiciMessage) => start(request, String(request.origin)),
  'undici:client:connected': ({ socket }: UndiciMessage) => httpSockets.add(socket),
  'undici:client:sendHeaders': ({ request, socket }: UndiciMessage) => {
    httpSockets.add(socket);
    trackers.get(request)?.send(request, socket);
  },
  'undici:request:trailers': ({ request }: UndiciMessage) => end(request),
  'undici:request:error': ({ request }: UndiciMessage) => end(request),
  'http.client.request.start': ({ request }: { request: ClientRequest }) => {
    start(request, `${request.protocol}//${request.getHeader('host') ?? request.host}`);
    request.once('close', () => end(request));
    if (request.socket) httpSockets.add(request.socket);
    else request.once('socket', (socket) => httpSockets.add(socket));
  },
  // Published from Node.js 22 on.
  'http2.client.stream.created': (message: { stream: ClientHttp2Stream; headers: OutgoingHttpHeaders }) => {
    const { stream, headers } = message;
    start(stream, `${headers[':scheme']}://${headers[':authority']}`);
    stream.once('close', () => end(stream));
  },
};

/** Tracks requests and sockets that Node.js and undici publish, for the run to which each belongs. Returns a function that stops it. */
export function trackConnections(): () => void {
  for (const [name, listener] of Object.entries(LISTENERS)) subscribe(name, listener as never);
  return () => {
    for (const [name, listener] of Object.entries(LISTENERS)) unsubscribe(name, listener as never);
  };
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { real } from '../platform.js';
import { type Place, placeNow } from './context.js';
import { watchUndiciTimeouts } from './undici-timeouts.js';

/** One call of `fetch`, and the requests that it has led to. */
export interface Call {
  readonly origin: string;
  isSettled: boolean;
  readonly requests: Set<object>;
}

/** Requests that cannot be accounted for (an answer that is not read, say) are waited for this long, ms of real time. */
const SETTLE_MS = 500;
/** Those to somebody else who has not begun to answer. */
const ELSEWHERE_MS = 15_000;

/** The requests that the client of one run has made and that are not over. */
export class ClientRequests {
  /** Raised whenever one begins or ends. */
  changes = 0;
  readonly #calls = new Set<Call>();
  /** Those of no `fetch`, with where they go. */
  readonly #plain = new Map<object, string>();
  /** Requests that are not waited for any more. */
  #strays = 0;
  #since = 0;
  #marks = '';

  /** `baseUrl`: where the mock is reached. */
  constructor(private readonly baseUrl: () => string) {}

  begin(call: Call): void {
    this.#calls.add(call);
    this.changes++;
  }

  settle(call: Call): void {
    call.isSettled = true;
    this.#end(call);
  }

  started({ call }: Place, request: object, origin: string): void {
    if (call) call.requests.add(request);
    else this.#plain.set(request, origin);
    this.changes++;
  }

  over({ call }: Place, request: object): void {
    this.#plain.delete(request);
    if (call?.requests.delete(request)) this.#end(call);
    this.changes++;
  }

  /** Where those lead that lead not to the mock and have no answer yet. */
  elsewhere(): string[] {
    const base = this.baseUrl();
    const calls = [...this.#calls].filter(({ isSettled }) => !isSettled).map(({ origin }) => origin);
    const plain = [...this.#plain].filter(([request]) => !(request as HttpRequest).res);
    const origins = [...calls, ...plain.map(([, origin]) => origin)];
    return origins.filter((origin) => !isSamePlace(origin, base));
  }

  /**
   * True while more requests are under way than the service holds back (`held`): they are on their way there or back, or
   * lead elsewhere. `marks` changes whenever something happens at the service.
   */
  areOnTheirWay(held: number, marks: string): boolean {
    const missing = this.#open() - held;
    if (missing <= this.#strays) {
      this.#strays = Math.max(0, missing);
      this.#marks = '';
      return false;
    }
    const now = real.performanceNow();
    const current = `${marks} ${this.changes} ${this.#bytes()}`;
    if (current !== this.#marks) {
      this.#marks = current;
      this.#since = now;
    }
    const patience = this.elsewhere().length > 0 ? ELSEWHERE_MS : SETTLE_MS;
    if (now - this.#since < patience) return true;
    this.#strays = missing;
    return false;
  }

  #open(): number {
    for (const request of this.#plain.keys())
      if (isAnswered(request as HttpRequest)) this.#plain.delete(request);
    return this.#calls.size + this.#plain.size;
  }

  /** That have come for those that are open: an answer may come in pieces. */
  #bytes(): number {
    let bytes = 0;
    for (const { requests } of this.#calls)
      for (const request of requests) bytes += sockets.get(request)?.bytesRead ?? 0;
    for (const request of this.#plain.keys())
      bytes += (sockets.get(request) ?? (request as HttpRequest).socket)?.bytesRead ?? 0;
    return bytes;
  }

  #end(call: Call): void {
    if (call.isSettled && call.requests.size === 0) this.#calls.delete(call);
    this.changes++;
  }
}

/** The same host, or the same port of this machine, which has many names. */
function isSamePlace(origin: string, base: string): boolean {
  if (!URL.canParse(origin) || !URL.canParse(base)) return false;
  const [one, other] = [new URL(origin), new URL(base)];
  return one.host === other.host || (one.port !== '' && one.port === other.port);
}

type HttpRequest = ClientRequest & { res?: { complete: boolean } };

/** Of node:http: an answer that nobody reads is complete all the same. */
function isAnswered(request: HttpRequest): boolean {
  return request.destroyed === true || request.res?.complete === true;
}

/** Which run a request of undici belongs to. */
const places = new WeakMap<object, Place>();
/** Over which socket one of undici goes. */
const sockets = new WeakMap<object, Socket>();

function onUndici(message: unknown): void {
  const place = placeNow();
  if (!place) return;
  const { request } = message as { request: { origin?: string | URL } };
  places.set(request, place);
  place.run.requests.started(place, request, String(request.origin));
}

function onUndiciSent(message: unknown): void {
  const { request, socket } = message as { request: object; socket: Socket };
  if (places.has(request)) sockets.set(request, socket);
}

function onUndiciOver(message: unknown): void {
  const { request } = message as { request: object };
  const place = places.get(request);
  if (place) place.run.requests.over(place, request);
}

function onHttp(message: unknown): void {
  const place = placeNow();
  if (!place) return;
  const { request } = message as { request: ClientRequest };
  const { requests } = place.run;
  requests.started(place, request, `${request.protocol}//${request.getHeader('host') ?? request.host}`);
  request.once('close', () => requests.over(place, request));
}

/** Node.js tells of these from 22 on. */
function onHttp2(message: unknown): void {
  const place = placeNow();
  if (!place) return;
  const { stream, headers } = message as { stream: ClientHttp2Stream; headers: OutgoingHttpHeaders };
  const { requests } = place.run;
  requests.started(place, stream, `${headers[':scheme']}://${headers[':authority']}`);
  stream.once('close', () => requests.over(place, stream));
}

const CHANNELS = {
  'undici:request:create': onUndici,
  'undici:client:sendHeaders': onUndiciSent,
  'undici:request:trailers': onUndiciOver,
  'undici:request:error': onUndiciOver,
  'http.client.request.start': onHttp,
  'http2.client.stream.created': onHttp2,
};

/** Hears of the requests of this process. Gives what ends that. */
export function watchRequests(): () => void {
  for (const [name, listener] of Object.entries(CHANNELS)) subscribe(name, listener);
  const unwatchTimeouts = watchUndiciTimeouts((request) => places.get(request)?.run);
  return () => {
    unwatchTimeouts();
    for (const [name, listener] of Object.entries(CHANNELS)) unsubscribe(name, listener);
  };
}

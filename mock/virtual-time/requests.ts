import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { real } from './real.js';

/** Requests that cannot be accounted for (a body that is not read, say) are waited for this long, ms of real time. */
export const SETTLE_MS = 500;
/** Requests to another server whose response has not begun. */
const ELSEWHERE_MS = 15_000;

/** One call of `fetch`, with the requests that it has led to. */
export interface FetchCall {
  readonly origin: string;
  isSettled: boolean;
  readonly requests: Set<object>;
}

interface TrackedRequest {
  readonly origin: string;
  readonly isToService: boolean;
  /** Its head, or something of it, has been sent. */
  isSent: boolean;
  socket?: Socket | undefined;
  readonly call: FetchCall | undefined;
}

type HttpRequest = ClientRequest & { res?: { complete: boolean } };

/** The requests of one client that are under way, through `fetch`, undici, node:http and (from Node.js 22 on) node:http2. */
export class RequestTracker {
  /** Grows whenever one begins or ends. */
  changes = 0;
  /** Requests to the service, ever. */
  started = 0;
  /** Of these, those that were given up before anything of them was sent. */
  unsent = 0;
  readonly #calls = new Set<FetchCall>();
  readonly #requests = new Map<object, TrackedRequest>();
  /** Requests that are not waited for any more. */
  #strays = 0;
  #since = 0;
  #marks = '';

  /** `baseUrl`: where the service is reached; undefined: every request is one to it. */
  constructor(private readonly baseUrl: () => string | undefined) {}

  beginCall(origin: string): FetchCall {
    const call = { origin, isSettled: false, requests: new Set<object>() };
    this.#calls.add(call);
    this.changes++;
    return call;
  }

  settleCall(call: FetchCall): void {
    call.isSettled = true;
    this.#endCall(call);
  }

  start(request: object, origin: string, call?: FetchCall): void {
    const isToService = this.#isService(origin);
    this.#requests.set(request, { origin, isToService, isSent: false, call });
    call?.requests.add(request);
    if (isToService) this.started++;
    this.changes++;
  }

  send(request: object, socket: Socket): void {
    const tracked = this.#requests.get(request);
    if (tracked) Object.assign(tracked, { isSent: true, socket });
  }

  /** Over which socket one of undici goes, while it is under way. */
  socketOf(request: object): Socket | undefined {
    return this.#requests.get(request)?.socket;
  }

  end(request: object): void {
    const tracked = this.#requests.get(request);
    if (!tracked) return;
    this.#requests.delete(request);
    const { call, isToService, isSent } = tracked;
    if (isToService && !isSent && !isSentOverHttp(request as HttpRequest)) this.unsent++;
    if (call?.requests.delete(request)) this.#endCall(call);
    this.changes++;
  }

  /** Requests to the service that wait for their response or for the rest of it. */
  open(): number {
    return this.#count((tracked) => tracked.isToService);
  }

  openElsewhere(): number {
    return this.#count((tracked) => !tracked.isToService);
  }

  /** Origins of other servers that have not begun to respond. */
  unansweredOrigins(): string[] {
    const calls = [...this.#calls].filter(({ isSettled }) => !isSettled);
    const plain = [...this.#requests].filter(([request, { call }]) => !call && !(request as HttpRequest).res);
    const origins = [...calls, ...plain.map(([, tracked]) => tracked)].map(({ origin }) => origin);
    return origins.filter((origin) => !this.#isService(origin));
  }

  /**
   * True while more requests are under way than the service holds back (`held`): they are on their way there or back, or
   * go to another server. `marks` changes whenever something happens at the service.
   */
  areOnTheirWay(held: number, marks: number): boolean {
    if (this.#calls.size + this.#requests.size === 0) {
      this.#strays = 0;
      return false;
    }
    const plain = this.#count(({ call }) => !call);
    const missing = this.#calls.size + plain - held;
    if (missing <= this.#strays) {
      this.#strays = Math.max(0, missing);
      this.#marks = '';
      return false;
    }
    const now = real.performanceNow();
    const current = `${marks} ${this.changes} ${this.#bytesRead()}`;
    if (current !== this.#marks) {
      this.#marks = current;
      this.#since = now;
    }
    const patience_ms = this.unansweredOrigins().length > 0 ? ELSEWHERE_MS : SETTLE_MS;
    if (now - this.#since < patience_ms) return true;
    this.#strays = missing;
    return false;
  }

  #count(isCounted: (tracked: TrackedRequest) => boolean): number {
    let count = 0;
    for (const [request, tracked] of this.#requests)
      if (isCounted(tracked) && !isAnswered(request as HttpRequest)) count++;
    return count;
  }

  /** Of responses under way: one may come in pieces. */
  #bytesRead(): number {
    let bytes = 0;
    for (const [request, { socket }] of this.#requests)
      bytes += (socket ?? (request as HttpRequest).socket)?.bytesRead ?? 0;
    return bytes;
  }

  #endCall(call: FetchCall): void {
    if (call.isSettled && call.requests.size === 0) this.#calls.delete(call);
    this.changes++;
  }

  /** The port decides on this machine, which has many names. */
  #isService(origin: string): boolean {
    const base = this.baseUrl();
    if (base === undefined) return true;
    if (!URL.canParse(origin) || !URL.canParse(base)) return false;
    const [one, other] = [new URL(origin), new URL(base)];
    if (portOf(one) !== portOf(other)) return false;
    return one.hostname === other.hostname || (isLoopback(one.hostname) && isLoopback(other.hostname));
  }
}

/** Of node:http: a response that nobody reads is complete all the same. */
function isAnswered(request: HttpRequest): boolean {
  return request.destroyed === true || request.res?.complete === true;
}

function isSentOverHttp({ reusedSocket, socket }: HttpRequest): boolean {
  return reusedSocket === true || (socket?.bytesWritten ?? 0) > 0;
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { real } from './real.js';

/** How long unmatched requests (such as a body that is not read) are waited for, ms of real time. */
export const SETTLE_MS = 500;
/** How long requests to another server are waited for until the response begins, ms of real time. */
const ELSEWHERE_MS = 15_000;

/** A call of `fetch` with the requests that it has led to, or a request without such a call. */
interface TrackedRequest {
  readonly origin: string;
  readonly isToService: boolean;
  readonly call: object | undefined;
  socket?: Socket;
}

type HttpRequest = ClientRequest & { res?: { complete: boolean } };

/** The requests of one client that are under way, through `fetch`, undici, node:http and (from Node.js 22 on) node:http2. */
export class RequestTracker {
  /** Count of requests begun and ended. */
  changes = 0;
  /** Requests to the service, ever. */
  started = 0;
  /** By call and by request. */
  readonly #underWay = new Map<object, TrackedRequest>();
  /** Requests that are not waited for any more. */
  #strays = 0;
  #since = 0;
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

  /** Ends a call or a request. */
  end(which: object): void {
    if (this.#underWay.delete(which)) this.changes++;
  }

  /** Number of requests to the service, or to other servers, that wait for their response or for the rest of it. */
  open(isToService: boolean): number {
    return [...this.#withoutResponse()].filter((each) => each.isToService === isToService).length;
  }

  /** Origins of other servers that have not begun to respond. */
  originsWithoutResponse(): string[] {
    return [...this.#underWay].flatMap(([which, { origin, isToService, call }]) =>
      isToService || (call && call !== which) || (which as HttpRequest).res ? [] : [origin],
    );
  }

  /**
   * True while more requests are under way than the service holds back (`held`): they are on their way there or back, or
   * go to another server. `marks` changes whenever something happens at the service.
   */
  areOnTheirWay(held: number, marks: number): boolean {
    const missing = this.#underWay.size === 0 ? 0 : this.#withoutResponse().size - held;
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
    const patience_ms = this.originsWithoutResponse().length > 0 ? ELSEWHERE_MS : SETTLE_MS;
    if (now - this.#since < patience_ms) return true;
    this.#strays = missing;
    return false;
  }

  #withoutResponse(): Set<TrackedRequest> {
    const tracked = new Set<TrackedRequest>();
    for (const [which, request] of this.#underWay)
      if (!hasResponse(which as HttpRequest)) tracked.add(request);
    return tracked;
  }

  /** Bytes read of responses under way, which may arrive in parts. */
  #bytesRead(): number {
    let bytes = 0;
    for (const [which, { socket }] of this.#underWay)
      bytes += (socket ?? (which as HttpRequest).socket)?.bytesRead ?? 0;
    return bytes;
  }

  /** On this machine only the port decides, because it has many names. */
  #isService(origin: string): boolean {
    const base = this.baseUrl();
    if (base === undefined) return true;
    if (!URL.canParse(origin) || !URL.canParse(base)) return false;
    const [one, other] = [new URL(origin), new URL(base)];
    if (portOf(one) !== portOf(other)) return false;
    return one.hostname === other.hostname || (isLoopback(one.hostname) && isLoopback(other.hostname));
  }
}

/** For node:http: a response that the client does not read counts as complete, too. */
function hasResponse(request: HttpRequest): boolean {
  return request.destroyed === true || request.res?.complete === true;
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

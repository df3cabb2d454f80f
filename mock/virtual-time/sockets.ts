import type { Socket } from 'node:net';
import { real } from './real.js';

/** A response is waited for this long, ms of real time; on a socket that never had one, once. */
const RESPONSE_MS = 2_000;

/** Sockets of undici and node:http, whose requests are tracked. */
export const httpSockets = new WeakSet<object>();
/** Sockets that a server of this process has accepted. */
export const acceptedSockets = new WeakSet<object>();

/** The sockets over which a client speaks a protocol of its own, to a database say: what it sends is taken to have a response. */
export class ClientSockets {
  /** Bytes that had come when something was first sent that has no response yet, and when that was, ms of real time. */
  readonly #sent = new Map<Socket, { read: number; since: number }>();

  /** `baseUrl`: where the mock is reached. */
  constructor(private readonly baseUrl: () => string) {}

  send(socket: Socket): void {
    const read = socket.bytesRead;
    if (this.#sent.get(socket)?.read !== read) this.#sent.set(socket, { read, since: real.performanceNow() });
  }

  /** True while a response may still come. */
  awaitResponses(): boolean {
    if (this.#sent.size === 0) return false;
    const latest = real.performanceNow() - RESPONSE_MS;
    return this.#silent().some((socket) => this.#sent.get(socket)!.since > latest);
  }

  /** Where those lead that had no response. */
  unanswered(): string[] {
    return this.#silent().map(({ remoteAddress, remotePort }) =>
      remoteAddress === undefined ? 'a local socket' : `${remoteAddress}:${remotePort}`,
    );
  }

  #silent(): Socket[] {
    const base = this.baseUrl();
    const port = URL.canParse(base) ? new URL(base).port : '';
    return [...this.#sent.keys()].filter((socket) => {
      // What cannot be read, as the output of this process, has no response.
      if (socket.destroyed || !socket.readable || httpSockets.has(socket) || acceptedSockets.has(socket))
        return false;
      return String(socket.remotePort) !== port && socket.bytesRead === this.#sent.get(socket)!.read;
    });
  }
}

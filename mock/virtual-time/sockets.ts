import type { Socket } from 'node:net';
import { real } from './real.js';

/** A response is waited for this long, ms of real time; on a socket that never had one, once. */
const RESPONSE_MS = 2_000;
/** After its last byte a response is taken to be over when so much real time has passed, ms. */
const SILENCE_MS = 5;

interface SentOver {
  /** Bytes that had come before, and when it was last looked at. */
  readonly before: number;
  read: number;
  /** When something was sent or came last, ms of real time. */
  since: number;
  /** No response came for so long that none is waited for. */
  isGivenUp: boolean;
}

/** Sockets of undici and node:http, whose requests are tracked. */
export const httpSockets = new WeakSet<object>();
/** Sockets that a server of this process has accepted. */
export const acceptedSockets = new WeakSet<object>();

/** The sockets over which a client speaks a protocol of its own, to a database say: what it sends is taken to have a response. */
export class ClientSockets {
  readonly #sent = new Map<Socket, SentOver>();

  /** `baseUrl`: where the mock is reached. */
  constructor(private readonly baseUrl: () => string | undefined) {}

  send(socket: Socket): void {
    // What cannot be read, as the output of this process, has no response.
    if (httpSockets.has(socket) || acceptedSockets.has(socket) || !socket.readable) return;
    const read = socket.bytesRead;
    const last = this.#sent.get(socket);
    if (last?.isGivenUp && last.read === read) return;
    this.#sent.set(socket, { before: read, read, since: real.performanceNow(), isGivenUp: false });
  }

  /** True while a response may still come, or go on. */
  awaitResponses(): boolean {
    if (this.#sent.size === 0) return false;
    const base = this.baseUrl();
    const port = base !== undefined && URL.canParse(base) ? new URL(base).port : '';
    let isAwaited = false;
    for (const [socket, sent] of this.#sent) {
      const isOver = socket.destroyed || !socket.readable || httpSockets.has(socket);
      if (isOver || String(socket.remotePort) === port) this.#sent.delete(socket);
      else if (this.#isAwaited(socket, sent)) isAwaited = true;
    }
    return isAwaited;
  }

  /** Where those lead that had no response. */
  unanswered(): string[] {
    const silent = [...this.#sent].filter(([socket, { before }]) => socket.bytesRead === before);
    return silent.map(([{ remoteAddress, remotePort }]) =>
      remoteAddress === undefined ? 'a local socket' : `${remoteAddress}:${remotePort}`,
    );
  }

  #isAwaited({ bytesRead }: Socket, sent: SentOver): boolean {
    const now = real.performanceNow();
    if (bytesRead !== sent.read) {
      sent.read = bytesRead;
      sent.since = now;
    }
    const isAnswered = bytesRead !== sent.before;
    if (now - sent.since < (isAnswered ? SILENCE_MS : RESPONSE_MS)) return true;
    if (!isAnswered) sent.isGivenUp = true;
    return false;
  }
}

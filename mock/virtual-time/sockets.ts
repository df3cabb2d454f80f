import { Server, Socket } from 'node:net';
import { currentRun } from './current-run.js';
import { Patches } from './patches.js';
import { real } from './real.js';
import type { VirtualClock, VirtualTimeout } from './virtual-clock.js';

/** A response is waited for this long, ms of real time; on a socket that never had one, once. */
const RESPONSE_MS = 2_000;

/** Sockets of undici and node:http, whose requests are tracked. */
export const httpSockets = new WeakSet<object>();
/** Sockets that a server of this process has accepted. */
export const acceptedSockets = new WeakSet<object>();

/** Sockets of a client with another protocol (such as a database): everything it sends is assumed to have a response. */
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

  /** Addresses of the sockets without a response. */
  addressesWithoutResponse(): string[] {
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

/** Longest that Node.js takes, ms. */
const LONGEST_MS = 2 ** 31 - 1;
const setRealTimeout = Socket.prototype.setTimeout;

/** The run whose clock the time-out of a socket uses; none: real time. */
const holders = new WeakMap<Socket, SocketTimeouts>();

interface IdleTimeout {
  readonly timer: VirtualTimeout;
  /** Bytes that had gone either way when it was last looked at. */
  bytes: number;
}

/** The idle time-outs of sockets that go by the clock of one run. */
export class SocketTimeouts {
  readonly #idle = new Map<Socket, IdleTimeout>();

  constructor(private readonly clock: VirtualClock) {}

  /** Takes the time-out of the socket over from real time. */
  take(socket: Socket, ms: number): void {
    setRealTimeout.call(socket, 0);
    (socket as { timeout?: number }).timeout = ms;
    const timer = this.clock.set(() => socket.emit('timeout'), Math.min(ms, LONGEST_MS)).unref();
    this.#idle.set(socket, { timer, bytes: bytesOf(socket) });
    holders.set(socket, this);
  }

  clear(socket: Socket): void {
    this.#idle.get(socket)?.timer.close();
    this.#idle.delete(socket);
    holders.delete(socket);
  }

  /** Time-outs of sockets over which something has gone start anew. To be called before time moves on. */
  refresh(): void {
    for (const [socket, idle] of this.#idle) {
      const bytes = bytesOf(socket);
      if (socket.destroyed) this.clear(socket);
      else if (bytes !== idle.bytes) {
        idle.bytes = bytes;
        idle.timer.refresh();
      }
    }
  }

  /** Switches the time-outs to real time, for connections that stay in a pool. */
  release(): void {
    for (const socket of this.#idle.keys()) {
      this.clear(socket);
      if (!socket.destroyed && socket.timeout) setRealTimeout.call(socket, socket.timeout);
    }
  }
}

function bytesOf(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten;
}

/** The run whose clock applies to a time-out that is set for this socket now. */
function timeoutsFor(socket: Socket): SocketTimeouts | undefined {
  const run = acceptedSockets.has(socket) ? undefined : currentRun();
  return run?.isOver ? undefined : run?.socketTimeouts;
}

/** Moves the time-out of a pooled socket, set in another run or in real time, to the current run. */
function moveTimeout(socket: Socket): void {
  const { timeout } = socket;
  if (!timeout || socket.destroyed) return;
  const [before, now] = [holders.get(socket), timeoutsFor(socket)];
  if (before === now) return;
  before?.clear(socket);
  if (now) now.take(socket, timeout);
  else setRealTimeout.call(socket, timeout);
}

/** Makes the time-outs of sockets, also those of node:http and its agents, go by the time of the run that sets or uses them. */
export const socketTimeoutPatches = new Patches();

socketTimeoutPatches.replace(Socket.prototype, 'setTimeout', (before: Socket['setTimeout']) => {
  return function (this: Socket, ms: number, callback?: () => void) {
    holders.get(this)?.clear(this);
    const timeouts = ms > 0 && Number.isFinite(ms) && !this.destroyed ? timeoutsFor(this) : undefined;
    if (!timeouts) return before.call(this, ms, callback);
    timeouts.take(this, ms);
    if (callback) this.once('timeout', callback);
    return this;
  };
});

type Emit = (this: Server, event: string, ...args: unknown[]) => boolean;
socketTimeoutPatches.replace(Server.prototype, 'emit', (before: Emit): Emit => {
  return function (event, ...args) {
    if (event === 'connection') acceptedSockets.add(args[0] as Socket);
    return before.call(this, event, ...args);
  };
});

const isChunk = (value: unknown) => value !== undefined && value !== null && typeof value !== 'function';
for (const name of ['connect', 'write', 'end'] as const)
  socketTimeoutPatches.replace(
    Socket.prototype,
    name,
    (before: (...args: unknown[]) => unknown) =>
      function (this: Socket, ...args: unknown[]) {
        moveTimeout(this);
        // To end it sends something only where a chunk is given.
        if (name !== 'end' || isChunk(args[0])) currentRun()?.sockets?.send(this);
        return before.apply(this, args);
      },
  );

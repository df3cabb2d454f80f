import { Server, Socket } from 'node:net';
import { findCurrentRun } from './current-run.js';
import { Patches } from './patches.js';
import { acceptedSockets } from './request-tracker.js';
import type { VirtualClock, VirtualTimeout } from './virtual-clock.js';

/** Longest time-out of Node.js, ms. */
const LONGEST_MS = 2 ** 31 - 1;

interface IdleTimeout {
  readonly timer: VirtualTimeout;
  /** Bytes in both directions at the last check. */
  bytes: number;
}

/** The idle time-outs of sockets that use the clock of one run. */
export class SocketTimeouts {
  readonly #idle = new Map<Socket, IdleTimeout>();

  constructor(private readonly clock: VirtualClock) {}

  set(socket: Socket, ms: number): void {
    (socket as { timeout?: number }).timeout = ms;
    const timer = this.clock.set(() => socket.emit('timeout'), Math.min(ms, LONGEST_MS)).unref();
    this.#idle.set(socket, { timer, bytes: countBytes(socket) });
  }

  clear(socket: Socket): void {
    this.#idle.get(socket)?.timer.close();
    this.#idle.delete(socket);
  }

  /** A pooled socket keeps the time-out that another run has set. */
  adopt(socket: Socket): void {
    if (socket.timeout && !socket.destroyed && !this.#idle.has(socket)) socket.setTimeout(socket.timeout);
  }

  /** Restarts the time-outs of sockets with new traffic. Call it before time advances. */
  refresh(): void {
    for (const [socket, idle] of this.#idle) {
      const bytes = countBytes(socket);
      if (socket.destroyed) this.clear(socket);
      else if (bytes !== idle.bytes) {
        idle.bytes = bytes;
        idle.timer.refresh();
      }
    }
  }
}

function countBytes(socket: Socket): number {
  return socket.bytesRead + socket.bytesWritten;
}

/** Makes the time-outs of sockets, including those of node:http and its agents, use the time of the run that sets them. */
export const socketPatches = new Patches();

socketPatches.replace(Socket.prototype, 'setTimeout', (before: Socket['setTimeout']) => {
  return function (this: Socket, ms: number, callback?: () => void) {
    const timeouts = acceptedSockets.has(this) ? undefined : findCurrentRun()?.socketTimeouts;
    timeouts?.clear(this);
    if (!timeouts || !(ms > 0) || !Number.isFinite(ms) || this.destroyed)
      return before.call(this, ms, callback);
    before.call(this, 0);
    timeouts.set(this, ms);
    if (callback) this.once('timeout', callback);
    return this;
  };
});

type ServerEmit = (this: Server, event: string, ...args: unknown[]) => boolean;
socketPatches.replace(Server.prototype, 'emit', (before: ServerEmit): ServerEmit => {
  return function (event, ...args) {
    if (event === 'connection') acceptedSockets.add(args[0] as Socket);
    return before.call(this, event, ...args);
  };
});

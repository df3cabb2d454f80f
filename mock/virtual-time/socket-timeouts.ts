import { Socket } from 'node:net';
import { activeClock } from './platform.js';
import { type VirtualClock, VirtualTimeout } from './virtual-clock.js';

/** What Node.js keeps in a socket for its time-out; `refresh` is called for every byte that goes by. */
interface Inner {
  timeout?: number;
  _onTimeout(): void;
  [key: symbol]: unknown;
}

/** Longest that Node.js takes, ms. */
const LONGEST_MS = 2 ** 31 - 1;
/** Where a version of Node.js keeps them elsewhere they stay real. */
const place = Object.getOwnPropertySymbols(new Socket()).find(
  (symbol) => symbol.description === 'timeout' || symbol.description === 'kTimeout',
);
let setReal = Socket.prototype.setTimeout;

/** Those that are set, of each clock. */
const idleTimeouts = new WeakMap<VirtualClock, Set<IdleTimeout>>();

/** Stands where Node.js keeps the timer of a socket. */
class IdleTimeout extends VirtualTimeout {
  constructor(
    clock: VirtualClock,
    readonly socket: Socket,
    ms: number,
    onTimeout: () => void,
  ) {
    super(clock, onTimeout, ms, [], false);
    const all = idleTimeouts.get(clock);
    if (all) all.add(this);
    else idleTimeouts.set(clock, new Set([this]));
    this.unref();
    clock.plan(this);
  }

  override close(): this {
    idleTimeouts.get(this.clock)?.delete(this);
    return super.close();
  }
}

/**
 * Makes the time-outs of sockets (those of node:http requests and agents with them) go by the clock that there is for a
 * socket when one is set. Gives what ends that.
 */
export function makeSocketTimeoutsVirtual(
  clockOf: (socket: Socket) => VirtualClock | undefined = activeClock,
): () => void {
  const { prototype } = Socket;
  const before = prototype.setTimeout;
  setReal = before;
  const setTimeout = function (this: Socket, ms: number, callback?: () => void) {
    // Refused, or taken back, in Node's own words.
    const clock = ms > 0 && Number.isFinite(ms) && !this.destroyed ? clockOf(this) : undefined;
    if (!clock || !place) return before.call(this, ms, callback);
    makeVirtual(this, clock, ms);
    if (callback) this.once('timeout', callback);
    return this;
  };
  prototype.setTimeout = setTimeout;
  return () => {
    // Somebody who has wrapped it since keeps it, and it leads on.
    if (prototype.setTimeout === setTimeout) prototype.setTimeout = before;
  };
}

/** The time-out that a socket has, however it was set, goes by this clock from now on; without one by real time. */
export function moveTimeout(socket: Socket, clock: VirtualClock | undefined): void {
  const inner = socket as unknown as Inner;
  const { timeout } = inner;
  if (!place || !timeout || socket.destroyed) return;
  const timer = inner[place];
  if (clock === (timer instanceof IdleTimeout ? timer.clock : undefined)) return;
  if (clock) makeVirtual(socket, clock, timeout);
  else makeReal(socket);
}

/** Gives the sockets that nobody waits for, as those in the pools of agents, back to real time: the clock is closed. */
export function releaseTimeouts(clock: VirtualClock): void {
  for (const { socket } of idleTimeouts.get(clock) ?? [])
    if (!(socket as { _httpMessage?: object | null })._httpMessage) makeReal(socket);
}

/**
 * Calls `onTimeout` once nothing has gone over a socket for `ms` of the clock. A time-out that somebody has set himself
 * is left as it is.
 */
export function watchIdle(socket: Socket, clock: VirtualClock, ms: number, onTimeout: () => void): void {
  const inner = socket as unknown as Inner;
  if (!place || socket.destroyed || inner.timeout) return;
  inner[place] = new IdleTimeout(clock, socket, ms, onTimeout);
}

export function unwatchIdle(socket: Socket): void {
  const inner = socket as unknown as Inner;
  if (!place || inner.timeout || !(inner[place] instanceof IdleTimeout)) return;
  inner[place].close();
  inner[place] = null;
}

function makeVirtual(socket: Socket, clock: VirtualClock, ms: number): void {
  const inner = socket as unknown as Inner;
  // Takes the one before it back, a virtual one too.
  setReal.call(socket, 0);
  inner.timeout = ms;
  inner[place!] = new IdleTimeout(clock, socket, Math.min(ms, LONGEST_MS), () => inner._onTimeout());
}

function makeReal(socket: Socket): void {
  const { timeout } = socket;
  if (timeout) setReal.call(socket, timeout);
  else unwatchIdle(socket);
}

import { Socket } from 'node:net';
import { activeClock } from './platform.js';
import type { VirtualTimeout } from './virtual-clock.js';

/** What Node.js keeps in a socket for its time-out; `refresh` is called for every byte that goes by. */
interface Inner {
  timeout?: number;
  _onTimeout(): void;
  [key: symbol]: VirtualTimeout | null | undefined;
}

/**
 * Makes the time-outs of sockets (those of node:http requests and agents with them) go by the active clock. Where a version of
 * Node.js keeps them elsewhere they stay real.
 */
export function makeSocketTimeoutsVirtual(): void {
  const place = Object.getOwnPropertySymbols(new Socket()).find(
    (symbol) => symbol.description === 'timeout' || symbol.description === 'kTimeout',
  );
  if (!place) return;
  const before = Socket.prototype.setTimeout;
  Socket.prototype.setTimeout = function (this: Socket, ms: number, callback?: () => void) {
    const clock = activeClock();
    const inner = this as unknown as Inner;
    // Refused, or taken back, in Node's own words.
    if (!clock || this.destroyed || !(ms > 0)) return before.call(this, ms, callback);
    // Takes the one before it back, a virtual one too.
    before.call(this, 0);
    inner.timeout = ms;
    inner[place] = clock.set(() => inner._onTimeout(), ms, []).unref();
    if (callback) this.once('timeout', callback);
    return this;
  };
}

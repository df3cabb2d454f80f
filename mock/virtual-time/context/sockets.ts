import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { real } from '../platform.js';
import { makeSocketTimeoutsVirtual, moveTimeout } from '../socket-timeouts.js';
import type { VirtualClock } from '../virtual-clock.js';
import { clientNow } from './context.js';

/** An answer is waited for this long, ms of real time; on a socket that never gave one, once. */
const ANSWER_MS = 2_000;
/** After its last byte an answer is taken to be over when so much real time has passed, ms. */
const SILENCE_MS = 5;

interface Said {
  /** Bytes that had come before, and when it was looked at last. */
  readonly before: number;
  read: number;
  /** When something was said or came last, ms of real time. */
  since: number;
  /** No answer came for so long that none is waited for. */
  isGivenUp: boolean;
}

/** Those of node:http know when they have their answer. */
interface SocketInside {
  _httpMessage?: object | null;
  /** Of a socket that somebody has opened to this process. */
  server?: object | null;
}

/** Sockets of undici, whose requests are known. */
const ofUndici = new WeakSet<object>();

/**
 * The sockets over which the client of one run speaks a protocol of its own, to a database say. Who has connected or
 * written is taken to wait for an answer.
 */
export class ClientSockets {
  readonly #said = new Map<Socket, Said>();

  /** `baseUrl`: where the mock is reached. */
  constructor(private readonly baseUrl: () => string) {}

  said(socket: Socket): void {
    const { _httpMessage, server } = socket as SocketInside;
    // What cannot be read, as the output of this process, has no answer.
    if (_httpMessage || server || ofUndici.has(socket) || !socket.readable) return;
    const read = socket.bytesRead;
    const last = this.#said.get(socket);
    if (last?.isGivenUp && last.read === read) return;
    this.#said.set(socket, { before: read, read, since: real.performanceNow(), isGivenUp: false });
  }

  /** True while an answer may still come, or go on. */
  awaitAnswers(): boolean {
    if (this.#said.size === 0) return false;
    const now = real.performanceNow();
    const base = this.baseUrl();
    const port = URL.canParse(base) ? new URL(base).port : '';
    let isAwaited = false;
    for (const [socket, said] of this.#said) {
      if (isOver(socket) || String(socket.remotePort) === port) this.#said.delete(socket);
      else if (this.#isAwaited(socket, said, now)) isAwaited = true;
    }
    return isAwaited;
  }

  /** Where those lead that had no answer. */
  unanswered(): string[] {
    const silent = [...this.#said].filter(([socket, { before }]) => socket.bytesRead === before);
    return silent.map(([{ remoteAddress, remotePort }]) =>
      remoteAddress === undefined ? 'a local socket' : `${remoteAddress}:${remotePort}`,
    );
  }

  #isAwaited(socket: Socket, said: Said, now: number): boolean {
    const { bytesRead } = socket;
    if (bytesRead !== said.read) {
      said.read = bytesRead;
      said.since = now;
    }
    const isAnswered = bytesRead !== said.before;
    if (now - said.since < (isAnswered ? SILENCE_MS : ANSWER_MS)) return true;
    if (isAnswered) this.#said.delete(socket);
    else said.isGivenUp = true;
    return false;
  }
}

function isOver(socket: Socket): boolean {
  return (
    socket.destroyed ||
    !socket.readable ||
    Boolean((socket as SocketInside)._httpMessage) ||
    ofUndici.has(socket)
  );
}

const SAYING = ['connect', 'write', 'end'] as const;

function onUndici(message: unknown): void {
  ofUndici.add((message as { socket: object }).socket);
}

/** By which clock the time-out of a socket goes that is used now; what somebody has opened to this process stays real. */
function clockOf(socket: Socket): VirtualClock | undefined {
  const clock = (socket as SocketInside).server ? undefined : clientNow()?.clock;
  return clock?.closed ? undefined : clock;
}

const UNDICI_CHANNELS = ['undici:client:connected', 'undici:client:sendHeaders'];

/** Hears of what the clients of runs say. Gives what ends that. */
export function watchSockets(): () => void {
  const ends = [...SAYING.map(watch), makeSocketTimeoutsVirtual(clockOf)];
  for (const name of UNDICI_CHANNELS) subscribe(name, onUndici);
  return () => {
    for (const name of UNDICI_CHANNELS) unsubscribe(name, onUndici);
    for (const end of ends) end();
  };
}

function watch(name: (typeof SAYING)[number]): () => void {
  const { prototype } = Socket;
  const before = Object.getOwnPropertyDescriptor(prototype, name);
  const call = prototype[name] as (...args: unknown[]) => unknown;
  const watching = function (this: Socket, ...args: unknown[]) {
    // It may be from a pool, where it got its time-out at another time.
    moveTimeout(this, clockOf(this));
    // To end it says something only where something is given.
    if (name !== 'end' || isChunk(args[0])) clientNow()?.sockets.said(this);
    return call.apply(this, args);
  };
  Object.defineProperty(prototype, name, {
    value: watching,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return () => {
    // Somebody who has wrapped it since keeps it, and it leads on.
    if (prototype[name] !== (watching as unknown)) return;
    if (before) Object.defineProperty(prototype, name, before);
    else delete (prototype as Partial<Socket>)[name];
  };
}

function isChunk(first: unknown): boolean {
  return first !== undefined && first !== null && typeof first !== 'function';
}

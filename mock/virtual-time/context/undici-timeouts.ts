import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { unwatchIdle, watchIdle } from '../socket-timeouts.js';
import type { Running } from './context.js';

/** What undici keeps of the answer that it waits for: its time-out, and what that calls. */
interface Parser {
  timeout: { _onTimeout?(arg: unknown): void; _timerArg?: unknown } | null;
  /** ms. */
  timeoutValue: number | null;
}

/**
 * The parser of a socket of HTTP/1. Of a version of undici that keeps it elsewhere the time-outs stay real, as all would
 * without this: one timer for all requests of a process has no run whose time it could go by.
 */
function parserOf(socket: Socket): Parser | undefined {
  const place = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  return place && (socket as unknown as Record<symbol, Parser | undefined>)[place];
}

/** Lets the time-out of what undici waits for now (the head, or the next piece of the body) go by the time of a run. */
function follow(socket: Socket, { clock, isOver }: Running): void {
  const parser = parserOf(socket);
  const ms = parser?.timeoutValue;
  unwatchIdle(socket);
  if (!ms || isOver) return;
  watchIdle(socket, clock, ms, () => {
    const { timeout } = parser;
    // It looks itself whether there is something to give up, and has the words for it.
    timeout?._onTimeout?.(timeout._timerArg);
  });
}

/** `runOf`: whose a request is. Gives what ends it. */
export function watchUndiciTimeouts(runOf: (request: object) => Running | undefined): () => void {
  /** Over which socket one goes. */
  const sockets = new WeakMap<object, Socket>();
  const onNews = (message: unknown) => {
    const { request, socket = sockets.get(request) } = message as { request: object; socket?: Socket };
    const run = runOf(request);
    if (!run || !socket) return;
    sockets.set(request, socket);
    // The time-out is set next; the answer may be complete by then.
    process.nextTick(() => {
      if (sockets.has(request)) follow(socket, run);
    });
  };
  const onOver = (message: unknown) => {
    const { request } = message as { request: object };
    const socket = sockets.get(request);
    if (socket) unwatchIdle(socket);
    sockets.delete(request);
  };
  const channels = {
    'undici:client:sendHeaders': onNews,
    'undici:request:headers': onNews,
    'undici:request:trailers': onOver,
    'undici:request:error': onOver,
  };
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener);
  };
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { currentContext, isWholeProcess, type VirtualTimeRun } from './current-run.js';
import { httpSockets } from './sockets.js';

interface UndiciMessage {
  request: { origin?: string | URL };
  socket: Socket;
}

/** Whose a request of undici is: it is sent in the context of its connection. */
const runs = new WeakMap<object, VirtualTimeRun>();

function start(request: object, origin: string): VirtualTimeRun | undefined {
  const context = currentContext();
  context?.run.requests.start(request, origin, context.call);
  return context?.run;
}

/** undici sets another time-out next. */
function followTimeout(request: object): void {
  const run = runs.get(request);
  if (!run || isWholeProcess()) return;
  process.nextTick(() => {
    const socket = run.requests.socketOf(request);
    if (socket && !run.isOver) run.socketTimeouts.followUndici(socket);
  });
}

function endUndici({ request }: UndiciMessage): void {
  const run = runs.get(request);
  const socket = run?.requests.socketOf(request);
  if (socket) run!.socketTimeouts.unfollowUndici(socket);
  run?.requests.end(request);
}

const LISTENERS: Record<string, (message: never) => void> = {
  'undici:request:create': ({ request }: UndiciMessage) => {
    const run = start(request, String(request.origin));
    if (run) runs.set(request, run);
  },
  'undici:client:connected': ({ socket }: UndiciMessage) => httpSockets.add(socket),
  'undici:client:sendHeaders': ({ request, socket }: UndiciMessage) => {
    httpSockets.add(socket);
    runs.get(request)?.requests.send(request, socket);
    followTimeout(request);
  },
  'undici:request:headers': ({ request }: UndiciMessage) => followTimeout(request),
  'undici:request:trailers': endUndici,
  'undici:request:error': endUndici,
  'http.client.request.start': ({ request }: { request: ClientRequest }) => {
    const run = start(request, `${request.protocol}//${request.getHeader('host') ?? request.host}`);
    request.once('close', () => run?.requests.end(request));
    if (request.socket) httpSockets.add(request.socket);
    else request.once('socket', (socket) => httpSockets.add(socket));
  },
  // Published from Node.js 22 on.
  'http2.client.stream.created': (message: { stream: ClientHttp2Stream; headers: OutgoingHttpHeaders }) => {
    const { stream, headers } = message;
    const run = start(stream, `${headers[':scheme']}://${headers[':authority']}`);
    stream.once('close', () => run?.requests.end(stream));
  },
};

/** Tracks what Node.js and undici publish of requests and sockets in the runs that they belong to; returns what ends that. */
export function trackConnections(): () => void {
  for (const [name, listener] of Object.entries(LISTENERS)) subscribe(name, listener as never);
  return () => {
    for (const [name, listener] of Object.entries(LISTENERS)) unsubscribe(name, listener as never);
  };
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { currentContext } from './current-run.js';
import type { RequestTracker } from './requests.js';
import { httpSockets } from './sockets.js';

interface UndiciMessage {
  request: { origin?: string | URL };
  socket: Socket;
}

/** The tracker of each undici request: undici sends a request in the async context of its connection. */
const trackers = new WeakMap<object, RequestTracker>();

function start(request: object, origin: string): void {
  const context = currentContext();
  if (!context) return;
  context.run.requests.start(request, origin, context.call);
  trackers.set(request, context.run.requests);
}

const end = (request: object) => trackers.get(request)?.end(request);

const LISTENERS: Record<string, (message: never) => void> = {
  'undici:request:create': ({ request }: UndiciMessage) => start(request, String(request.origin)),
  'undici:client:connected': ({ socket }: UndiciMessage) => httpSockets.add(socket),
  'undici:client:sendHeaders': ({ request, socket }: UndiciMessage) => {
    httpSockets.add(socket);
    trackers.get(request)?.send(request, socket);
  },
  'undici:request:trailers': ({ request }: UndiciMessage) => end(request),
  'undici:request:error': ({ request }: UndiciMessage) => end(request),
  'http.client.request.start': ({ request }: { request: ClientRequest }) => {
    start(request, `${request.protocol}//${request.getHeader('host') ?? request.host}`);
    request.once('close', () => end(request));
    if (request.socket) httpSockets.add(request.socket);
    else request.once('socket', (socket) => httpSockets.add(socket));
  },
  // Published from Node.js 22 on.
  'http2.client.stream.created': (message: { stream: ClientHttp2Stream; headers: OutgoingHttpHeaders }) => {
    const { stream, headers } = message;
    start(stream, `${headers[':scheme']}://${headers[':authority']}`);
    stream.once('close', () => end(stream));
  },
};

/** Tracks requests and sockets that Node.js and undici publish, for the run to which each belongs. Returns a function that stops it. */
export function trackConnections(): () => void {
  for (const [name, listener] of Object.entries(LISTENERS)) subscribe(name, listener as never);
  return () => {
    for (const [name, listener] of Object.entries(LISTENERS)) unsubscribe(name, listener as never);
  };
}

import type { Socket } from 'node:net';
import { MessagePort } from 'node:worker_threads';

/** A connection between the time server and a process, or a thread that represents one. */
export type Connection = Socket | MessagePort;

/** The configuration of a process with virtual time, as JSON in `TASKDOUBLE_TIME`. */
export interface RemoteConfig {
  /** Port of the time server on this machine. */
  port: number;
  /** Sent with the connection: other programs are refused. */
  token: string;
  /** The service: requests to other servers are awaited, but not counted. */
  base_url?: string | undefined;
  /** Name of this process: `1.2` is the second child of the first process of the command. */
  process: string;
}

/** The status of a process that cannot continue without an event. */
export interface ProcessStatus {
  /** When its next timer fires, ms; null when none is set. */
  next: number | null;
  /** Requests to the service so far. */
  started: number;
  /** Requests that wait for their response, or for the rest of it. */
  open: number;
  children: number;
}

/** From the process to the time server: its token and name, then a response to each numbered message, or why its time cannot be virtual. */
export type ProcessMessage =
  | { hello: string; pid: number; process: string }
  | { response: number; standing?: ProcessStatus }
  | { not_virtual: string };

/** From the time server to the process. Times are ms. */
export type TimeServerMessage =
  /** Set the time; the process confirms it. The first message contains the seed of its random numbers. */
  | { now: number; n: number; seed?: string }
  /** Report the status; the process responds when it cannot continue without an event. */
  | { ask: number }
  /** Fire the first timer that is due at this time. */
  | { fire: number };

/** Over a socket, a message is one line of JSON. */
export function send(connection: Connection, ...messages: (ProcessMessage | TimeServerMessage)[]): void {
  if (connection instanceof MessagePort) for (const message of messages) connection.postMessage(message);
  else if (!connection.destroyed)
    connection.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
}

export function receive<M>(connection: Connection, onMessage: (message: M) => void): void {
  if (connection instanceof MessagePort) connection.on('message', onMessage);
  else receiveLines(connection, onMessage);
}

export function disconnect(connection: Connection): void {
  if (connection instanceof MessagePort) connection.close();
  else connection.destroy();
}

/** Invalid JSON ends the connection. */
function receiveLines<M>(socket: Socket, onMessage: (message: M) => void): void {
  let rest = '';
  socket.setNoDelay(true).setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      let message: M;
      try {
        message = JSON.parse(line) as M;
      } catch {
        socket.destroy();
        return;
      }
      onMessage(message);
    }
  });
}

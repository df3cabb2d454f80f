import type { Socket } from 'node:net';

/** What a process with virtual time finds in its environment, as JSON in `TASKDOUBLE_TIME`. */
export interface RemoteConfig {
  /** Where the time is kept, on this machine. */
  port: number;
  /** Sent with the connection: other programs are refused. */
  token: string;
  /** What the client talks to: requests to others are waited for, but not counted. */
  base_url?: string | undefined;
}

/** How a process stands when it can do nothing more by itself. */
export interface Standing {
  /** When its next timer fires, ms; null when none is set. */
  next: number | null;
  /** Requests to the service so far. */
  started: number;
  /** Those that wait for their response, or for the rest of it. */
  open: number;
  /** Child processes of its own. */
  children: number;
}

/** From the process to the keeper of the time: its token, then an answer to each numbered message. */
export type FromProcess = { hello: string; pid: number } | { answer: number; standing?: Standing };

/** From the keeper to the process. Times are ms. */
export type ToProcess =
  /** Answered once the time is taken over. */
  | { now: number; n: number }
  /** Answered with its standing once it can do nothing more. */
  | { ask: number }
  /** Fire the first timer that is due at this time. */
  | { fire: number };

/** Sends one message: a line of JSON. */
export function send(socket: Socket, message: FromProcess | ToProcess): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

/** Hands over every message that comes. What is no JSON ends the connection. */
export function receive<M>(socket: Socket, onMessage: (message: M) => void): void {
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

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
  /** Of these, those that were given up before anything of them was sent. */
  unsent: number;
  /** Those that wait for their answer, or for the rest of it. */
  open: number;
  /** Child processes of its own. */
  children: number;
  /** False when only its own inertia keeps it: it ends by itself in a moment. */
  holds: boolean;
}

/** From the process to the keeper of the time. */
export type FromProcess =
  | { hello: string; pid: number }
  | { calm: number; standing: Standing }
  /** It has taken over the time that the message with this number told. */
  | { told: number };

/** From the keeper to the process. Times are ms. */
export type ToProcess =
  | { now: number; n: number }
  /** Say how you stand once you can do nothing more. */
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
  socket.setEncoding('utf8');
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

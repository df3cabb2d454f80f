import type { Socket } from 'node:net';
import { type FromProcess, receive, type Standing, send } from './remote-messages.js';

/** One process of a client, as the time keeper sees it. */
export class RemoteProcess {
  /** Its last report. */
  standing: Standing | undefined;
  /** The last question that it has answered. */
  answered = 0;
  /** The last change of time that it has taken over. */
  told = 0;
  /** It did not end although nothing seemed to keep it alive. */
  lingers = false;
  isGone = false;

  constructor(
    private readonly socket: Socket,
    readonly pid: number,
  ) {}

  receive(message: FromProcess): void {
    if ('calm' in message) {
      this.answered = message.calm;
      this.standing = message.standing;
    } else if ('told' in message) {
      this.told = message.told;
    }
  }

  /** ms; Infinity where it has no timer. */
  get next(): number {
    return this.standing?.next ?? Infinity;
  }

  /** It only waits for a child process of its own. */
  get isWrapper(): boolean {
    return this.standing !== undefined && this.standing.children > 0 && this.standing.started === 0;
  }

  tell(now: number, n: number): void {
    send(this.socket, { now, n });
  }

  ask(n: number): void {
    send(this.socket, { ask: n });
  }

  fire(at: number): void {
    // Its timer is due no longer, whatever it says next.
    if (this.standing) this.standing = { ...this.standing, next: null };
    send(this.socket, { fire: at });
  }

  end(): void {
    this.socket.destroy();
  }
}

/** Accepts a connection once its process has sent the token; closes any other. */
export function acceptProcess(
  socket: Socket,
  token: string,
  onChange: () => void,
  onProcess: (process: RemoteProcess) => void,
): void {
  let process: RemoteProcess | undefined;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  receive<FromProcess>(socket, (message) => {
    if (process) {
      process.receive(message);
      onChange();
    } else if ('hello' in message && message.hello === token) {
      process = new RemoteProcess(socket, message.pid);
      onProcess(process);
    } else {
      socket.destroy();
    }
  });
}

import type { Socket } from 'node:net';
import { type FromProcess, receive, type Standing, send } from './remote-messages.js';

/** One process of a client as the keeper of the time sees it. */
export class RemoteProcess {
  /** As it last said; undefined until it has said anything. */
  standing: Standing | undefined;
  /** The last question that it has answered. */
  answered = 0;
  /** The last change of time that it has taken over. */
  told = 0;
  /** It was waited for although nothing keeps it, in vain: something keeps it that nobody sees. */
  lingers = false;
  isGone = false;

  constructor(
    private readonly socket: Socket,
    readonly pid: number,
    onChange: () => void,
    onMessages: (take: (message: FromProcess) => void) => void,
  ) {
    onMessages((message) => {
      if ('calm' in message) {
        this.answered = message.calm;
        this.standing = message.standing;
      } else if ('told' in message) {
        this.told = message.told;
      }
      onChange();
    });
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

/** Waits for a process to say who it is; ends the connection of anybody else. */
export function welcome(
  socket: Socket,
  token: string,
  onChange: () => void,
  onProcess: (process: RemoteProcess) => void,
): void {
  let take: ((message: FromProcess) => void) | undefined;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  receive<FromProcess>(socket, (message) => {
    if (take) {
      take(message);
      return;
    }
    if (!('hello' in message) || message.hello !== token) {
      socket.destroy();
      return;
    }
    onProcess(
      new RemoteProcess(socket, message.pid, onChange, (taker) => {
        take = taker;
      }),
    );
  });
}

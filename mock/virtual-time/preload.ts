/**
 * Makes the time of a Node.js process virtual before its program is loaded: `node --import` of this file, with
 * `TASKDOUBLE_TIME` in the environment. Where there is no such thing, or nobody keeps the time, nothing is changed.
 */
import { connect, type Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { backgroundWork, workPatches } from './background-work.js';
import { trackConnections } from './channels.js';
import { setProcessRun, type VirtualTimeRun } from './current-run.js';
import { nextTurn, rest } from './real.js';
import { type FromProcess, type RemoteConfig, receive, send, type ToProcess } from './remote-messages.js';
import { RequestTracker } from './requests.js';
import { SocketTimeouts, socketTimeoutPatches } from './socket-timeouts.js';
import { timePatches } from './time-patches.js';
import { VirtualClock } from './virtual-clock.js';

/** Turns of the loop without anything new after which this process is taken to wait. */
const QUIET_TURNS = 5;
/** The same while immediates are set again and again. */
const QUIET_IMMEDIATES = 200;

/** Keeps this process on the time that is kept elsewhere. */
class Guest {
  #run: VirtualTimeRun | undefined;
  /** The question that waits for its answer; a newer one takes its place. */
  #asked = 0;
  #answering = false;

  constructor(
    private readonly socket: Socket,
    private readonly requests: RequestTracker,
  ) {}

  /** Settled once the time is known. */
  begin(token: string): Promise<void> {
    return new Promise((resolve) => {
      const { socket } = this;
      socket.setNoDelay(true);
      send(socket, { hello: token, pid: process.pid } satisfies FromProcess);
      receive<ToProcess>(socket, (message) => {
        if ('now' in message) {
          this.#take(message.now);
          send(socket, { told: message.n });
          resolve();
        } else if ('ask' in message) {
          this.#asked = message.ask;
          if (!this.#answering) this.#answer();
        } else if (this.#run) {
          this.#run.clock.now = message.fire;
          // Last: what it throws ends this process, as it would without us.
          this.#run.clock.fireOne();
        }
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  }

  #take(now: number): void {
    if (this.#run) {
      this.#run.socketTimeouts.refresh();
      this.#run.clock.now = now;
      return;
    }
    const clock = new VirtualClock(now);
    // A timer keeps a process alive, and nothing but this connection would.
    clock.onHolding = (holds) => (holds ? this.socket.ref() : this.socket.unref());
    const { requests } = this;
    const socketTimeouts = new SocketTimeouts(clock);
    this.#run = { clock, requests, socketTimeouts, isOver: false, crash: () => {} };
    for (const patches of [workPatches, timePatches, socketTimeoutPatches]) patches.hold();
    setProcessRun(this.#run);
    this.socket.unref();
  }

  async #answer(): Promise<void> {
    this.#answering = true;
    await this.#untilCalm();
    this.#answering = false;
    send(this.socket, { calm: this.#asked, standing: this.#standing() });
  }

  async #untilCalm(): Promise<void> {
    let seen = this.#activity();
    for (let quiet = 0; ; ) {
      await nextTurn();
      const activity = this.#activity();
      quiet = activity === seen ? quiet + 1 : 0;
      seen = activity;
      if (quiet < QUIET_TURNS) continue;
      const { tasks, helpers, children, immediates } = backgroundWork();
      if (immediates > 0 && quiet < QUIET_IMMEDIATES) continue;
      // A child process has a time of its own to tell of.
      if (tasks === 0 && helpers === children && this.requests.openElsewhere() === 0) return;
      quiet = 0;
      await rest();
    }
  }

  #activity(): number {
    return this.#run!.clock.changes + this.requests.changes + this.#asked;
  }

  #standing() {
    const { requests } = this;
    const { clock } = this.#run!;
    const next = clock.next();
    const { children } = backgroundWork();
    const open = requests.open();
    return {
      next: next === Infinity ? null : next,
      started: requests.started,
      unsent: requests.unsent,
      open,
      children,
      holds: open > 0 || children > 0 || clock.holds,
    };
  }
}

async function begin(config: RemoteConfig): Promise<void> {
  const socket = connect(config.port, '127.0.0.1');
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!connected) return;
  const { base_url = process.env['TASKDOUBLE_BASE_URL'] } = config;
  trackConnections();
  await new Guest(socket, new RequestTracker(() => base_url)).begin(config.token);
}

const given = process.env['TASKDOUBLE_TIME'];
// Threads have no time of their own to be told: what waits for one of them is at work until it answers.
if (given !== undefined && isMainThread) await begin(JSON.parse(given) as RemoteConfig);

/**
 * Makes the time of a Node.js process virtual before its program is loaded: `node --import` of this file, with
 * `TASKDOUBLE_TIME` in the environment. Where there is no such thing, or nobody keeps the time, nothing is changed.
 */
import { connect, type Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { backgroundWork, workPatches } from './background-work.js';
import { trackConnections } from './channels.js';
import { setProcessRun, type VirtualTimeRun } from './current-run.js';
import { nextTurn, real, rest } from './real.js';
import { type RemoteConfig, receive, send, type ToProcess } from './remote-messages.js';
import { RequestTracker } from './requests.js';
import { SocketTimeouts, socketTimeoutPatches } from './sockets.js';
import { timePatches } from './time-patches.js';
import { VirtualClock } from './virtual-clock.js';

/** Turns of the loop without anything new after which this process is taken to wait. */
const QUIET_TURNS = 5;
/** The same while immediates are set again and again. */
const QUIET_IMMEDIATES = 200;
/** A process that nothing keeps gets so long to end, or to begin, before it is taken to wait, ms of real time. */
const EXIT_MS = 3_000;

/** Keeps this process on the time that is kept elsewhere. */
class Guest {
  #run: VirtualTimeRun | undefined;
  /** The question that waits for its answer; a newer one takes its place. */
  #asked = 0;
  #isAnswering = false;
  /** When it was first found that nothing keeps the process. */
  #idleSince: number | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly requests: RequestTracker,
  ) {}

  /** Settled once the time is known. */
  begin(token: string): Promise<void> {
    return new Promise((resolve) => {
      const { socket } = this;
      send(socket, { hello: token, pid: process.pid });
      receive<ToProcess>(socket, (message) => {
        if ('now' in message) {
          this.#take(message.now);
          send(socket, { answer: message.n });
          resolve();
        } else if ('ask' in message) {
          this.#asked = message.ask;
          if (!this.#isAnswering) this.#answer();
        } else if (this.#run) {
          this.#run.clock.now = message.fire;
          // Last: what it throws ends this process, as it would without us.
          this.#run.clock.fireOne();
        }
      });
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
    clock.onChange = () => (clock.holds ? this.socket.ref() : this.socket.unref());
    const { requests } = this;
    const socketTimeouts = new SocketTimeouts(clock);
    this.#run = { clock, requests, socketTimeouts, isOver: false, crash: () => {} };
    for (const patches of [workPatches, timePatches, socketTimeoutPatches]) patches.hold();
    setProcessRun(this.#run);
    this.socket.unref();
  }

  async #answer(): Promise<void> {
    this.#isAnswering = true;
    const { clock } = this.#run!;
    await this.#untilCalm(clock);
    this.#isAnswering = false;
    const next = clock.next();
    const standing = {
      next: next === Infinity ? null : next,
      started: this.requests.started,
      open: this.requests.open(true),
      children: backgroundWork().children,
    };
    send(this.socket, { answer: this.#asked, standing });
  }

  async #untilCalm(clock: VirtualClock): Promise<void> {
    const { requests } = this;
    let seen = 0;
    for (let quiet = 0; ; ) {
      await nextTurn();
      const activity = clock.changes + requests.changes + this.#asked;
      quiet = activity === seen ? quiet + 1 : 0;
      seen = activity;
      if (quiet < QUIET_TURNS) continue;
      const { tasks, helpers, children, immediates } = backgroundWork();
      if (immediates > 0 && quiet < QUIET_IMMEDIATES) continue;
      // A child process has a time of its own to report.
      const isBusy = tasks > 0 || helpers > children || requests.open(false) > 0;
      if (isBusy) await rest();
      else if (clock.holds || children > 0 || requests.open(true) > 0) return;
      else if (await this.#stays()) return;
      quiet = 0;
    }
  }

  /** True, a moment later, for a process that does not end although nothing seems to keep it. */
  async #stays(): Promise<boolean> {
    this.#idleSince ??= real.performanceNow();
    if (real.performanceNow() - this.#idleSince > EXIT_MS) return true;
    await new Promise((resolve) => real.setTimeout(resolve, 1).unref());
    return false;
  }
}

async function begin(config: RemoteConfig): Promise<void> {
  const socket = connect(config.port, '127.0.0.1');
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!isConnected) return;
  const { base_url = process.env['TASKDOUBLE_BASE_URL'] } = config;
  trackConnections();
  await new Guest(socket, new RequestTracker(() => base_url)).begin(config.token);
}

const given = process.env['TASKDOUBLE_TIME'];
// Threads have no time of their own to be told: what waits for one of them is at work until it answers.
if (given !== undefined && isMainThread) await begin(JSON.parse(given) as RemoteConfig);

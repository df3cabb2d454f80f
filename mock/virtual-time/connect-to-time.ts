import { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { awaitMillisecond, awaitTurn, real } from '../clock/real.js';
import { createRandom } from '../generate/random.js';
import { countBackgroundWork, workPatches } from './background-work.js';
import { setProcessRun, type VirtualTimeRun } from './current-run.js';
import { Patches } from './patches.js';
import { randomPatches } from './random-patches.js';
import {
  type Connection,
  type RemoteConfig,
  receive,
  send,
  type TimeServerMessage,
} from './remote-messages.js';
import { RequestTracker, trackConnections } from './request-tracker.js';
import { SocketTimeouts, socketPatches } from './socket-timeouts.js';
import { timePatches } from './time-patches.js';
import { VirtualClock } from './virtual-clock.js';

/** Environment variable with the configuration of a process. */
export const TIME_VARIABLE = 'TASKDOUBLE_TIME';
/** Turns of the event loop without activity after which this process counts as waiting. */
const QUIET_TURNS = 5;
/** The same limit while immediates are set repeatedly. */
const QUIET_IMMEDIATES = 200;
/** How long a process without open work may take to exit or to start before it counts as waiting, ms of real time. */
const EXIT_MS = 3_000;
/** Longest interval of Node.js, ms. */
const LONGEST_MS = 2 ** 31 - 1;

class TimeClient {
  #run: VirtualTimeRun | undefined;
  /** Number of the latest status request; a newer one replaces it. */
  #latestStatusRequest = 0;
  #isResponding = false;
  /** Since when the process has had no open work. */
  #idleSince: number | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly requests: RequestTracker,
  ) {}

  /** Settles when the time is known. */
  begin({ token, process: name }: RemoteConfig): Promise<void> {
    return new Promise((resolve) => {
      const { connection } = this;
      send(connection, { hello: token, pid: process.pid, process: name });
      receive<TimeServerMessage>(connection, (message) => {
        if ('now' in message) {
          this.#applyTime(message);
          send(connection, { response: message.n });
          resolve();
        } else if ('ask' in message) {
          this.#latestStatusRequest = message.ask;
          if (!this.#isResponding) this.#respond();
        } else if (this.#run) {
          this.#run.clock.now = message.fire;
          // Last: an error in the callback ends this process, as without virtual time.
          this.#run.clock.fireOne();
        }
      });
      connection.once('close', () => resolve());
    });
  }

  #applyTime({ now, seed = '' }: { now: number; seed?: string }): void {
    if (this.#run) {
      this.#run.socketTimeouts.refresh();
      this.#run.clock.now = now;
      return;
    }
    const clock = new VirtualClock(now);
    // A pending timer must keep the process alive.
    const hold = real.setInterval(() => {}, LONGEST_MS).unref();
    clock.onChange = () => (clock.holds ? hold.ref() : hold.unref());
    const { requests } = this;
    const socketTimeouts = new SocketTimeouts(clock);
    const random = createRandom(seed);
    const crash = () => {};
    this.#run = { clock, random, requests, socketTimeouts, isOver: false, responses: 0, crash };
    Patches.apply([workPatches, timePatches, randomPatches, socketPatches]);
    setProcessRun(this.#run);
    this.connection.unref();
  }

  async #respond(): Promise<void> {
    this.#isResponding = true;
    const { clock } = this.#run!;
    await this.#awaitQuiet(clock);
    this.#isResponding = false;
    const next = clock.next();
    const standing = {
      next: next === Infinity ? null : next,
      started: this.requests.started,
      open: this.requests.countOpen(true),
      children: countBackgroundWork().children,
    };
    send(this.connection, { response: this.#latestStatusRequest, standing });
  }

  async #awaitQuiet(clock: VirtualClock): Promise<void> {
    const { requests } = this;
    let seen = 0;
    for (let quiet = 0; ; ) {
      await awaitTurn();
      const activity = clock.changes + requests.changes + this.#latestStatusRequest;
      quiet = activity === seen ? quiet + 1 : 0;
      seen = activity;
      if (quiet < QUIET_TURNS) continue;
      const { tasks, helpers, children, immediates } = countBackgroundWork();
      if (immediates > 0 && quiet < QUIET_IMMEDIATES) continue;
      // A child process reports its own status.
      const isBusy = tasks > 0 || helpers > children || requests.countOpen(false) > 0;
      if (isBusy) await awaitMillisecond();
      else if (clock.holds || children > 0 || requests.countOpen(true) > 0) return;
      else if (await this.#isStillRunning()) return;
      quiet = 0;
    }
  }

  /** Resolves to true for a process that does not exit although it has no open work. */
  async #isStillRunning(): Promise<boolean> {
    this.#idleSince ??= real.performanceNow();
    if (real.performanceNow() - this.#idleSince > EXIT_MS) return true;
    await new Promise((resolve) => real.setTimeout(resolve, 1).unref());
    return false;
  }
}

/** Passes each child process its name: children that start at the same time connect in any order. */
function createChildPatches(config: RemoteConfig): Patches {
  type Spawn = (this: ChildProcess, options?: { envPairs?: string[] }) => unknown;
  let children = 0;
  const patches = new Patches();
  patches.replace(ChildProcess.prototype, 'spawn', (before: Spawn): Spawn => {
    return function (options) {
      const ofChild = { ...config, process: `${config.process}.${++children}` };
      const pairs = options?.envPairs;
      const at = pairs?.findIndex((pair) => pair.startsWith(`${TIME_VARIABLE}=`)) ?? -1;
      if (pairs && at !== -1) pairs[at] = `${TIME_VARIABLE}=${JSON.stringify(ofChild)}`;
      return before.call(this, options);
    };
  });
  return patches;
}

/** Connects this process to its time server, and makes its time virtual. Changes nothing if no server listens. */
export async function connectToTime(config: RemoteConfig): Promise<void> {
  const socket = connect(config.port, '127.0.0.1');
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (isConnected) await followTime(socket, config);
}

/** Makes the time of this process virtual: it follows the time server at the other end of `connection`. */
export async function followTime(connection: Connection, config: RemoteConfig): Promise<void> {
  const { base_url = process.env['TASKDOUBLE_BASE_URL'] } = config;
  trackConnections();
  Patches.apply([createChildPatches(config)]);
  await new TimeClient(connection, new RequestTracker(() => base_url)).begin(config);
}

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { awaitTurn, real } from '../clock/real.js';
import {
  type Connection,
  disconnect,
  type ProcessMessage,
  type ProcessStatus,
  type RemoteConfig,
  receive,
  send,
} from './remote-messages.js';
import { MOST_COUNTED_MS, SETTLE_MS } from './request-tracker.js';
import { type EndReason, type ServiceTime, type TimeLimits, TimePolicy } from './time-policy.js';

export interface RemoteOptions {
  service: ServiceTime;
  patience: TimeLimits;
  /** Seed of the random numbers of the processes; each process draws different ones. Default 1. */
  seed?: string | number;
  /** Base URL of the client; default `TASKDOUBLE_BASE_URL` of its environment. */
  baseUrl?: string;
  /** Longest time until the first process connects, ms of real time. Default 20,000. */
  connectMs?: number;
  /** Longest time that a process may be busy without waiting or sending a request, ms of real time. Default 15,000. */
  busyMs?: number;
}

interface RemoteOutcome {
  ended: EndReason | 'not-virtual';
  /** ms of the virtual clock. */
  at: number;
  /** Why time could not be made virtual. */
  why?: string;
}

interface RemoteTime {
  /** Environment variables that make the time of every Node.js process of the command virtual. */
  env: { NODE_OPTIONS: string; TASKDOUBLE_TIME: string; npm_config_update_notifier: string };
  /** Connects a thread that represents a process of the command and has the other end. */
  connect(port: MessagePort): void;
  /** Settled when the last process has exited (`by-itself`) or a limit is reached. Never rejects. */
  done: Promise<RemoteOutcome>;
  /** Closes the connections. The time of the processes stops then, so end them. */
  close(): Promise<void>;
}

const CONNECT_MS = 20_000;
const BUSY_MS = 15_000;
/** Turns of the event loop between two status requests, before they become less frequent. */
const QUICK_TURNS = 50;

/** Controls the time of a command whose processes are Node.js: opens a port for them on this machine. */
export async function openRemoteTime(options: RemoteOptions): Promise<RemoteTime> {
  const keeper = new RemoteTimeServer(options);
  const port = await keeper.listen();
  const config: RemoteConfig = { port, token: keeper.token, base_url: options.baseUrl, process: '1' };
  const before = process.env['NODE_OPTIONS'];
  return {
    env: {
      NODE_OPTIONS: `${before ? `${before} ` : ''}--import=${resolvePreloadUrl()}`,
      TASKDOUBLE_TIME: JSON.stringify(config),
      // npm requests its registry in real time.
      npm_config_update_notifier: 'false',
    },
    connect: (port) => keeper.accept(port),
    done: keeper.run(),
    close: () => keeper.close(),
  };
}

/** The built preload: Node.js reads no TypeScript, so the sources use the one in dist. */
function resolvePreloadUrl(): string {
  const built = new URL('./preload.js', import.meta.url);
  if (existsSync(fileURLToPath(built))) return built.href;
  return new URL('../../dist/mock/virtual-time/preload.js', import.meta.url).href;
}

interface RemoteProcess {
  readonly connection: Connection;
  readonly pid: number;
  readonly name: string;
  /** Number of the last message that it responded to. */
  lastResponse: number;
  /** Its last reported status. */
  standing: ProcessStatus | undefined;
  /** Number of the last message before its last timer was fired: older reports are out of date. */
  fired: number;
}

class RemoteTimeServer {
  readonly token = randomUUID();
  readonly #policy: TimePolicy;
  #now: number;
  readonly #processes = new Set<RemoteProcess>();
  #connectedCount = 0;
  readonly #names = new Map<string, number>();
  /** Number of the last message that needs a response. */
  #n = 0;
  /** Number of a status request that was sent with another message. */
  #asked: number | undefined;
  /** Accepted difference between the requests that wait in the processes and in the service. */
  #unmatched = 0;
  /** Why a process says that its time cannot be virtual. */
  #notVirtual: string | undefined;
  #wake = () => {};
  #isClosed = false;
  readonly #server = createServer((socket) => this.accept(socket));

  constructor(private readonly options: RemoteOptions) {
    const { service, patience } = options;
    this.#now = service.now();
    this.#policy = new TimePolicy(service, patience);
  }

  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', () => {
        this.#server.unref();
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    for (const { connection } of this.#processes) disconnect(connection);
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async run(): Promise<RemoteOutcome> {
    const { service, connectMs = CONNECT_MS, busyMs = BUSY_MS } = this.options;
    if (!(await this.#awaitCondition(() => this.#connectedCount > 0, connectMs)))
      return this.#fail(
        `no process of the command connected to the virtual time within ${connectMs} ms: check that it runs Node.js`,
      );
    for (;;) {
      const ended = await this.#awaitQuiet(busyMs);
      if (ended) return ended;
      const first = this.#findFirst();
      const move = this.#policy.next(this.#now, first?.standing?.next ?? Infinity);
      if (first && 'whose' in move && move.whose === 'client' && this.#isAlone(first, move.to)) {
        await service.advanceTo(move.to);
        this.#fireAt(first, move.to);
        continue;
      }
      // Before the service advances: a process must have the new time when a response arrives.
      if (!(await this.#setTime(move.to, busyMs))) return this.#fail(this.#describeBusy(busyMs));
      await service.advanceTo(move.to);
      if ('ended' in move) return { ended: move.ended, at: this.#now };
      if (move.whose === 'service' || !first?.standing) continue;
      // Its timer is no longer due, even if its next report still lists it.
      first.standing.next = null;
      first.fired = this.#n;
      send(first.connection, { fire: move.to });
    }
  }

  /** True if nothing but this process can do anything up to this time. */
  #isAlone(process: RemoteProcess, to: number): boolean {
    return this.#connectedCount === 1 && this.#processes.has(process) && this.options.service.next() > to;
  }

  /** Sets the time, fires the first timer and requests the status in one message. */
  #fireAt(process: RemoteProcess, at: number): void {
    this.#now = at;
    const n = ++this.#n;
    process.fired = n;
    process.standing = undefined;
    this.#asked = ++this.#n;
    send(process.connection, { now: at, n }, { fire: at }, { ask: this.#asked });
  }

  /** Accepts a connection once its process has sent the token; closes any other. */
  accept(connection: Connection): void {
    let process: RemoteProcess | undefined;
    receive<ProcessMessage>(connection, (message) => {
      if ('hello' in message && message.hello === this.token) {
        const name = this.#nameProcess(message.process);
        process = { connection, pid: message.pid, name, lastResponse: 0, standing: undefined, fired: 0 };
        this.#connectedCount++;
        this.#processes.add(process);
        const seed = `${this.options.seed ?? 1}, process ${name}`;
        const first = { now: this.#now, n: ++this.#n, seed };
        // A request that was sent to the other processes alone is sent again.
        this.#asked = this.#connectedCount === 1 ? ++this.#n : undefined;
        send(connection, first, ...(this.#asked === undefined ? [] : [{ ask: this.#asked }]));
      } else if (process && 'response' in message) {
        // Time may be set while a report is awaited, which follows then.
        process.lastResponse = Math.max(process.lastResponse, message.response);
        process.standing = message.standing ?? process.standing;
      } else if (process && 'not_virtual' in message) this.#notVirtual ??= String(message.not_virtual);
      else disconnect(connection);
      this.#wake();
    });
    connection.once('close', () => {
      if (process) this.#processes.delete(process);
      this.#wake();
    });
  }

  /** Creates a unique name for each process: a shell between two of them starts several with one name. */
  #nameProcess(process: string): string {
    const before = this.#names.get(process) ?? 0;
    this.#names.set(process, before + 1);
    return before === 0 ? process : `${process}, ${before + 1}`;
  }

  /** The process whose timer is due first; of several, always the same: processes that start at the same time connect in any order. */
  #findFirst(): RemoteProcess | undefined {
    const readNext = ({ standing }: RemoteProcess) => standing?.next ?? Infinity;
    const compare = (one: RemoteProcess, other: RemoteProcess) =>
      readNext(one) - readNext(other) || (one.name < other.name ? -1 : 1);
    return [...this.#processes].sort(compare)[0];
  }

  /** Settles when no process can continue without an event and no message is under way; resolves to the outcome if the run has ended. */
  async #awaitQuiet(busyMs: number): Promise<RemoteOutcome | undefined> {
    const { service } = this.options;
    let since = real.performanceNow();
    /** How long all processes have waited while the numbers of requests differ, ms. */
    let settledMs = 0;
    let wasSame = false;
    let lookedAt = since;
    let arrived = service.countArrived();
    for (let turn = 0; ; turn++) {
      if (this.#isClosed) return { ended: 'aborted', at: this.#now };
      if (this.#notVirtual !== undefined) return this.#fail(this.#notVirtual);
      if (this.#processes.size === 0) return { ended: 'by-itself', at: this.#now };
      if (this.#policy.isHurried()) return undefined;
      if (this.#isKnownToWait()) {
        // The service may do something late.
        await awaitTurn();
        if (this.#isKnownToWait()) return undefined;
      }
      const marks = this.#describeState();
      const haveResponded = await this.#requestStatus(busyMs - (real.performanceNow() - since));
      if (this.#notVirtual !== undefined) continue;
      const time = real.performanceNow();
      if (service.countArrived() !== arrived) {
        arrived = service.countArrived();
        since = time;
      }
      if (time - since > busyMs) return this.#fail(this.#describeBusy(busyMs));
      const isSame = haveResponded && this.#describeState() === marks && !this.#isStarting();
      settledMs = isSame && wasSame ? settledMs + Math.min(time - lookedAt, MOST_COUNTED_MS) : 0;
      wasSame = isSame;
      lookedAt = time;
      if (isSame && this.#isBalanced(settledMs)) return undefined;
      await (turn < QUICK_TURNS ? awaitTurn() : this.#awaitChange(1));
    }
  }

  /** True if the only process has reported that it waits for a time, and no request was sent or came since. */
  #isKnownToWait(): boolean {
    const { service } = this.options;
    const [process] = this.#processes;
    if (this.#connectedCount !== 1 || !process?.standing || process.lastResponse <= process.fired)
      return false;
    const { started, open, children } = process.standing;
    const arrived = service.countArrived();
    return open + children === 0 && started === arrived && arrived === service.countResponded();
  }

  /** Requests the status of every process; true when all have responded to this request. */
  #requestStatus(atMostMs: number): Promise<boolean> {
    const n = this.#asked ?? ++this.#n;
    if (this.#asked === undefined) for (const { connection } of this.#processes) send(connection, { ask: n });
    this.#asked = undefined;
    return this.#awaitResponses(n, atMostMs);
  }

  async #setTime(now: number, atMostMs: number): Promise<boolean> {
    if (now === this.#now) return true;
    this.#now = now;
    const n = ++this.#n;
    for (const { connection } of this.#processes) send(connection, { now, n });
    return (await this.#awaitResponses(n, atMostMs)) || this.#isClosed;
  }

  #awaitResponses(n: number, atMostMs: number): Promise<boolean> {
    // Excludes a process that connects meanwhile.
    const processes = [...this.#processes];
    const hasResponded = (each: RemoteProcess) => each.lastResponse >= n || !this.#processes.has(each);
    return this.#awaitCondition(() => processes.every(hasResponded), atMostMs);
  }

  /**
   * True if the processes and the service agree on the pending requests. After a long enough `waitedMs`, a difference is accepted: a
   * request that was aborted at the last moment, or a response that the client does not read.
   */
  #isBalanced(waitedMs: number): boolean {
    const { service } = this.options;
    const inFlight = service.countArrived() - service.countResponded();
    if (inFlight > service.countWaiting()) return false;
    let unmatched = -inFlight;
    for (const { standing } of this.#processes) unmatched += standing?.open ?? 0;
    if (unmatched !== 0 && unmatched !== this.#unmatched && waitedMs < SETTLE_MS) return false;
    this.#unmatched = unmatched;
    return true;
  }

  /** The state that must not change while the status is collected. */
  #describeState(): string {
    const { service } = this.options;
    return `${service.countArrived()} ${service.countResponded()} ${this.#connectedCount} ${this.#processes.size}`;
  }

  /** True while a process waits for a child process that has not connected yet or has just exited. */
  #isStarting(): boolean {
    return [...this.#processes].every(
      ({ standing }) => standing && standing.children > 0 && !standing.started,
    );
  }

  /** True as soon as `holds` returns true; false after `ms`, or once this is closed or time cannot be virtual. */
  async #awaitCondition(holds: () => boolean, ms: number): Promise<boolean> {
    const latest = real.performanceNow() + ms;
    while (!holds() && !this.#isClosed && this.#notVirtual === undefined && real.performanceNow() < latest)
      await this.#awaitChange(latest - real.performanceNow());
    return holds();
  }

  /** Settles at the next message or connection, at the latest after `ms` of real time. */
  #awaitChange(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = real.setTimeout(resolve, Math.max(1, ms));
      this.#wake = () => {
        real.clearTimeout(timer);
        resolve();
      };
    });
  }

  #describeBusy(ms: number): string {
    if (this.#notVirtual !== undefined) return this.#notVirtual;
    const pids = [...this.#processes].map(({ pid }) => pid).join(', ');
    return `the command (process ${pids}) was busy for longer than ${ms} ms of real time: it computes, or waits where virtual time does not reach, such as in an extension written in C`;
  }

  #fail(why: string): RemoteOutcome {
    return this.#isClosed
      ? { ended: 'aborted', at: this.#now }
      : { ended: 'not-virtual', at: this.#now, why };
  }
}

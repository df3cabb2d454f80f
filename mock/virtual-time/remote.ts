import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Change } from './change.js';
import { nextTurn, real } from './real.js';
import type { RemoteConfig } from './remote-messages.js';
import { acceptProcess, type RemoteProcess } from './remote-process.js';
import { RequestAccounts } from './request-accounts.js';
import type { Ended, Patience, ServiceTime } from './service-time.js';
import { TimePolicy } from './time-policy.js';

export interface RemoteOptions {
  service: ServiceTime;
  patience: Patience;
  /** ms; default what the service's clock shows. */
  startMs?: number;
  /** What the client is given; default `TASKDOUBLE_BASE_URL` of its environment. */
  baseUrl?: string;
  /** Ends the run from outside. */
  signal?: AbortSignal | undefined;
  /** ms of real time until the first process has to be there. Default 20,000. */
  connectMs?: number;
  /** ms of real time that it may be busy without coming to wait for anything or sending a request. Default 15,000. */
  busyMs?: number;
}

export interface RemoteOutcome {
  ended: Ended | 'not-virtual';
  /** ms of the virtual clock. */
  at: number;
  /** Why time could not be made virtual, in words. */
  why?: string;
}

export interface RemoteTime {
  /** For the environment of the command: what makes the time of every Node.js process in it virtual. */
  env: { NODE_OPTIONS: string; TASKDOUBLE_TIME: string; npm_config_update_notifier: string };
  /** Settled when the last process is gone (`by-itself`) or patience with them is over. Never rejects. */
  done: Promise<RemoteOutcome>;
  /** Ends the connections; those processes stand still from then on, so end them. */
  close(): Promise<void>;
}

const CONNECT_MS = 20_000;
const BUSY_MS = 15_000;
/** A process that nothing keeps is waited for this long, ms, to be gone or to begin; it is asked this often. */
const EXIT_MS = 3_000;
const LEAVING_ASK_MS = 3;
/** Turns of the loop between two questions before they become rarer. */
const QUICK_TURNS = 50;

/** Keeps the time of a command whose processes are Node.js: opens a port for them on this machine. */
export async function openRemoteTime(options: RemoteOptions): Promise<RemoteTime> {
  const keeper = new Keeper(options);
  const port = await keeper.listen();
  const config: RemoteConfig = { port, token: keeper.token, base_url: options.baseUrl };
  const before = process.env['NODE_OPTIONS'];
  return {
    env: {
      NODE_OPTIONS: `${before ? `${before} ` : ''}--import=${preloadUrl()}`,
      TASKDOUBLE_TIME: JSON.stringify(config),
      // It asks the registry, in real time.
      npm_config_update_notifier: 'false',
    },
    done: keeper.play(),
    close: () => keeper.close(),
  };
}

/** The built preload: Node.js reads no TypeScript, so from the sources it is the one in dist. */
function preloadUrl(): string {
  const beside = new URL('./preload.js', import.meta.url);
  if (existsSync(fileURLToPath(beside))) return beside.href;
  return new URL('../../dist/mock/virtual-time/preload.js', import.meta.url).href;
}

class Keeper {
  readonly token = randomUUID();
  readonly #policy: TimePolicy;
  readonly #start: number;
  #now: number;
  #processes: RemoteProcess[] = [];
  readonly #accounts: RequestAccounts;
  readonly #change = new Change();
  #ever = 0;
  #n = 0;
  #server: Server;
  #closed = false;
  readonly #unlisten: () => void;

  constructor(private readonly options: RemoteOptions) {
    const { service, patience } = options;
    this.#start = options.startMs ?? service.now();
    this.#now = this.#start;
    this.#policy = new TimePolicy(service, patience, this.#start);
    this.#accounts = new RequestAccounts(service);
    const onChange = this.#change.tell;
    this.#server = createServer((socket) => {
      acceptProcess(socket, this.token, onChange, (process) => {
        this.#ever++;
        this.#processes = [...this.#processes, process];
        process.tell(this.#now, ++this.#n);
        socket.on('close', () => this.#leave(process));
        onChange();
      });
    });
    options.signal?.addEventListener('abort', onChange, { once: true });
    this.#unlisten = () => options.signal?.removeEventListener('abort', onChange);
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
    this.#closed = true;
    this.#unlisten();
    this.#change.tell();
    for (const process of this.#processes) process.end();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async play(): Promise<RemoteOutcome> {
    const { connectMs = CONNECT_MS } = this.options;
    const latest = real.performanceNow() + connectMs;
    while (this.#ever === 0) {
      if (this.#isAborted()) return this.#outcome('aborted');
      if (real.performanceNow() > latest)
        return this.#fail(
          `no process of the command asked for its time within ${connectMs} ms: is it Node.js?`,
        );
      await this.#change.next(latest - real.performanceNow());
    }
    for (;;) {
      const ended = await this.#untilCalm();
      if (ended) return ended;
      const move = this.#policy.next(this.#now, Math.min(...this.#processes.map(({ next }) => next)));
      const told = await this.#tell(move.to);
      if (told) return told;
      await this.options.service.advanceTo(move.to);
      if ('ended' in move) return this.#outcome(move.ended);
      if (move.whose === 'client') this.#first(move.to)?.fire(move.to);
    }
  }

  /** The process whose timer is due first; of several the one that came first. */
  #first(at: number): RemoteProcess | undefined {
    let first: RemoteProcess | undefined;
    for (const process of this.#processes) if (process.next < (first?.next ?? Infinity)) first = process;
    return first && first.next <= at ? first : undefined;
  }

  /** Settles when no process can do anything more by itself and nothing is on its way; gives the end where it is one. */
  async #untilCalm(): Promise<RemoteOutcome | undefined> {
    const { service, busyMs = BUSY_MS } = this.options;
    let since = real.performanceNow();
    /** When everybody first stood still with something that cannot be accounted for. */
    let settling: number | undefined;
    /** The same with a process that nothing keeps: it is about to end, or its program is only being loaded. */
    let leavingSince: number | undefined;
    let arrived = service.arrived();
    for (let turn = 0; ; turn++) {
      if (this.#isAborted()) return this.#outcome('aborted');
      if (this.#processes.length === 0) return this.#outcome('by-itself');
      if (this.#policy.isHurried()) return undefined;
      const marks = this.#marks();
      const asked = await this.#ask(busyMs - (real.performanceNow() - since));
      const time = real.performanceNow();
      if (service.arrived() !== arrived) {
        arrived = service.arrived();
        since = time;
      }
      if (time - since > busyMs) return this.#fail(this.#busyWith(busyMs));
      const same = asked && this.#marks() === marks && !this.#isStarting() && !this.#accounts.serviceWorks();
      settling = same ? (settling ?? time) : undefined;
      if (settling !== undefined && this.#accounts.balance(this.#processes, time - settling)) {
        const leaving = this.#processes.filter(({ standing, lingers }) => !standing?.holds && !lingers);
        if (leaving.length === 0) return undefined;
        leavingSince ??= time;
        if (time - leavingSince > EXIT_MS) for (const each of leaving) each.lingers = true;
        await this.#change.next(LEAVING_ASK_MS);
        continue;
      }
      leavingSince = undefined;
      await (turn < QUICK_TURNS ? nextTurn() : this.#change.next(1));
    }
  }

  /** Asks every process how it stands; true when all have answered to this very question. */
  async #ask(atMostMs: number): Promise<boolean> {
    const n = ++this.#n;
    for (const process of this.#processes) process.ask(n);
    // One that comes meanwhile has not been asked.
    const asked = this.#processes;
    return this.#until(() => asked.every((each) => each.answered >= n || each.isGone), atMostMs);
  }

  /** Tells every process the time, and waits until it is known: answers that leave now must find it there. */
  async #tell(now: number): Promise<RemoteOutcome | undefined> {
    if (now === this.#now) return undefined;
    this.#now = now;
    const n = ++this.#n;
    for (const process of this.#processes) process.tell(now, n);
    const { busyMs = BUSY_MS } = this.options;
    const told = this.#processes;
    const known = await this.#until(() => told.every((each) => each.told >= n || each.isGone), busyMs);
    return known || this.#isAborted() ? undefined : this.#fail(this.#busyWith(busyMs));
  }

  /** Everything that must not change while the processes are asked. */
  #marks(): string {
    return `${this.#accounts.marks()} ${this.#ever} ${this.#processes.length}`;
  }

  /** Processes that wait for others of which none has come yet, or is gone already, are about to go on. */
  #isStarting(): boolean {
    return this.#processes.every(({ isWrapper }) => isWrapper);
  }

  #leave(process: RemoteProcess): void {
    process.isGone = true;
    this.#processes = this.#processes.filter((each) => each !== process);
    this.#accounts.leave(process);
    this.#change.tell();
  }

  #until(holds: () => boolean, atMostMs: number): Promise<boolean> {
    return this.#change.until(holds, atMostMs, () => this.#isAborted());
  }

  #isAborted(): boolean {
    return this.#closed || this.options.signal?.aborted === true;
  }

  #busyWith(ms: number): string {
    const pids = this.#processes.map(({ pid }) => pid).join(', ');
    return `the command (process ${pids}) did not come to wait for anything within ${ms} ms of real time`;
  }

  #fail(why: string): RemoteOutcome {
    return { ended: 'not-virtual', at: this.#now, why };
  }

  #outcome(ended: Ended): RemoteOutcome {
    return { ended, at: this.#now };
  }
}

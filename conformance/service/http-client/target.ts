import { setTimeout } from 'node:timers/promises';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Needs } from '../needs/needs.js';
import type { KeyName } from '../test-case/test-case.js';

/** Time as a run of the suite sees it: real, or moved by hand together with a mock's. */
export interface Clock {
  /** ms. */
  now(): number;
  /** Resolves after `ms`, at once when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }).catch(() => {}),
};

export type Keys = Readonly<Partial<Record<KeyName, string>>>;

export type FetchFunction = (input: string, init?: RequestInit) => Promise<Response>;

/** The service that is judged, and how it is reached. */
export interface ServiceTarget {
  /** `{base_url}` of the API: paths below it are `/api/v1/...`. */
  baseUrl: string;
  fetch: FetchFunction;
  clock: Clock;
  keys: Keys & { main: string };
  /** For one request, ms; polls get as long as a service may hold them (`poll.long-poll`). Infinity: `fetch` knows when to give up. */
  requestTimeoutMs: number;
  /** Shared by all who send to it. */
  paces?: Paces;
  /** What it needs of requests beyond what the API states, as far as refusals have shown it. */
  needs?: Needs;
  /** How long a new task is left alone before anything is asked of it, ms: this target knows it that late. */
  lagMs?: number;
  /** Set once a connection broke before a response: from then on each request opens its own. */
  closesConnections?: boolean;
  /** A response had a `content-encoding` that was not so: responses are read as they are sent. */
  sendsWrongCodings?: boolean;
  /** What it does not have, by names that `lacks` takes. */
  lacks?: ReadonlySet<string>;
  /** Operations whose last request was refused for as long as a request waits. */
  refused?: Set<OperationId>;
}

/** Shortest and longest time between two requests once a limit has been met, ms. */
const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 1000;
/** How much it grows with a limit that is met, and shrinks with each request that meets none: one in a hundred slows no run. */
const GROWTH = 1.5;
const RECOVERY = 0.995;
/** Requests that were under way together meet one limit, not many, ms. */
const TOGETHER_MS = 250;

/** How fast requests that share a limit may be sent: at once, until it is met; then all wait in one queue, a gap apart. */
class Pace {
  #gap = 0;
  #next = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;

  get isSlowed(): boolean {
    return this.#gap > 0;
  }

  async waitTurn(clock: Clock, signal?: AbortSignal): Promise<void> {
    if (this.#gap === 0) return;
    const now = clock.now();
    const at = Math.max(now, this.#next);
    this.#next = at + this.#gap;
    if (at > now) await clock.sleep(at - now, signal);
  }

  slowDown(clock: Clock): void {
    const now = clock.now();
    if (now - this.#slowedAt < TOGETHER_MS + this.#gap) return;
    this.#slowedAt = now;
    this.#gap = Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, this.#gap * GROWTH));
  }

  speedUp(): void {
    this.#gap = this.#gap < FIRST_GAP_MS / 2 ? 0 : this.#gap * RECOVERY;
  }
}

/** Operations that start a task. How many run at a time may be limited, whatever the rate. */
const STARTING: readonly OperationId[] = ['createTask', 'createChatTask', 'createMessage', 'triggerWebhook'];

/**
 * Limits are kept apart: requests of one key do not slow those of another or without one, nor does a full house of tasks. What a limit
 * is about shows in what meets it: it is one of a path until another path of the operation meets one too, meanwhile or at once after, and one of
 * the operation until another operation does.
 */
export class Paces {
  /** Of paths, operations and owners that have met a limit. */
  readonly #paces = new Map<string, Pace>();
  /** Which narrower part has met a limit last, and until when it waits that out. */
  readonly #met = new Map<string, { by: string; until: number }>();
  readonly #waiting: (() => void)[] = [];
  #isSlowed = false;

  /** `onSlow` is called once, with the time that the first limit of the main key is waited out, ms. */
  constructor(private readonly onSlow: (pauseMs: number) => void = () => {}) {}

  /** `owner`: whose key. Undefined for what starts a task: it waits until another one is over. */
  findPace(operation: OperationId, owner: string, path: string): RequestPace | undefined {
    if (STARTING.includes(operation)) return undefined;
    const parts = [`${owner} ${operation} ${path}`, `${owner} ${operation}`, owner];
    const listPaces = () => parts.flatMap((part) => this.#paces.get(part) ?? []);
    return {
      waitTurn: async (clock, signal) => {
        for (const pace of listPaces()) await pace.waitTurn(clock, signal);
      },
      slowDown: (clock, pauseMs) => {
        if (owner === 'main' && !this.#isSlowed) {
          this.#isSlowed = true;
          this.onSlow(pauseMs);
        }
        this.#findWidestPace(parts, clock.now(), pauseMs).slowDown(clock);
      },
      speedUp: () => {
        for (const pace of listPaces()) pace.speedUp();
      },
    };
  }

  get isSlowed(): boolean {
    return this.#isSlowed;
  }

  #findWidestPace(parts: readonly string[], now: number, pauseMs: number): Pace {
    let widest = parts[0]!;
    for (const [at, part] of parts.entries()) {
      const by = parts[at - 1];
      if (by === undefined) continue;
      const before = this.#met.get(part);
      const isShared = before !== undefined && before.by !== by && now < before.until;
      if (isShared || this.#paces.get(part)?.isSlowed) widest = part;
      this.#met.set(part, { by, until: now + pauseMs + TOGETHER_MS });
    }
    const pace = this.#paces.get(widest) ?? new Pace();
    this.#paces.set(widest, pace);
    return pace;
  }

  /** A task is over: what waits longest to start one is sent again. */
  release(): void {
    this.#waiting.shift()?.();
  }

  /** Until a task is over, for so long at most. */
  async waitForRelease(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
    const stop = new AbortController();
    let wake = () => {};
    const released = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.push(wake);
    const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    await Promise.race([released, clock.sleep(ms, both)]);
    stop.abort();
    const at = this.#waiting.indexOf(wake);
    if (at >= 0) this.#waiting.splice(at, 1);
  }
}

/** The pace of what a request may share a limit with. */
interface RequestPace {
  waitTurn(clock: Clock, signal?: AbortSignal): Promise<void>;
  /** It met a limit that it waits out for so long. */
  slowDown(clock: Clock, pauseMs: number): void;
  /** It met none. */
  speedUp(): void;
}

/** Longest that a service holds a poll, and time to answer it, ms. */
export const POLL_TIMEOUT_MS = 40_000;

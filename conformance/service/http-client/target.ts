import { setTimeout } from 'node:timers/promises';
import type { OperationId } from '../../../spec/generated/operations.js';
import type { Needs } from '../needs/needs.js';
import type { KeyName } from '../test-case/test-case.js';

/** The clock of a run: real, or advanced together with that of a mock. */
export interface Clock {
  /** ms. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal && { signal }).catch(() => {}),
};

export type Keys = Readonly<Partial<Record<KeyName, string>>>;

export type FetchFunction = (input: string, init?: RequestInit) => Promise<Response>;

/** The service under test, and how to reach it. */
export interface ServiceTarget {
  /** `{base_url}` of the API: its paths begin with `/api/v1/`. */
  baseUrl: string;
  fetch: FetchFunction;
  clock: Clock;
  keys: Keys & { main: string };
  /**
   * Timeout per request, ms; polls get the longest duration of a long poll (`poll.long-poll`). Infinity: `fetch` has its own
   * timeout.
   */
  requestTimeoutMs: number;
  /** Shared by all clients of the target. */
  paces?: Paces;
  /** Fields that it needs in requests beyond the API description, learned from refusals. */
  needs?: Needs;
  /** Delay before the first request about a new task, ms, for a target that knows new tasks late. */
  lagMs?: number;
  /** Set once a connection broke before a response: from then on each request opens a new one. */
  closesConnections?: boolean;
  /** A response had a wrong `content-encoding`: bodies are no longer decoded. */
  sendsWrongCodings?: boolean;
  /** Features it does not have, by names that `lacks` accepts. */
  lacks?: ReadonlySet<string>;
  /** Operations whose last request was refused until its waiting time was used up. */
  refused?: Set<OperationId>;
}

/** Shortest and longest gap between two requests after a rate limit, ms. */
const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 1000;
/** Factors of the gap after a limit and after an unlimited request: one limit in a hundred requests does not slow down a run. */
const GROWTH = 1.5;
const RECOVERY = 0.995;
/** Concurrent requests count as one limit within this time, ms. */
const TOGETHER_MS = 250;

/** The rate of requests that share a limit: unlimited until the first 429, then one queue with a gap. */
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

/** Operations that start a task. Their concurrency may be limited at any rate. */
const STARTING: readonly OperationId[] = ['createTask', 'createChatTask', 'createMessage', 'triggerWebhook'];

/**
 * Keeps a separate pace per limit: requests of one key do not slow down those of another or without a key, nor does a limit of
 * concurrent tasks. The scope of a limit is inferred: a path first; the operation once another path of it is limited at the same
 * time or soon after; the key once another operation is.
 */
export class Paces {
  /** By path, operation and owner that was limited. */
  readonly #paces = new Map<string, Pace>();
  /** The narrower scope that was limited last, and the end of its wait. */
  readonly #met = new Map<string, { by: string; until: number }>();
  readonly #waiting: (() => void)[] = [];
  #isSlowed = false;

  /** `onSlow` is called once, with the waiting time of the first limit of the main key, ms. */
  constructor(private readonly onSlow: (pauseMs: number) => void = () => {}) {}

  /** `owner`: the name of the key. Returns undefined for operations that start a task: they wait for the end of another task. */
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

  /** A task has ended: the longest waiting task creation is retried. */
  release(): void {
    this.#waiting.shift()?.();
  }

  /** Resolves when a task ends, at the latest after `ms`. */
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

/** The pace of all requests that may share a limit with this one. */
interface RequestPace {
  waitTurn(clock: Clock, signal?: AbortSignal): Promise<void>;
  /** The request was limited and waits for `pauseMs`. */
  slowDown(clock: Clock, pauseMs: number): void;
  /** The request was not limited. */
  speedUp(): void;
}

/** Longest duration of a long poll, plus time to respond, ms. */
export const POLL_TIMEOUT_MS = 40_000;

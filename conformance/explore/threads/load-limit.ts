import { availableParallelism } from 'node:os';
import { watchLateness } from '../../../mock/clock/lateness.js';
import type { SearchTools } from '../search-tools.js';

/** Most runs at the same time for each core: a client in real time is idle most of the time. The fewest are one for each. */
const MOST_FOR_CORE = 16;
/** Samples for one decision. */
const SAMPLES = 6;
/** Mean lateness of timers up to which one more run is allowed, and from which a quarter less are, ms. */
const LATENESS_MS = { low: 8, high: 25 };

/** The number of runs that the machine carries at the same time, by the lateness of timers: late timers change what a client does. */
export class LoadLimit {
  readonly most: number;
  readonly #fewest: number;
  #allowed: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #samples: number[] = [];

  constructor(cores: number) {
    this.#fewest = Math.max(2, cores);
    this.most = MOST_FOR_CORE * cores;
    this.#allowed = this.#fewest;
  }

  get allowed(): number {
    return this.#allowed;
  }

  /** Waits until another run is allowed. */
  async run<R>(act: () => Promise<R>): Promise<R> {
    if (this.#running < this.#allowed) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await act();
    } finally {
      this.#running--;
      this.#startWaiting();
    }
  }

  /** A timer was late by this time, ms. */
  observe(lateness_ms: number): void {
    this.#samples.push(lateness_ms);
    if (this.#samples.length < SAMPLES) return;
    const mean = this.#samples.reduce((sum, each) => sum + each, 0) / SAMPLES;
    this.#samples = [];
    if (mean > LATENESS_MS.high) this.#allowed = Math.max(this.#fewest, Math.floor(this.#allowed * 0.75));
    // Runs that are allowed and not made show nothing about more.
    else if (mean < LATENESS_MS.low && this.#running >= this.#allowed)
      this.#allowed = Math.min(this.most, this.#allowed + 1);
    this.#startWaiting();
  }

  #startWaiting(): void {
    const starting = this.#waiting.splice(0, Math.max(0, this.#allowed - this.#running));
    this.#running += starting.length;
    for (const start of starting) start();
  }
}

/** Tools that run as many schedules at the same time as the machine carries, up to `jobs`. */
export function limitByLoad(tools: SearchTools): { tools: SearchTools; jobs: number } {
  const limit = new LoadLimit(availableParallelism());
  const stopWatching = watchLateness((lateness_ms) => limit.observe(lateness_ms));
  const play: SearchTools['play'] = (scenario, signal) => limit.run(() => tools.play(scenario, signal));
  const close = async () => {
    stopWatching();
    await tools.close();
  };
  return { tools: { ...tools, play, close }, jobs: limit.most };
}

import { followsWall, MANUAL_START_MS } from '../engine/clock.js';
import type { MockService } from '../service.js';
import { type ClockChange, type ClockView, changeClocks, settle, viewClock } from './clock-change.js';
import { MockError } from './mock-error.js';

/**
 * The clocks of a mock's organisations, one each. With a key it is about the organisation that this API key opens (and
 * opens it), without one about all there are.
 */
export class MockClock {
  readonly #service: MockService;

  constructor(service: MockService) {
    this.#service = service;
  }

  /**
   * Time of an organisation, ms. Without a key that of the only one there is; before any is opened the time they start
   * at. Throws MockError when there are several and no key says which.
   */
  now(key?: string): number {
    const clocks = this.view(key);
    if (clocks.length === 1) return clocks[0]!.now;
    if (clocks.length > 1) {
      throw new MockError(
        'invalid',
        `There are ${clocks.length} organisations, each with a clock of its own: give the key of one.`,
      );
    }
    const { clock = 'real', startMs, wall = Date.now } = this.#service.options;
    return startMs ?? (followsWall(clock) ? wall() : MANUAL_START_MS);
  }

  /** What time it is in each organisation, how its clock goes and when something happens next. */
  view(key?: string): ClockView[] {
    return this.#service.organisations.select(key).map(viewClock);
  }

  /**
   * Changes clocks and returns when everything that came due has happened, in order. Each organisation's time is its
   * own: `advance` moves each by so much, `to: 'next'` each to its own next due work. Without a key, `mode`, `speed` and
   * `pause` also hold for organisations that are opened later.
   */
  async set(change: ClockChange, key?: string): Promise<ClockView[]> {
    const { organisations } = this.#service;
    const selected = organisations.select(key);
    await changeClocks(this.#service, selected, change, key === undefined);
    return selected.map(viewClock);
  }

  /**
   * Moves on by a duration (`300ms`, `5m`) or ms; returns when everything that came due has happened, in order. Calls of
   * `fetch` that were made before, awaited or not, are handled before time moves.
   */
  async advance(by: string | number, key?: string): Promise<void> {
    await settle();
    await this.set({ advance: by }, key);
  }

  /** Moves each to its own next due work; stays where nothing is due. */
  async next(key?: string): Promise<void> {
    await settle();
    await this.set({ to: 'next' }, key);
  }

  /** How many times as fast as real a real clock goes. */
  async setSpeed(times: number, key?: string): Promise<void> {
    await this.set({ speed: times }, key);
  }

  async pause(key?: string): Promise<void> {
    await this.set({ pause: true }, key);
  }

  /** Goes on as before `pause`. */
  async resume(key?: string): Promise<void> {
    await this.set({ pause: false }, key);
  }

  /**
   * Keeps skipping clocks from jumping while a test is busy with something that the mock cannot see. Returns what ends
   * it; calling that twice does no harm.
   */
  busy(key?: string): () => void {
    const service = this.#service;
    const { organisations } = service;
    const held = key === undefined ? [...organisations.all()] : [organisations.open(key)];
    for (const organisation of held) organisation.locks++;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      for (const organisation of held) {
        organisation.locks--;
        service.goOn(organisation);
      }
    };
  }
}

import { parseDuration } from '../../spec/duration.js';
import * as s from '../../spec/json-schema/build-schema.js';
import { assertValid, createInvalidValue } from '../../spec/json-schema/violations.js';
import {
  CLOCK_MODES,
  type ClockMode,
  type ClockSettings,
  isWallBased,
  MANUAL_START_MS,
} from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import { listPendingWork } from '../engine/snapshot/snapshot.js';
import { MockError } from '../exchange/errors.js';
import type { ServedOrganisation } from '../pipeline/organisations.js';
import type { MockService } from '../service.js';
import { type DueWorkView, viewDueWork } from './due-work.js';

export interface ClockView {
  organisation: string;
  /** ms. */
  now: number;
  iso: string;
  mode: ClockMode;
  speed: number;
  /** When the next planned event happens, ms; null if nothing is planned. */
  nextDue: number | null;
  /** Number of planned events. */
  pending: number;
  /** Number of requests without a response so far. */
  inFlight: number;
  /** How many of these wait for a time or an event. */
  held: number;
}

/** How to change a clock. All given parts apply: first mode, pause and speed, then the movement. */
export interface ClockChange {
  mode?: ClockMode;
  /** Factor of real time, from 0.001 to 1,000,000. A clock that does not follow real time keeps it for later. */
  speed?: number;
  /** True stops the clock (mode `manual`), false restores the mode before. */
  pause?: boolean;
  /** A duration (`5m`, `300ms`), or ms. */
  advance?: string | number;
  /** `next`: the next due work; a number: this time, ms. */
  to?: 'next' | number;
}

const changeSchema = s.fields(
  {
    mode: s.optional(s.oneOf(...CLOCK_MODES)),
    speed: s.optional(s.number(0.001, 1_000_000)),
    pause: s.optional(s.bool),
    advance: s.optional(s.anything),
    to: s.optional({
      anyOf: [{ const: 'next' }, s.instant],
      'x-expected': `"next", or a time: a whole number of ms from 0 to ${s.LATEST_MS}`,
    }),
  },
  true,
);

/**
 * The clocks of a mock's organisations, one each. With a key, methods concern the organisation of this API key (and open it); without one,
 * all existing organisations.
 */
export class MockClock {
  readonly #service: MockService;

  constructor(service: MockService) {
    this.#service = service;
  }

  /**
   * Time of an organisation, ms. Without a key, the time of the only organisation, or the start time if none is open. Throws MockError
   * without a key if there are several.
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
    return startMs ?? (isWallBased(clock) ? wall() : MANUAL_START_MS);
  }

  /** The time of each organisation, the settings of its clock, and its next planned event. */
  view(key?: string): ClockView[] {
    return this.#service.organisations.select(key).map(viewClock);
  }

  /** What is due in each open organisation, and the first time-out that would end a task. */
  due(key?: string): DueWorkView[] {
    return this.#service.organisations.selectOpen(key).map(viewDueWork);
  }

  /**
   * Changes clocks. Resolves when all work that became due is done, in order. Each organisation has its own time: `advance` moves each
   * clock by the same duration, `to: 'next'` moves each to its own next due work. Without a key, `mode`, `speed` and `pause` also apply to
   * organisations that are opened later. Rejects with InvalidValue or MockError before any clock has changed.
   */
  async set(change: ClockChange, key?: string): Promise<ClockView[]> {
    return (await this.#change(change, key)).map(viewClock);
  }

  async #change(change: ClockChange, key: string | undefined): Promise<ServedOrganisation[]> {
    checkChange(change);
    const { organisations, wakeUpTimer } = this.#service;
    const selected = organisations.select(key);
    for (const organisation of selected) findTargetTime(organisation, change);
    const start = organisations.initialClock.mode;
    if (key === undefined) organisations.clock = changeSettings(organisations.clock, change, start);
    for (const organisation of selected) {
      const target = findTargetTime(organisation, change);
      organisation.clock.set(changeSettings(organisation.clock, change, start));
      if (target !== undefined) await moveTo(organisation, target);
      wakeUpTimer.arm(organisation);
    }
    return selected;
  }

  /**
   * Advances by a duration (`300ms`, `5m`) or ms. Resolves when all work that became due is done, in order. Earlier calls of `fetch`,
   * awaited or not, are handled before time moves.
   */
  async advance(by: string | number, key?: string): Promise<void> {
    await flushMicrotasks();
    await this.#change({ advance: by }, key);
  }

  async next(key?: string): Promise<void> {
    await flushMicrotasks();
    await this.#change({ to: 'next' }, key);
  }

  /**
   * Keeps skipping clocks from jumping while a test does work that the mock cannot observe. Returns a function that ends this; calling it
   * twice is safe.
   */
  busy(key?: string): () => void {
    const { organisations } = this.#service;
    const held = key === undefined ? [...organisations.values()] : [organisations.open(key)];
    for (const organisation of held) organisation.locks++;
    return () => {
      for (const organisation of held.splice(0)) {
        organisation.locks--;
        this.#service.advanceIfIdle(organisation);
      }
    };
  }
}

function checkChange(change: ClockChange): void {
  assertValid(changeSchema, change);
  const { advance, to, mode, pause } = change;
  if (mode !== undefined && pause !== undefined)
    throw new MockError('invalid', 'mode and pause both set how the clock runs: give one of them.');
  if (advance !== undefined && to !== undefined)
    throw new MockError('invalid', 'advance and to both set the target time: give one of them.');
  if (advance !== undefined && parseDuration(advance) === undefined)
    throw createInvalidValue(
      'advance',
      'a duration such as 300ms, 2s, 5m, 1h or 32d, or a number of ms',
      advance,
    );
}

export function viewClock(organisation: ServedOrganisation): ClockView {
  organisation.catchUp();
  const { name, now, clock, schedule } = organisation;
  const next = schedule.next();
  const wakeUps = schedule.listPending().filter(({ work }) => typeof work === 'function');
  return {
    organisation: name,
    now,
    iso: new Date(now).toISOString(),
    mode: clock.mode,
    speed: clock.speed,
    nextDue: next === Infinity ? null : next,
    pending: listPendingWork(organisation).length + wakeUps.length,
    inFlight: organisation.inFlight,
    held: organisation.network.waiting + organisation.waiting,
  };
}

/** The target time of a change, ms; undefined without a movement or due work. Throws MockError for a time out of range. */
function findTargetTime(organisation: Organisation, { advance, to }: ClockChange): number | undefined {
  const { now, schedule } = organisation;
  if (to === 'next') return schedule.next() === Infinity ? undefined : Math.max(schedule.next(), now);
  const target = advance === undefined ? to : now + parseDuration(advance)!;
  if (target === undefined) return undefined;
  if (target > s.LATEST_MS)
    throw new MockError('invalid', `The time is out of range: ${target} ms is beyond the year 275760.`);
  if (target >= now) return target;
  const message = `It is ${now} already: a clock cannot go back to ${target}. Restore a state instead.`;
  throw new MockError('invalid', message);
}

/** `start`: the mode at the start of the mock, which applies if a clock is resumed that was never paused. */
function changeSettings(before: ClockSettings, change: ClockChange, start: ClockMode): ClockSettings {
  const { mode, pause } = change;
  const speed = change.speed ?? before.speed;
  if (mode !== undefined) return { mode, speed, pausedFrom: undefined };
  if (pause === true && before.mode !== 'manual') return { mode: 'manual', speed, pausedFrom: before.mode };
  if (pause === false) return { mode: before.pausedFrom ?? start, speed, pausedFrom: undefined };
  return { mode: before.mode, speed, pausedFrom: before.pausedFrom };
}

/**
 * Moves to `target` (ms), from one due work to the next, so that held and delayed requests continue at their own time. Resolves when all
 * due work is done and its clients have continued.
 */
async function moveTo(organisation: Organisation, target: number): Promise<void> {
  // The script of an earlier action runs at the time before the move.
  while (organisation.script) {
    await organisation.script;
    await flushMicrotasks();
  }
  while (organisation.inFlight > 0 && organisation.schedule.next() <= target) {
    organisation.advanceToNext();
    await flushMicrotasks();
  }
  organisation.advanceTo(target);
  if (organisation.inFlight > 0) await flushMicrotasks();
}

/** Microtasks between a response of the mock and the client's next request. */
const MICROTASK_TURNS = 50;

/** Lets clients continue whose requests were just released. */
export async function flushMicrotasks(): Promise<void> {
  for (let link = 0; link < MICROTASK_TURNS; link++) await undefined;
}

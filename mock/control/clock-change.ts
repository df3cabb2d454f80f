import { parseDuration } from '../../scenarios/format/duration.js';
import {
  anything,
  bool,
  fields,
  instant,
  LATEST_MS,
  number,
  oneOf,
  optional,
} from '../../spec/json-schema/build-schema.js';
import { assertValid, invalidValue } from '../../spec/json-schema/violations.js';
import { CLOCK_MODES, type ClockMode, type ClockSettings } from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import { pendingWork } from '../engine/snapshot/snapshot.js';
import type { MockService } from '../service.js';
import { MockError } from './mock-error.js';

/** Slowest and fastest that a real clock can be made to go. */
const MIN_SPEED = 0.001;
const MAX_SPEED = 1_000_000;

/** The clock of one organisation as people see it. */
export interface ClockView {
  organisation: string;
  /** ms. */
  now: number;
  iso: string;
  mode: ClockMode;
  speed: number;
  /** When something will happen next, ms; null when nothing is planned. */
  nextDue: number | null;
  /** Things that time will bring. */
  pending: number;
}

/** How to change a clock. All given parts are done: mode, pause and speed first, then the way ahead. */
export interface ClockChange {
  mode?: ClockMode;
  /** Times as fast as real, for mode `real`. */
  speed?: number;
  /** True stops the clock (mode `manual`), false lets it go on as it was before. */
  pause?: boolean;
  /** A duration (`5m`, `300ms`), or ms. */
  advance?: string | number;
  /** `next`: the next due work; a number: this time, ms. */
  to?: 'next' | number;
}

const changeSchema = fields(
  {
    mode: optional(oneOf(...CLOCK_MODES)),
    speed: optional(number(MIN_SPEED, MAX_SPEED)),
    pause: optional(bool),
    advance: optional(anything),
    to: optional({
      anyOf: [{ const: 'next' }, instant],
      'x-expected': `"next", or a time: a whole number of ms from 0 to ${LATEST_MS}`,
    }),
  },
  true,
);

/** Throws InvalidValue or MockError when the given change makes no sense. */
function checkChange(change: ClockChange): void {
  assertValid(changeSchema, change);
  const { advance, to, mode, pause } = change;
  if (Object.values(change).every((given) => given === undefined)) {
    throw new MockError(
      'invalid',
      'There is nothing to change: give advance ("5m"), to ("next" or a time in ms), speed, pause (true or false) or mode (real, manual, skipping, eager).',
    );
  }
  if (mode !== undefined && pause !== undefined)
    throw new MockError('invalid', 'mode and pause both say how the clock goes on: give one of them.');
  if (advance !== undefined && to !== undefined)
    throw new MockError('invalid', 'advance and to both say where the clock goes: give one of them.');
  if (advance !== undefined && parseDuration(advance) === undefined)
    throw invalidValue('advance', 'a duration such as 300ms, 2s, 5m, 1h or 32d, or a number of ms', advance);
}

export function viewClock(organisation: Organisation): ClockView {
  const { name } = organisation;
  organisation.catchUp();
  const { mode, speed } = organisation.clock;
  const next = organisation.schedule.next();
  return {
    organisation: name,
    now: organisation.now,
    iso: new Date(organisation.now).toISOString(),
    mode,
    speed,
    nextDue: next === Infinity ? null : next,
    pending:
      pendingWork(organisation).length +
      organisation.schedule.pending().filter(({ work }) => typeof work === 'function').length,
  };
}

/**
 * Where a change leads, ms; undefined where it leads nowhere or nothing is due. Throws MockError when no clock can show
 * that time.
 */
function targetOf(organisation: Organisation, { advance, to }: ClockChange): number | undefined {
  if (to === 'next') {
    const next = organisation.schedule.next();
    return next === Infinity ? undefined : Math.max(next, organisation.now);
  }
  const target = advance === undefined ? to : organisation.now + parseDuration(advance)!;
  if (target === undefined) return undefined;
  if (target > LATEST_MS) {
    throw new MockError('invalid', `No clock goes that far: ${target} ms is beyond the year 275760.`);
  }
  if (target < organisation.now) {
    throw new MockError(
      'invalid',
      `It is ${organisation.now} already: a clock never goes back to ${target}. Restore a state instead.`,
    );
  }
  return target;
}

/**
 * Moves to `target` (ms), from one due work to the next, so that held and delayed requests continue at their own time. Resolves when all
 * due work is done and its clients have continued.
 */
async function moveTo(organisation: Organisation, target: number): Promise<void> {
  while (organisation.inFlight > 0 && organisation.schedule.next() <= target) {
    organisation.advanceToNext();
    await settle();
  }
  organisation.advanceTo(target);
  if (organisation.inFlight > 0) await settle();
}

/** Microtasks between a response of the mock and the client's next request. */
const LINKS = 50;

/** Lets clients continue whose requests were just released. */
export async function settle(): Promise<void> {
  for (let link = 0; link < LINKS; link++) await undefined;
}

/**
 * Changes the clocks of these organisations. `forAll`: mode, speed and pause also apply to organisations that are opened later.
 * Throws InvalidValue or MockError before any clock has changed.
 */
export async function changeClocks(
  { organisations, wakeUpTimer }: MockService,
  selected: readonly Organisation[],
  change: ClockChange,
  forAll: boolean,
): Promise<void> {
  checkChange(change);
  const start = organisations.initialClock.mode;
  for (const organisation of selected) targetOf(organisation, change);
  const clocks = selected.map((organisation) => organisation.clock);
  if (change.speed !== undefined)
    for (const clock of clocks.length > 0 ? clocks : [organisations.clock]) checkSpeed(clock, change, start);
  if (forAll) organisations.clock = changeSettings(organisations.clock, change, start);
  for (const organisation of selected) {
    const target = targetOf(organisation, change);
    const { clock } = organisation;
    clock.set(changeSettings(clock, change, start));
    if (target !== undefined) await moveTo(organisation, target);
    wakeUpTimer.wake(organisation);
  }
}

/** `start`: the mode that the mock was started with, which resuming a clock that was never paused leads to. */
function changeSettings(before: ClockSettings, change: ClockChange, start: ClockMode): ClockSettings {
  const { mode, pause } = change;
  const speed = change.speed ?? before.speed;
  if (mode !== undefined) return { mode, speed, pausedFrom: undefined };
  if (pause === true && before.mode !== 'manual') return { mode: 'manual', speed, pausedFrom: before.mode };
  if (pause === false) return { mode: before.pausedFrom ?? start, speed, pausedFrom: undefined };
  return { mode: before.mode, speed, pausedFrom: before.pausedFrom };
}

/** Throws MockError where the clock will have no speed. A paused clock has the speed of its own mode. */
function checkSpeed(before: ClockSettings, change: ClockChange, start: ClockMode): void {
  const { mode, pausedFrom = mode } = changeSettings(before, change, start);
  if (pausedFrom === 'real') return;
  throw new MockError(
    'invalid',
    `speed is for the real clock, and this one is ${pausedFrom}: leave speed out, or give "mode": "real" with it.`,
  );
}

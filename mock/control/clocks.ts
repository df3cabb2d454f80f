import type { ClockMode, ClockSettings } from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import type { MockService } from '../service.js';
import { moveTo, type ReadChange, targetOf } from './clock-change.js';
import { MockError } from './mock-error.js';

/** The clock settings of organisations that are opened later, in a snapshot. */
export interface ClocksState {
  mode: ClockMode;
  speed: number;
  /** The mode once the clock is not paused; null: as the mock was started. */
  later: ClockMode | null;
  paused: boolean;
}

/**
 * Changes the clocks of these organisations. `forAll`: mode, speed and pause also apply to organisations that are opened later.
 * Throws MockError before any clock has changed.
 */
export async function changeClocks(
  service: MockService,
  selected: readonly Organisation[],
  change: ReadChange,
  forAll: boolean,
): Promise<void> {
  const { organisations, wakeUpTimer, options } = service;
  const start = options.clock ?? 'real';
  for (const organisation of selected) targetOf(organisation, change);
  const clocks = selected.map(({ world }) => world.setup.clock);
  if (change.speed !== undefined)
    for (const clock of clocks.length > 0 ? clocks : [organisations.clock]) checkSpeed(clock, change, start);
  if (forAll) organisations.setClock(changeSettings(organisations.clock, change, start));
  for (const organisation of selected) {
    const target = targetOf(organisation, change);
    const { clock } = organisation.world.setup;
    const { pausedFrom, ...settings } = changeSettings(clock, change, start);
    clock.set(settings);
    clock.pausedFrom = pausedFrom;
    if (target !== undefined) await moveTo(organisation, target);
    wakeUpTimer.wake(organisation);
  }
}

/** Organisations that are opened from now on have the clock that the mock was started with. */
export function resetClocks({ options, organisations }: MockService): void {
  const { clock = 'real', speed = 1 } = options;
  organisations.setClock({ mode: clock, speed, pausedFrom: undefined });
}

export function takeClocksState({ organisations }: MockService): ClocksState {
  const { mode, speed, pausedFrom } = organisations.clock;
  return { mode, speed, later: pausedFrom ?? mode, paused: pausedFrom !== undefined };
}

export function restoreClocksState({ organisations, options }: MockService, state: ClocksState): void {
  const { mode, speed, later, paused } = state;
  organisations.setClock({
    mode,
    speed,
    pausedFrom: paused ? (later ?? options.clock ?? 'real') : undefined,
  });
}

/** `start`: the mode that the mock was started with, which resuming a clock that was never paused leads to. */
function changeSettings(before: ClockSettings, change: ReadChange, start: ClockMode): ClockSettings {
  const { mode, pause } = change;
  const speed = change.speed ?? before.speed;
  if (mode !== undefined) return { mode, speed, pausedFrom: undefined };
  if (pause === true && before.mode !== 'manual') return { mode: 'manual', speed, pausedFrom: before.mode };
  if (pause === false) return { mode: before.pausedFrom ?? start, speed, pausedFrom: undefined };
  return { mode: before.mode, speed, pausedFrom: before.pausedFrom };
}

/** Throws MockError where the clock will have no speed. A paused clock has the speed of its own mode. */
function checkSpeed(before: ClockSettings, change: ReadChange, start: ClockMode): void {
  const { mode, pausedFrom = mode } = changeSettings(before, change, start);
  if (pausedFrom === 'real') return;
  throw new MockError(
    'invalid',
    `speed is for the real clock, and this one is ${pausedFrom}: leave speed out, or give "mode": "real" with it.`,
  );
}

import type { ClockMode } from '../../../mock/engine/clock.js';
import type { Scenario } from '../../../scenarios/format/types.js';

/** Longest timeline that is played in real time, ms. */
const LONGEST_MS = 10_000;

/**
 * The clock for a client in real time. `eager` spares it vain polls, which is wrong where a limit or a lasting refusal
 * is met only by polling on while nothing happens: there time is real. `unhurried`: so it is everywhere, unless that
 * would take very long.
 */
export function clockOf({ timeline }: Scenario, unhurried = false): ClockMode {
  const buildsUp = timeline.some(
    (step) =>
      'network' in step && (step.network === 'quota' || ((step.skip ?? 0) > 0 && (step.times ?? 1) > 1)),
  );
  const time_ms = timeline.reduce((sum, { after }) => sum + (after?.time_ms ?? 0), 0);
  return (unhurried || buildsUp) && time_ms <= LONGEST_MS ? 'real' : 'eager';
}

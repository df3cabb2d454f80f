import type { ClockMode } from '../engine/clock.js';
import type { Organisation } from '../engine/organisation.js';
import type { MockService } from '../service.js';
import { moveTo, type ReadChange, targetOf } from './clock-change.js';
import { MockError } from './mock-error.js';

/** How clocks go in organisations that are opened later. */
export interface ClocksState {
  mode: ClockMode;
  speed: number;
  /** Set for all; null: as the mock was started. */
  later: ClockMode | null;
  paused: boolean;
}

/** Changes the clocks of a mock's organisations, and remembers how paused ones went. */
export class Clocks {
  /** How clocks went before they were paused. */
  #paused = new WeakMap<Organisation, ClockMode>();
  /** Mode of organisations that are opened later, once they are not paused. Undefined: as the mock was started. */
  #later: ClockMode | undefined;
  #laterPaused = false;

  constructor(private readonly service: MockService) {}

  /** Where `forAll`, mode, speed and pause hold for organisations that are opened later too. */
  async change(organisations: readonly Organisation[], change: ReadChange, forAll: boolean): Promise<void> {
    // All or none: a time that no clock can show is found before the first one moves.
    for (const organisation of organisations) targetOf(organisation, change);
    if (change.speed !== undefined) this.#checkSpeed(organisations, change);
    if (forAll) this.#setLater(change);
    for (const organisation of organisations) {
      const target = targetOf(organisation, change);
      this.#setPace(organisation, change);
      if (target !== undefined) await moveTo(organisation, target);
      this.service.wakeUpTimer.wake(organisation);
    }
  }

  /** Organisations that are opened from now on have the clock that the mock was started with. */
  reset(): void {
    const { clock = 'real', speed = 1 } = this.service.options;
    this.service.organisations.setClock({ mode: clock, speed });
    this.#later = undefined;
    this.#laterPaused = false;
  }

  keep(): ClocksState {
    const { mode, speed } = this.service.organisations.clock;
    return { mode, speed, later: this.#later ?? null, paused: this.#laterPaused };
  }

  recall({ mode, speed, later, paused }: ClocksState): void {
    this.service.organisations.setClock({ mode, speed });
    this.#later = later ?? undefined;
    this.#laterPaused = paused;
  }

  /** How the clock of a paused organisation went before; undefined for one that is not paused. */
  pausedFrom(organisation: Organisation): ClockMode | undefined {
    return this.#paused.get(organisation);
  }

  recallPause(organisation: Organisation, from: ClockMode | undefined): void {
    if (from === undefined) this.#paused.delete(organisation);
    else this.#paused.set(organisation, from);
  }

  /** Throws MockError where a clock that has no speed is given one. A paused clock has that of its own mode. */
  #checkSpeed(organisations: readonly Organisation[], { mode, pause }: ReadChange): void {
    const start = this.service.options.clock ?? 'real';
    const modeOf = (organisation: Organisation): ClockMode => {
      const shown = organisation.world.setup.clock.mode;
      if (shown !== 'manual') return shown;
      return this.#paused.get(organisation) ?? (this.#laterPaused || pause === false ? start : shown);
    };
    const modes = organisations.length === 0 ? [this.#later ?? start] : organisations.map(modeOf);
    const wrong = (mode === undefined ? modes : [mode]).find((each) => each !== 'real');
    if (wrong === undefined) return;
    throw new MockError(
      'invalid',
      `speed is for the real clock, and this one is ${wrong}: leave speed out, or give "mode": "real" with it.`,
    );
  }

  #setLater({ mode, speed, pause }: ReadChange): void {
    const { clock = 'real' } = this.service.options;
    const later = mode ?? (pause === undefined ? undefined : pause ? 'manual' : clock);
    if (mode !== undefined) this.#later = mode;
    else if (pause === false) this.#later = undefined;
    if (later !== undefined) this.#laterPaused = pause === true;
    this.service.organisations.setClock({
      ...(later === undefined ? {} : { mode: later }),
      ...(speed === undefined ? {} : { speed }),
    });
  }

  #setPace(organisation: Organisation, { mode, speed, pause }: ReadChange): void {
    const { clock } = organisation.world.setup;
    let next = mode;
    if (pause === true && clock.mode !== 'manual') {
      this.#paused.set(organisation, clock.mode);
      next = 'manual';
    } else if (pause === false) {
      next = this.#paused.get(organisation) ?? this.service.options.clock ?? 'real';
      this.#paused.delete(organisation);
    }
    clock.set({ ...(next === undefined ? {} : { mode: next }), ...(speed === undefined ? {} : { speed }) });
  }
}

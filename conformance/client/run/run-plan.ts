import type { ClockMode } from '../../../mock/engine/clock.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import type { Client, Job } from '../types.js';
import { jobOf } from './job.js';

export interface PlayOptions {
  /** Decides every id and every chance. Default 1. */
  seed?: number;
  /** The deadline in the client's job, ms; it is ended a little later. Default 15 s, on virtual time 60 s. */
  deadlineMs?: number | undefined;
  /** On virtual time: a run without any progress for so long is over, ms. Default: none but the deadline. */
  stalledMs?: number;
  /** Ends the run: as `aborted`. */
  signal?: AbortSignal | undefined;
  dialect?: Choices | undefined;
  /** How the API key of the run begins. Default `client`. */
  key?: string;
  /** Standing network rules, before those of the scenario. */
  network?: readonly NetworkRule[];
  /** Of a command in real time: no poll in vain is left out, so that it polls as often as it would on virtual time. */
  unhurried?: boolean;
}

/** One run, with everything decided. */
export interface RunPlan {
  scenario: Scenario;
  job: Job;
  seed: number;
  /** The seed is part of it: ids are the same in every way of running a client, and others for each seed. */
  key: string;
  /** When the client is ended, ms after its start. */
  patienceMs: number;
  stalledMs: number;
  signal: AbortSignal | undefined;
  dialect: Choices | undefined;
  network: readonly NetworkRule[];
  unhurried: boolean;
}

const DEADLINE_MS = { command: 15_000, function: 60_000, node: 60_000 } satisfies Record<
  Client['kind'],
  number
>;
/** Longest that a client that keeps to its deadline to the letter gets to say so, ms. */
const LATENESS_MS = 1000;

export function planOf(scenario: Scenario, kind: Client['kind'], options: PlayOptions): RunPlan {
  const { seed = 1, deadlineMs = DEADLINE_MS[kind], key = 'client' } = options;
  const { signal, dialect, network = [], unhurried = false } = options;
  const patienceMs = deadlineMs + Math.min(LATENESS_MS, Math.ceil(deadlineMs / 10));
  const { stalledMs = patienceMs } = options;
  const job = jobOf(scenario, deadlineMs);
  return {
    scenario,
    job,
    seed,
    key: `${key}-${seed}`,
    patienceMs,
    stalledMs,
    signal,
    dialect,
    network,
    unhurried,
  };
}

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

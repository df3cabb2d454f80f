import type { Choices } from '../../../mock/options/mock-options.js';
import type { NetworkRule, Scenario } from '../../../scenarios/format/types.js';
import type { Client, ClientEnd, Job } from '../types.js';
import { jobOf } from './job.js';

export interface PlayOptions {
  /** Decides every id and every chance. Default 1. */
  seed?: number;
  /** What the client is told as its deadline; it is ended a little later. Default 15 s, on virtual time 60 s. */
  deadline_ms?: number;
  /** On virtual time: a run without any progress for so long is over, ms. Default: none but the deadline. */
  stalled_ms?: number;
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
  patience_ms: number;
  stalled_ms: number;
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
  const {
    seed = 1,
    deadline_ms = DEADLINE_MS[kind],
    key = 'client',
    signal,
    dialect,
    network = [],
    unhurried = false,
  } = options;
  const patience_ms = deadline_ms + Math.min(LATENESS_MS, Math.ceil(deadline_ms / 10));
  return {
    scenario,
    job: jobOf(scenario, deadline_ms),
    seed,
    key: `${key}-${seed}`,
    patience_ms,
    stalled_ms: options.stalled_ms ?? patience_ms,
    signal,
    dialect,
    network,
    unhurried,
  };
}

/** The client did not end although nothing kept it from it. */
export function isHang(end: ClientEnd): boolean {
  return end === 'deadline' || end === 'stalled' || end === 'idle';
}

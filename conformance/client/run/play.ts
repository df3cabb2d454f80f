import type { Choices } from '../../../mock/options/mock-options.js';
import { queueRun } from '../../../mock/virtual-time/virtual-run.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Client, ClientRun, Job } from '../types.js';
import { runCommand } from './command-run.js';
import { runFunction } from './function-run.js';
import { createJob, estimateDeadline } from './job.js';
import type { ClientStarter } from './processes.js';

export interface PlayOptions {
  /** Seed of all ids and random choices. Default 1. */
  seed?: number | undefined;
  /** The deadline in the client's job, ms. The client is ended a little later. Default: `estimateDeadline`. */
  deadlineMs?: number | undefined;
  /** Ends the run as `aborted`. */
  signal?: AbortSignal | undefined;
  dialect?: Choices | undefined;
  /** For a command in real time: the service skips waits without activity. For searches, which play very many runs. */
  skipsWaits?: boolean;
  /** Starts a command. Default: as a process. */
  start?: ClientStarter;
}

/** One run with all options resolved. */
export interface RunPlan extends PlayOptions {
  scenario: Scenario;
  job: Job;
  /** The API key. The ids of a run depend on it: they are the same for a seed, however the client is run. */
  key: string;
  /** When the client is ended, ms after its start. */
  patienceMs: number;
}

export type RunRecord = Omit<ClientRun, 'scenario' | 'job' | 'kind' | 'seed'>;

/** The shortest deadline, ms. On virtual time a long one costs nothing. */
const LEAST_DEADLINE_MS: Readonly<Record<Client['kind'], number>> = {
  command: 15_000,
  function: 60_000,
  node: 60_000,
};
/** Longest time after the deadline for the client to report that it gave up, ms. */
const LATENESS_MS = 1000;

/**
 * Plays a scenario against a client and returns the record of the run. Every task follows the scenario. Failures of the client are in
 * the record: it rejects only for a fault of the mock itself.
 */
export async function play(
  scenario: Scenario,
  client: Client,
  options: PlayOptions = {},
): Promise<ClientRun> {
  const { kind } = client;
  const { seed = 1, deadlineMs = Math.max(LEAST_DEADLINE_MS[kind], estimateDeadline(scenario)) } = options;
  const job = createJob(scenario, deadlineMs);
  const patienceMs = deadlineMs + Math.min(LATENESS_MS, Math.ceil(deadlineMs / 10));
  const plan: RunPlan = { ...options, scenario, job, key: `client-${seed}`, patienceMs };
  // Functions run one after the other: they share the time of this process.
  const record =
    client.kind === 'function'
      ? await queueRun(() => runFunction(client, plan))
      : await runCommand(client, plan);
  return Object.assign(record, { scenario, job, kind, seed });
}

import type { Choices } from '../../../mock/options/mock-options.js';
import { queueRun } from '../../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../../scenarios/format/library/library.js';
import type { OtherJob, Scenario } from '../../../scenarios/format/types.js';
import { hashText } from '../../../spec/hash.js';
import type { Client, ClientRun, Job } from '../types.js';
import { createScenarioError } from './client-options.js';
import { runCommand } from './command-run.js';
import { runFunction } from './function-run.js';
import { createJob, estimateDeadline } from './job.js';
import type { ClientStarter } from './processes.js';
import { shiftNumbers } from './recording.js';

export interface PlayOptions {
  /** Seed of all ids and random choices. Default 1. */
  seed?: number | undefined;
  /** Decides the ids, together with the seed. A client that stays in its process may remember the tasks of earlier runs by id. */
  ids?: string;
  /** The deadline in the client's job, ms. The client is ended a little later. Default: `estimateDeadline`. */
  deadlineMs?: number | undefined;
  /** Ends the run as `aborted`. */
  signal?: AbortSignal | undefined;
  dialect?: Choices | undefined;
  /** For a command in real time: the service skips waits without activity. For searches, which play very many runs. */
  skipsWaits?: boolean;
  /** Starts a command. Default: as a process. */
  start?: ClientStarter;
  /** The command does the other job of a scenario, too. A function always does. */
  doesOtherJob?: boolean;
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

/** Another job of the same process. */
export interface OtherPlan {
  plan: RunPlan;
  starts: OtherJob['starts'];
}

export type RunRecord = Omit<ClientRun, 'scenario' | 'job' | 'kind' | 'seed' | 'other'>;

/** The shortest deadline, ms. On virtual time a long one costs nothing. */
const LEAST_DEADLINE_MS: Readonly<Record<Client['kind'], number>> = {
  adapter: 60_000,
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
  const { seed = 1, ids } = options;
  const key = `client-${seed}${ids === undefined ? '' : `-${hashText(ids)}`}`;
  const plan = createPlan(scenario, kind, options, key);
  const hasOther = kind === 'function' || options.doesOtherJob === true;
  const other =
    hasOther && scenario.other_job
      ? await planOtherJob(scenario.other_job, kind, options, plan.key)
      : undefined;
  // Functions run one after the other: they share the time of this process.
  const record: RunRecord & { other?: RunRecord } =
    client.kind === 'function'
      ? await queueRun(() => runFunction(client, plan, other))
      : await runCommand(client, plan, other);
  const complete = (part: RunRecord, of: RunPlan): ClientRun =>
    Object.assign(part, { scenario: of.scenario, job: of.job, kind, seed });
  const run = complete(record, plan);
  if (record.other && other)
    run.other = shiftNumbers(complete(record.other, other.plan), run.exchanges.at(-1)?.seq ?? 0);
  return run;
}

function createPlan(scenario: Scenario, kind: Client['kind'], options: PlayOptions, key: string): RunPlan {
  const { deadlineMs = Math.max(LEAST_DEADLINE_MS[kind], estimateDeadline(scenario)) } = options;
  const job = createJob(scenario, deadlineMs);
  const patienceMs = deadlineMs + Math.min(LATENESS_MS, Math.ceil(deadlineMs / 10));
  return { ...options, scenario, job, key, patienceMs };
}

/** Scenarios of the library by name: a copy of the library for each run takes longer than the run. */
let library: Promise<ReadonlyMap<string, Scenario>> | undefined;

/** Throws UnknownName if the library does not have its scenario. */
async function planOtherJob(
  { scenario: name, starts, same_key }: OtherJob,
  kind: Client['kind'],
  options: PlayOptions,
  key: string,
): Promise<OtherPlan> {
  library ??= loadLibrary().then((all) => new Map(all.map((each) => [each.name, each])));
  const known = await library;
  const scenario = known.get(name);
  if (!scenario) throw createScenarioError(name, [...known.values()]);
  return { plan: createPlan(scenario, kind, options, same_key ? key : `${key}-other`), starts };
}

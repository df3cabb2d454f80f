import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { watchLateness } from '../../../mock/clock/lateness.js';
import { real } from '../../../mock/clock/real.js';
import type { ClockMode } from '../../../mock/engine/clock.js';
import { MockServiceTime } from '../../../mock/virtual-time/mock-service-time.js';
import { openRemoteTime } from '../../../mock/virtual-time/remote.js';
import { combineServiceTimes } from '../../../mock/virtual-time/time-policy.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Client, Job } from '../types.js';
import { OTHER_SEED } from './mock-session.js';
import type { OtherPlan, PlayOptions, RunPlan, RunRecord } from './play.js';
import { ClientProcess, type ClientStarter, type RunningClient, type RunTermination } from './processes.js';
import { ServedJob } from './served-job.js';

/** Only the first call counts. */
type TerminationListener = (end: RunTermination) => void;

/** The time of a command. */
interface CommandTime {
  env: Readonly<Record<string, string>>;
  /** The client's clock, ms. */
  now(): number;
  connect?(port: MessagePort): void;
  /** In real time: greatest lateness of a timer so far, ms. */
  readLateness?(): number;
  /** The client has sent a request. */
  onRequest?(): void;
  close(): void | Promise<void>;
}

/** Time for a command to end after the last of its processes on virtual time has ended, real ms. */
const ENDING_MS = 5000;

/** Runs a command against the mock over HTTP, on virtual time or in real time. `other`: another job of the same process. */
export async function runCommand(
  { kind, command }: Exclude<Client, { kind: 'function' }>,
  plan: RunPlan,
  other?: OtherPlan,
): Promise<RunRecord & { other?: RunRecord }> {
  const { scenario, signal, start = startProcess } = plan;
  const isVirtual = kind !== 'command';
  const clock = isVirtual ? 'manual' : selectClock(scenario, plan);
  const open = (each: RunPlan, seed?: string) =>
    ServedJob.open(each, { clock, dialect: each.dialect, seed, ...(!isVirtual && { wall: readRealTime }) });
  const main = await open(plan);
  const beside = other && (await open(other.plan, OTHER_SEED));
  const jobs = beside ? [beside, main] : [main];
  let endRun: TerminationListener = () => {};
  const ended = new Promise<RunTermination>((resolve) => {
    endRun = resolve;
  });
  const abort = () => endRun({ end: 'aborted' });
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  let time: CommandTime | undefined;
  const started = await awaitStartSlot();
  const onRequest = () => {
    started();
    time?.onRequest?.();
  };
  try {
    for (const job of jobs) job.begin(() => endRun({ end: 'request-flood' }), onRequest);
    const patienceMs = plan.patienceMs + (other?.starts === 'before' ? other.plan.patienceMs : 0);
    time = isVirtual
      ? await openVirtualTime(jobs, main, patienceMs, endRun)
      : openRealTime(patienceMs, endRun);
    const began = time.now();
    const words = command.map((word) => word.replaceAll('{base_url}', main.baseUrl));
    const env = { ...createEnvironment(main, beside, other), ...time.env };
    const client = start(words, env, (end) => endRun(end), time.connect);
    const end = await ended;
    const durationMs = time.now() - began;
    for (const job of jobs) job.stop();
    const leftBehind = await client.finish();
    const record = main.readRecord(readMainEnd(end, client), client, client.stdout.text, durationMs);
    record.leftBehind = leftBehind;
    const lateness_ms = time.readLateness?.();
    const late = lateness_ms === undefined ? {} : { lateness_ms };
    if (!beside) return { ...record, ...late };
    const { text = '' } = client.jobs?.other ?? {};
    const besideRecord = beside.readRecord(readOtherEnd(end, client), client, text, durationMs);
    return { ...record, ...late, other: { ...besideRecord, ...late } };
  } finally {
    started();
    signal?.removeEventListener('abort', abort);
    await time?.close();
    await Promise.all(jobs.map((job) => job.close()));
  }
}

/** The variables that tell a client what to do. */
export function createJobEnvironment({
  baseUrl,
  key,
  scenario,
  job,
}: {
  baseUrl: string;
  key: string;
  scenario: string | undefined;
  job: Job | undefined;
}): Record<string, string> {
  return {
    TASKDOUBLE_BASE_URL: baseUrl,
    TASKDOUBLE_API_KEY: key,
    ...(scenario !== undefined && { TASKDOUBLE_SCENARIO: scenario }),
    ...(job && { TASKDOUBLE_JOB: JSON.stringify(job) }),
  };
}

function createEnvironment(
  { plan, baseUrl }: ServedJob,
  beside: ServedJob | undefined,
  other: OtherPlan | undefined,
): Record<string, string> {
  const { key, scenario, job } = plan;
  return {
    ...createJobEnvironment({ baseUrl, key, scenario: scenario.name, job }),
    ...(beside &&
      other && {
        TASKDOUBLE_OTHER_JOB: JSON.stringify({
          starts: other.starts,
          base_url: beside.baseUrl,
          api_key: other.plan.key,
          scenario: other.plan.scenario.name,
          job: other.plan.job,
        }),
      }),
  };
}

/** A job with a result has ended, even if the other one of its process hangs. */
function readMainEnd(end: RunTermination, { jobs }: RunningClient): RunTermination {
  if (end.end === 'by-itself' || !jobs?.main) return end;
  return { end: 'by-itself', exitCode: jobs.main.exitCode };
}

/** Of two jobs without a result, only the main one is judged: it is unknown which of them the process waited for. */
function readOtherEnd(end: RunTermination, { jobs }: RunningClient): RunTermination {
  if (jobs?.other) return { end: 'by-itself', exitCode: jobs.other.exitCode };
  if (!jobs?.main) return end.end === 'by-itself' ? end : { end: 'aborted' };
  return end.end === 'by-itself' ? { end: 'deadline' } : end;
}

const startProcess: ClientStarter = (words, env, onEnd) => new ClientProcess(words, env, onEnd);

function readRealTime(): number {
  return performance.timeOrigin + real.performanceNow();
}

/** The patience begins with the first request: on a busy machine a process takes seconds to start. */
function openRealTime(patienceMs: number, endRun: TerminationListener): CommandTime {
  const startTimer = (ms: number) => real.setTimeout(() => endRun({ end: 'deadline' }), ms);
  let timer = startTimer(patienceMs + Math.min(patienceMs, LONGEST_START_MS));
  let hasRequests = false;
  let lateness_ms = 0;
  const stopWatching = watchLateness((sample_ms) => {
    lateness_ms = Math.max(lateness_ms, sample_ms);
  });
  return {
    env: {},
    now: readRealTime,
    readLateness: () => lateness_ms,
    onRequest: () => {
      if (hasRequests) return;
      hasRequests = true;
      real.clearTimeout(timer);
      timer = startTimer(patienceMs);
    },
    close: () => {
      stopWatching();
      real.clearTimeout(timer);
    },
  };
}

async function openVirtualTime(
  jobs: readonly ServedJob[],
  { plan, baseUrl }: ServedJob,
  patienceMs: number,
  endRun: TerminationListener,
): Promise<CommandTime> {
  const services = jobs.map(({ session }) => new MockServiceTime(session.mock));
  const service = combineServiceTimes(services);
  const time = await openRemoteTime({
    service,
    patience: { deadlineMs: patienceMs, stalledMs: patienceMs },
    baseUrl,
    seed: plan.key,
  });
  time.done.then(({ ended, why }) => {
    if (ended !== 'by-itself') endRun({ end: ended, error: why });
    // Its processes on virtual time have ended, but the command has not.
    else real.setTimeout(() => endRun({ end: 'deadline' }), ENDING_MS).unref();
  });
  return {
    env: time.env,
    now: () => service.now(),
    connect: time.connect,
    close: async () => {
      await time.close();
      for (const each of services) each.release();
    },
  };
}

/** Longest timeline that is played in real time without skipping waits, unless the deadline allows a longer one, ms. */
const LONGEST_MS = 60_000;
/** The same limit in a search, ms. */
const LONGEST_OF_A_SEARCH_MS = 10_000;

/**
 * Selects the mock's clock for a client in real time. The default is the real clock: waits and distances between steps are as long as
 * in the scenario, and every race comes from the scenario. A search, which plays many runs, and very long scenarios use an `eager`
 * clock, which jumps ahead if a poll returns nothing (`skipIdleTime` defines what it preserves). A search keeps real time, within a limit,
 * if the scenario counts empty polls or tests what a client does during a wait.
 */
export function selectClock(
  { timeline, exposes = [] }: Scenario,
  { skipsWaits = false, deadlineMs = 0 }: Pick<PlayOptions, 'skipsWaits' | 'deadlineMs'> = {},
): ClockMode {
  const countsPolls = timeline.some(
    (step) =>
      'network' in step && (step.network === 'quota' || ((step.skip ?? 0) > 0 && (step.times ?? 1) > 1)),
  );
  const time_ms = timeline.reduce((sum, { after }) => sum + (after?.time_ms ?? 0), 0);
  if (!skipsWaits) return time_ms <= Math.max(LONGEST_MS, deadlineMs) ? 'real' : 'eager';
  return (countsPolls || exposes.length > 0) && time_ms <= LONGEST_OF_A_SEARCH_MS ? 'real' : 'eager';
}

/** After this time a process counts as started even without a request, real ms. */
const LONGEST_START_MS = 5000;

const waiting: (() => void)[] = [];
let places = availableParallelism();

/**
 * Waits until fewer commands are starting than there are cores. A start keeps a core busy. With too many at once, simultaneous requests
 * of a client arrive seconds apart, which causes races that are in neither the client nor the scenario. Returns a function to call once
 * the command has started.
 */
async function awaitStartSlot(): Promise<() => void> {
  if (places > 0) places--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  let isOver = false;
  const releaseSlot = () => {
    if (isOver) return;
    isOver = true;
    real.clearTimeout(timer);
    const next = waiting.shift();
    if (next) next();
    else places++;
  };
  const timer = real.setTimeout(releaseSlot, LONGEST_START_MS);
  return releaseSlot;
}

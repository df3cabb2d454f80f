import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { real } from '../../../mock/clock/real.js';
import type { ClockMode } from '../../../mock/engine/clock.js';
import { MockServiceTime } from '../../../mock/virtual-time/mock-service-time.js';
import { openRemoteTime } from '../../../mock/virtual-time/remote.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Client } from '../types.js';
import { MockSession } from './mock-session.js';
import type { PlayOptions, RunPlan, RunRecord } from './play.js';
import { ClientProcess, type ClientStarter, type RunTermination, STDERR_KEPT } from './processes.js';
import { readLine } from './result-line.js';

/** Only the first call counts. */
type TerminationListener = (end: RunTermination) => void;

/** The time of a command. */
interface CommandTime {
  env: Readonly<Record<string, string>>;
  /** The client's clock, ms. */
  now(): number;
  connect?(port: MessagePort): void;
  close(): void | Promise<void>;
}

/** Time for a command to end after the last of its processes on virtual time has ended, real ms. */
const ENDING_MS = 5000;

/** Runs a command against the mock over HTTP: Node.js on virtual time, any other command in real time. */
export async function runCommand(
  { kind, command }: Exclude<Client, { kind: 'function' }>,
  plan: RunPlan,
): Promise<RunRecord> {
  const { scenario, job, key, dialect, signal, start = startProcess } = plan;
  const clock = kind === 'node' ? 'manual' : selectClock(scenario, plan);
  const session = await MockSession.open(
    kind === 'node' ? { clock, dialect } : { clock, dialect, wall: readRealTime },
    job,
  );
  const server = await session.mock.listen();
  const { baseUrl } = server;
  let endRun: TerminationListener = () => {};
  const ended = new Promise<RunTermination>((resolve) => {
    endRun = resolve;
  });
  const abort = () => endRun({ end: 'aborted' });
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  let time: CommandTime | undefined;
  const started = await awaitStartSlot();
  try {
    session.begin(scenario, key, () => endRun({ end: 'request-flood' }), started);
    time =
      kind === 'node' ? await openVirtualTime(session, plan, baseUrl, endRun) : openRealTime(plan, endRun);
    const began = time.now();
    const words = command.map((word) => word.replaceAll('{base_url}', baseUrl));
    const env = {
      TASKDOUBLE_BASE_URL: baseUrl,
      TASKDOUBLE_API_KEY: key,
      TASKDOUBLE_SCENARIO: scenario.name,
      TASKDOUBLE_JOB: JSON.stringify(job),
      ...time.env,
    };
    const client = start(words, env, (end) => endRun(end), time.connect);
    const end = await ended;
    const durationMs = time.now() - began;
    const pending = session.listPending();
    const leftBehind = await client.finish();
    const { line, problem } = readLine(client.stdout.text);
    return {
      ...{ exitCode: null, signal: null, error: undefined, ...end },
      line,
      lineProblem: end.end === 'not-started' ? 'it was never started' : problem,
      leftBehind,
      stderr: client.stderr.text.slice(-STDERR_KEPT),
      pending,
      ...session.end(),
      durationMs,
      hasSkippedWaits: clock === 'eager',
    };
  } finally {
    started();
    signal?.removeEventListener('abort', abort);
    await time?.close();
    await server.close();
    session.release();
  }
}

const startProcess: ClientStarter = (words, env, onEnd) => new ClientProcess(words, env, onEnd);

function readRealTime(): number {
  return performance.timeOrigin + real.performanceNow();
}

function openRealTime({ patienceMs }: RunPlan, endRun: TerminationListener): CommandTime {
  const timer = real.setTimeout(() => endRun({ end: 'deadline' }), patienceMs);
  return { env: {}, now: readRealTime, close: () => real.clearTimeout(timer) };
}

async function openVirtualTime(
  session: MockSession,
  { patienceMs, key }: RunPlan,
  baseUrl: string,
  endRun: TerminationListener,
): Promise<CommandTime> {
  const service = new MockServiceTime(session.mock);
  const time = await openRemoteTime({
    service,
    patience: { deadlineMs: patienceMs, stalledMs: patienceMs },
    baseUrl,
    seed: key,
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
    close: () => time.close().finally(() => service.release()),
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

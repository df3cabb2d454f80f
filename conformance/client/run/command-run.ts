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
import { awaitStartSlot } from './start-slots.js';

/** The first call counts. */
type TerminationListener = (end: RunTermination) => void;

/** The time that a command runs on. */
interface CommandTime {
  env: Readonly<Record<string, string>>;
  /** The client's clock, ms. */
  now(): number;
  connect?(port: MessagePort): void;
  close(): void | Promise<void>;
}

/** A command gets so long to end once the last of its processes on virtual time has ended, ms of real time. */
const ENDING_MS = 5000;

/** Runs a command against the mock over HTTP: one that starts Node.js on virtual time, any other in real time. */
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
    // Its processes on virtual time have ended, and the command has not.
    else real.setTimeout(() => endRun({ end: 'deadline' }), ENDING_MS).unref();
  });
  return {
    env: time.env,
    now: () => service.now(),
    connect: time.connect,
    close: () => time.close().finally(() => service.release()),
  };
}

/** Longest timeline that is played in real time where the deadline does not leave time for a longer one, ms. */
const LONGEST_MS = 60_000;
/** The same in a search, ms. */
const LONGEST_OF_A_SEARCH_MS = 10_000;

/**
 * The mock's clock for a client in real time: the real one. The client meets each wait of the scenario as long as it is, and two
 * steps apart in time as far apart as they are: no race is there but by the scenario. Only a search, which plays very many runs,
 * skips waits, and every run those that would take very long: an `eager` clock jumps where a poll brings nothing (`skipIdleTime`
 * states what it keeps). Where the scenario counts polls that bring nothing, or exposes what a client does while it waits, a search
 * is in real time too, unless that takes long.
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

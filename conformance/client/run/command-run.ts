import { MANUAL_START_MS } from '../../../mock/engine/clock.js';
import { OrganisationTime } from '../../../mock/virtual-time/mock-service-time.js';
import { real } from '../../../mock/virtual-time/real.js';
import { openRemoteTime } from '../../../mock/virtual-time/remote.js';
import type { Client, ClientEnd, ClientRun } from '../types.js';
import { MockSession } from './mock-session.js';
import { ClientProcess, type Exit } from './processes.js';
import { readLine } from './result-line.js';
import { clockOf, type RunPlan } from './run-plan.js';

type Command = Exclude<Client, { kind: 'function' }>;

/** How a run was ended although the command had not ended. */
interface Interruption {
  end: ClientEnd;
  error?: string | undefined;
}

/** What ends a command besides itself, and what it needs for it. */
interface Guard {
  env: Readonly<Record<string, string>>;
  /** Settles when the run is over although the command has not ended. */
  over: Promise<Interruption>;
  /** The client's clock, ms. */
  now(): number;
  close(): void | Promise<void>;
}

/** Time that a command gets to end once the last of its processes on virtual time has, ms of real time. */
const ENDING_MS = 5000;

/** Runs any command in real time: vain polls are answered as soon as there is news, all else takes the time it takes. */
export async function runCommand(client: Command, plan: RunPlan): Promise<ClientRun> {
  const wall = () => performance.timeOrigin + real.performanceNow();
  const clock = clockOf(plan.scenario, plan.unhurried);
  const session = await MockSession.open({ clock, dialect: plan.dialect, wall });
  return run(session, client, plan, () => {
    const { promise, cancel } = timeout(plan.patienceMs);
    return { env: {}, over: promise.then(() => ({ end: 'deadline' })), now: wall, close: cancel };
  });
}

/** Runs a command that starts Node.js on virtual time: no wait costs anything, and the same run is the same again. */
export async function runNode(client: Command, plan: RunPlan): Promise<ClientRun> {
  const session = await MockSession.open({ clock: 'manual', dialect: plan.dialect });
  return run(session, client, plan, async (base_url) => {
    const service = new OrganisationTime(session.mock, plan.key);
    const time = await openRemoteTime({
      service,
      patience: { deadlineMs: plan.patienceMs, stalledMs: plan.stalledMs },
      startMs: MANUAL_START_MS,
      baseUrl: base_url,
    });
    let cancel = () => {};
    const over = time.done.then(async ({ ended, why }): Promise<Interruption> => {
      if (ended !== 'by-itself') return { end: ended, error: why };
      // Its processes have ended, and it has not.
      const ending = timeout(ENDING_MS);
      cancel = ending.cancel;
      await ending.promise;
      return { end: 'deadline' };
    });
    const close = async () => {
      cancel();
      await time.close();
    };
    return { env: time.env, over, now: () => service.now(), close };
  });
}

/** Lets a command meet the mock over HTTP, and ends both. */
async function run(
  session: MockSession,
  client: Command,
  plan: RunPlan,
  guarded: (base_url: string) => Guard | Promise<Guard>,
): Promise<ClientRun> {
  const server = await session.mock.listen();
  try {
    session.begin(plan.scenario, plan.key, plan.network);
    const guard = await guarded(server.baseUrl);
    try {
      return await runGuarded(session, client, plan, guard, server.baseUrl);
    } finally {
      await guard.close();
    }
  } finally {
    await server.close();
    session.release();
  }
}

async function runGuarded(
  session: MockSession,
  { kind, command }: Command,
  { scenario, job, seed, key, signal }: RunPlan,
  guard: Guard,
  base_url: string,
): Promise<ClientRun> {
  const began = guard.now();
  const client = new ClientProcess(
    command.map((part) => part.replaceAll('{base_url}', base_url)),
    {
      TASKDOUBLE_BASE_URL: base_url,
      TASKDOUBLE_API_KEY: key,
      TASKDOUBLE_SCENARIO: scenario.name,
      TASKDOUBLE_JOB: JSON.stringify(job),
      ...guard.env,
    },
  );
  const { end, exit, error } = await endOf(client, guard.over, signal, session.filled());
  const durationMs = guard.now() - began;
  const pending = session.pending();
  const leftBehind = await client.finish();
  const { line, problem } = readLine(client.stdout.text(), client.stdout.cut);
  return {
    scenario,
    job,
    kind,
    seed,
    end,
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    line,
    lineProblem: end === 'not-started' ? 'it was never started' : problem,
    error,
    leftBehind,
    stderr: client.stderr,
    pending,
    ...session.end(),
    durationMs,
  };
}

/** What ends the run first. */
async function endOf(
  client: ClientProcess,
  over: Promise<Interruption>,
  stop: AbortSignal | undefined,
  filled: Promise<void>,
): Promise<Interruption & { exit?: Exit }> {
  const aborted = abortOf(stop);
  try {
    return await Promise.race([
      client.exited.then((exit): Interruption & { exit?: Exit } =>
        'problem' in exit ? { end: 'not-started', error: exit.problem } : { end: 'by-itself', exit },
      ),
      client.flooded.then((): Interruption => ({ end: 'output-flood' })),
      over,
      aborted.promise.then((): Interruption => ({ end: 'aborted' })),
      filled.then((): Interruption => ({ end: 'request-flood' })),
    ]);
  } finally {
    aborted.cancel();
  }
}

interface Cancellable {
  promise: Promise<void>;
  cancel(): void;
}

function abortOf(signal: AbortSignal | undefined): Cancellable {
  let listen = () => {};
  const promise = new Promise<void>((resolve) => {
    listen = resolve;
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', listen, { once: true });
  });
  return { promise, cancel: () => signal?.removeEventListener('abort', listen) };
}

function timeout(time_ms: number): Cancellable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<void>((resolve) => {
    timer = real.setTimeout(resolve, time_ms);
  });
  return { promise, cancel: () => real.clearTimeout(timer) };
}

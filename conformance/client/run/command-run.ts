import { real } from '../../../mock/virtual-time/real.js';
import type { Client, ClientEnd, ClientRun } from '../types.js';
import { clockOf } from './clock-of.js';
import { readLine } from './line.js';
import { Stage } from './mock-session.js';
import { ClientProcess, type Exit } from './processes.js';
import { FLOOD_OF_REQUESTS } from './recording.js';
import { isHang, type RunPlan } from './settings.js';
import { waitingFor } from './waiting-for.js';

type Command = Exclude<Client, { kind: 'function' }>;

/** Exit code of Node.js for a process that ends in the middle of an await, as nothing can settle it any more. */
export const UNSETTLED = 13;

/** How a run was ended although the command had not ended. */
export interface Over {
  end: ClientEnd;
  error?: string;
}

/** What ends a command besides itself, and what it needs for it. */
export interface Guard {
  env: Readonly<Record<string, string>>;
  /** Settles when the run is over although the command has not ended. */
  over: Promise<Over>;
  /** The client's clock, ms. */
  now(): number;
  close(): void | Promise<void>;
}

/** Runs any command in real time: vain polls are answered as soon as there is news, all else takes the time it takes. */
export async function runCommand(client: Command, plan: RunPlan): Promise<ClientRun> {
  const wall = () => performance.timeOrigin + real.performanceNow();
  const stage = await Stage.open({
    clock: clockOf(plan.scenario, plan.unhurried),
    dialect: plan.dialect,
    wall,
  });
  return onStage(stage, client, plan, () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<Over>((resolve) => {
      timer = real.setTimeout(resolve, plan.patience_ms, { end: 'deadline' });
    });
    return { env: {}, over, now: wall, close: () => real.clearTimeout(timer) };
  });
}

/** Lets a command meet the mock over HTTP, and ends both. */
export async function onStage(
  stage: Stage,
  client: Command,
  plan: RunPlan,
  guarded: (base_url: string) => Guard | Promise<Guard>,
): Promise<ClientRun> {
  const server = await stage.mock.listen();
  try {
    stage.begin(plan.scenario, plan.key, plan.network);
    const guard = await guarded(server.baseUrl);
    try {
      return await withGuard(stage, client, plan, guard, server.baseUrl);
    } finally {
      await guard.close();
    }
  } finally {
    await server.close();
    stage.giveBack();
  }
}

async function withGuard(
  stage: Stage,
  { kind, command }: Command,
  plan: RunPlan,
  guard: Guard,
  base_url: string,
): Promise<ClientRun> {
  const { scenario, job, seed, key, signal: stop } = plan;
  const began = guard.now();
  const started = new ClientProcess(
    command.map((part) => part.replaceAll('{base_url}', base_url)),
    {
      TASKDOUBLE_BASE_URL: base_url,
      TASKDOUBLE_API_KEY: key,
      TASKDOUBLE_SCENARIO: scenario.name,
      TASKDOUBLE_JOB: JSON.stringify(job),
      ...guard.env,
    },
  );
  const first = await firstOf(started, guard.over, stop, stage.filled());
  const duration_ms = guard.now() - began;
  const underWay = stage.underWay();
  const left_behind = await started.finish();
  const { end, exit, error } = first;
  const performed = stage.end();
  const { stdout } = started;
  const read = readLine(stdout.text(), stdout.cut);
  const run: ClientRun = {
    scenario,
    job,
    way: kind,
    seed,
    end,
    exit_code: exit?.code ?? null,
    signal: exit?.signal ?? null,
    line: read.line,
    line_problem: end === 'not-started' ? 'it was never started' : read.problem,
    error,
    left_behind,
    stderr: started.stderr,
    waiting_for: undefined,
    ...performed,
    duration_ms,
  };
  if (isHang(end) || (run.exit_code === UNSETTLED && !run.line)) run.waiting_for = waitingFor(run, underWay);
  return run;
}

interface First extends Over {
  exit?: Exit;
}

async function firstOf(
  started: ClientProcess,
  over: Promise<Over>,
  stop: AbortSignal | undefined,
  filled: Promise<void>,
): Promise<First> {
  let onAbort = () => {};
  const aborted = new Promise<First>((resolve) => {
    onAbort = () => resolve({ end: 'aborted' });
    if (stop?.aborted) onAbort();
    else stop?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([
      started.exited.then(
        (exit): First =>
          'problem' in exit ? { end: 'not-started', error: exit.problem } : { end: 'by-itself', exit },
      ),
      started.flooded.then((): First => ({ end: 'flooded' })),
      over,
      aborted,
      filled.then((): First => ({ end: 'flooded', error: FLOOD_OF_REQUESTS })),
    ]);
  } finally {
    stop?.removeEventListener('abort', onAbort);
  }
}

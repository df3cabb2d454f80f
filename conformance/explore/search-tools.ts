import type { TraceEntry } from '../../mock/network/tracer.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { hashText } from '../../spec/hash.js';
import type { Finding } from '../../spec/vocabulary.js';
import { judgeRun } from '../client/judge/verdict.js';
import { ClientRunner } from '../client/run/adapter/client-runner.js';
import type { Client, ClientRun } from '../client/types.js';
import { canonicalizeOrder } from './schedule/run-order.js';
import { applyDeviations, listUntriggered } from './schedule/schedule.js';
import type { Schedule } from './types.js';

/** Runs and judges schedules for a search. */
export interface SearchTools {
  play(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun>;
  /** Plays in a process, if `play` does not: a failure has to be reproduced there too. */
  playInProcess?(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun>;
  judge(run: ClientRun): Finding[];
  /** Does what `runSchedule` does where the runs are: a run is larger than its result. */
  runInThread?(
    schedule: Schedule,
    isJudged: boolean,
    signal?: AbortSignal,
  ): Promise<ScheduleResult | undefined>;
  /** The client as it is run, once it has been run. Default: as it was given. */
  readRunner?(): Pick<ClientRunner, 'client' | 'adapter' | 'canDoOtherJob'>;
  close(): Promise<void>;
}

/** What one run of a schedule shows. */
export interface ScheduleResult {
  trace: TraceEntry[];
  /** Every deviation was triggered. */
  isTriggered: boolean;
  /** Hash of the order of events. */
  order: number;
  /** Findings and their run; absent without findings. */
  found?: { findings: Finding[]; run: ClientRun };
  /** The trace of a second run. */
  second?: TraceEntry[] | undefined;
}

/** `skipsWaits`: in real time the service skips waits without activity. */
export async function openTools(
  client: Client,
  seed: number,
  { skipsWaits = true, onNote }: { skipsWaits?: boolean; onNote?: (text: string) => void } = {},
): Promise<SearchTools> {
  // Installed once: installing it takes longer than a run.
  const restoreTime = client.kind === 'function' ? prepareVirtualTime() : () => {};
  const runner = new ClientRunner(client, onNote);
  return {
    play: (scenario, signal) => runner.play(scenario, { seed, signal, skipsWaits }),
    judge: judgeRun,
    readRunner: () => runner,
    close: async () => {
      await runner.close();
      restoreTime();
    },
  };
}

/** Plays a schedule and returns the data for the search. Undefined if it was aborted. */
export async function runSchedule(
  tools: SearchTools,
  schedule: Schedule,
  isJudged: boolean,
  signal?: AbortSignal,
): Promise<ScheduleResult | undefined> {
  if (tools.runInThread) return tools.runInThread(schedule, isJudged, signal);
  const run = await tools.play(applyDeviations(schedule), signal);
  if (run.end === 'aborted') return undefined;
  const { trace } = run;
  const isTriggered = listUntriggered(run).length === 0;
  const order = isTriggered ? hashText(canonicalizeOrder(schedule, trace)) : 0;
  const findings = isTriggered && isJudged ? tools.judge(run) : [];
  return { trace, isTriggered, order, ...(findings.length > 0 && { found: { findings, run } }) };
}

import type { TraceEntry } from '../../mock/network/tracer.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { hashOf } from '../../spec/hash.js';
import type { RunFinding } from '../client/judge/run-rules.js';
import { findingsOf } from '../client/judge/verdict.js';
import { play } from '../client/run/play.js';
import type { Client, ClientRun } from '../client/types.js';
import { canonicalOrder } from './schedule/run-order.js';
import { notTriggered, scheduled } from './schedule/schedule.js';
import type { Schedule } from './types.js';

/** What a search is done with: plays a scenario against the client, and judges the run. */
export interface Tools {
  play(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun>;
  /** The same in the way in which the client is used, where `play` has another: a failure has to show there too. */
  playAsUsed?(scenario: Scenario, signal?: AbortSignal): Promise<ClientRun>;
  judge(run: ClientRun): RunFinding[];
  /** Plays a schedule and reads what the search needs to know of it. Undefined when it was stopped in the middle. */
  tryOut(schedule: Schedule, isJudged: boolean, signal?: AbortSignal): Promise<ScheduleResult | undefined>;
  close(): Promise<void>;
}

/** What one run of a schedule shows. */
export interface ScheduleResult {
  trace: TraceEntry[];
  /** Every deviation was triggered. */
  isTriggered: boolean;
  /** Hash of the order of things. */
  order: number;
  /** What was found, and the run that shows it; only where something was. */
  found?: { findings: RunFinding[]; run: ClientRun };
}

/** `skipsWaits`: in real time the service skips waits in which nothing happens. */
export async function openTools(client: Client, seed: number, skipsWaits = true): Promise<Tools> {
  // Put in place once: putting it in place takes longer than a run.
  const restoreTime = client.kind === 'function' ? prepareVirtualTime() : () => {};
  const tools: Omit<Tools, 'tryOut'> = {
    play: (scenario, signal) => play(scenario, client, { seed, signal, skipsWaits }),
    judge: findingsOf,
    close: async () => restoreTime(),
  };
  return { ...tools, tryOut: (schedule, isJudged, signal) => tryOut(tools, schedule, isJudged, signal) };
}

/** `Tools.tryOut` by the other tools. */
export async function tryOut(
  { play, judge }: Pick<Tools, 'play' | 'judge'>,
  schedule: Schedule,
  isJudged: boolean,
  signal?: AbortSignal,
): Promise<ScheduleResult | undefined> {
  const run = await play(scheduled(schedule), signal);
  if (run.end === 'aborted') return undefined;
  const { trace } = run;
  const isTriggered = notTriggered(run).length === 0;
  const order = isTriggered ? hashOf(canonicalOrder(schedule, trace)) : 0;
  const findings = isTriggered && isJudged ? judge(run) : [];
  return { trace, isTriggered, order, ...(findings.length > 0 && { found: { findings, run } }) };
}

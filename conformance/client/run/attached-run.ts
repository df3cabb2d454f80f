import { real } from '../../../mock/clock/real.js';
import type { NetworkedOrganisation } from '../../../mock/network/network.js';
import type { ClientOutput } from '../../../mock/options/client-runs.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Finding } from '../../../spec/vocabulary.js';
import { RealTimeReader } from '../../conversation/latency.js';
import { clientRules, untimedRules } from '../../rules/client-rules.js';
import { judgeExchanges } from '../../rules/judge.js';
import { judgeRun } from '../judge/verdict.js';
import { createJobEnvironment } from './command-run.js';
import { createJob, estimateDeadline } from './job.js';
import { listServiceTasks } from './mock-session.js';
import {
  ClientProcess,
  OutputTail,
  type RunningClient,
  type RunTermination,
  STDERR_KEPT,
  STDOUT_KEPT,
} from './processes.js';
import { readLine } from './result-line.js';

/** A run of a command against a mock that others use too, in real time and without a time limit. */
export interface AttachedPlan {
  command: readonly string[];
  baseUrl: string;
  /** A new organisation, which only this run uses. */
  organisation: NetworkedOrganisation;
  /** Undefined: the client gets no job, and only the rules about exchanges apply. */
  scenario: Scenario | undefined;
  seed: number;
  onOutput: (output: ClientOutput) => void;
  /** Ends the run. */
  signal: AbortSignal;
}

export interface AttachedResult extends RunTermination {
  /** Empty for an aborted run. */
  findings: Finding[];
  durationMs: number;
}

export async function runAttached(plan: AttachedPlan): Promise<AttachedResult> {
  const { command, baseUrl, organisation, scenario, onOutput, signal } = plan;
  const stdout = new OutputTail(STDOUT_KEPT);
  const stderr = new OutputTail(STDERR_KEPT);
  const job = scenario && createJob(scenario, estimateDeadline(scenario));
  const env = createJobEnvironment({ baseUrl, key: organisation.key, scenario: scenario?.name, job });
  const words = command.map((word) => word.replaceAll('{base_url}', baseUrl));
  const began = real.performanceNow();
  let client: RunningClient | undefined;
  const end = await new Promise<RunTermination>((resolve) => {
    const flood = () => resolve({ end: 'output-flood' });
    const listen = (from: ClientOutput['from'], tail: OutputTail) => (text: string) => {
      tail.add(text, flood);
      onOutput({ from, text });
    };
    signal.addEventListener('abort', () => resolve({ end: 'aborted' }), { once: true });
    client = new ClientProcess(words, env, resolve, {
      onStdout: listen('stdout', stdout),
      onStderr: listen('stderr', stderr),
    });
  });
  const durationMs = real.performanceNow() - began;
  const pending = organisation.journal.read().filter(({ response }) => response === undefined);
  const leftBehind = (await client?.finish()) ?? 0;
  const exchanges = organisation.journal.read();
  const { mode, speed } = organisation.clock;
  // Rules about times apply to a clock that the client shares.
  const isSameTime = mode === 'real' && speed === 1;
  const result = { ...end, durationMs };
  if (end.end === 'aborted') return { ...result, findings: [] };
  if (!scenario || !job) {
    const judge = isSameTime
      ? judgeExchanges(clientRules, new RealTimeReader().readAll(exchanges))
      : judgeExchanges(untimedRules, exchanges);
    return { ...result, findings: judge.findings() };
  }
  const { line, problem } = readLine(stdout.text);
  const found = judgeRun({
    ...{ exitCode: null, signal: null, error: undefined, ...end },
    ...{ scenario, job, kind: 'command', seed: plan.seed, leftBehind, exchanges, trace: [], wall: undefined },
    line,
    lineProblem: end.end === 'not-started' ? 'it was never started' : problem,
    stderr: stderr.text.slice(-STDERR_KEPT),
    pending: pending.map(({ seq }) => seq),
    tasks: listServiceTasks(organisation),
    rules: organisation.network.list(),
    durationMs,
    hasSkippedWaits: mode === 'eager' || mode === 'skipping',
  });
  const timed = new Set(clientRules.filter((rule) => rule.timed).map(({ id }) => id as string));
  return { ...result, findings: isSameTime ? found : found.filter(({ rule }) => !timed.has(rule)) };
}

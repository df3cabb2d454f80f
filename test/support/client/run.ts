import type { ClientRun, Job } from '../../../conformance/client/types.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { ExchangeBuilder } from '../rules/exchange-builder.js';

/** A job without tools and actions. */
export const PLAIN_JOB: Job = {
  request: { task: 'Do it' },
  tools: {},
  actions: [],
  close: null,
  cancel_after_ms: null,
  deadline_ms: 15_000,
  optional_fields: [],
  asks: [],
};

const SCENARIO: Scenario = {
  name: 'test/made-by-hand',
  title: 'Made by hand',
  covers: [],
  match: {},
  request: { task: 'Do it' },
  timeline: [],
};

type RunOverrides = Partial<Omit<ClientRun, 'job'>> & { job?: Partial<Job> };

/** A successful run of a command with these exchanges. `given` overrides fields. */
export function createRun(talk: ExchangeBuilder, given: RunOverrides = {}): ClientRun {
  const { job, ...rest } = given;
  return {
    scenario: SCENARIO,
    job: { ...PLAIN_JOB, ...job },
    kind: 'command',
    seed: 1,
    end: 'by-itself',
    exitCode: 0,
    signal: null,
    line: { status: 'done', output: 'It is done.', results: [], tool_runs: [] },
    lineProblem: undefined,
    error: undefined,
    leftBehind: 0,
    stderr: '',
    pending: [],
    exchanges: talk.exchanges,
    wall: undefined,
    trace: [],
    tasks: [],
    rules: [],
    durationMs: 1000,
    ...rest,
  };
}

/** A correct run that only waits for the task. */
export function buildPlainExchanges(): ExchangeBuilder {
  return new ExchangeBuilder().create().poll(undefined).complete(undefined);
}

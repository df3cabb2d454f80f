import { setMaxListeners } from 'node:events';
import { withStepIds } from '../../../scenarios/format/load/step-ids.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { clientFrom, scenariosFrom } from '../../client/run/client-options.js';
import { whyUnplayable } from '../../client/run/job.js';
import type { Client } from '../../client/types.js';
import { defaultScenarios } from '../default-scenarios.js';
import { openTools } from '../real-tools.js';
import { stateCoverage } from '../reproduce/statement.js';
import type { Tools } from '../tools.js';
import type { ExploreEvent, ExploreOptions, ExploreReport, TimeOfRuns } from '../types.js';
import { Examiner } from './examiner.js';
import { searchSystematically } from './search.js';
import { checkShard } from './shard.js';
import { WALK_BEYOND, walk } from './walk.js';

const SCHEDULES = 10_000;
const DEVIATIONS = 2;
const TIME_LIMIT_MS = 120_000;
const JOBS = 2;

/** Longest holds and delays, ms: in real time short, so that a schedule does not take long; both below usual time-outs. */
const BOUNDS = {
  virtual: { holdMs: 4000, delayMs: 3000 },
  real: { holdMs: 1000, delayMs: 700 },
};

/** Of a search's own parts, for tests: what plays and judges, and what tells the real time. */
export interface ExploreParts {
  openTools: (client: Client, seed: number) => Promise<Tools>;
  /** ms of real time. */
  now: () => number;
}

const PARTS: ExploreParts = { openTools, now: () => performance.now() };

/**
 * Searches a client for interleavings that break it: every schedule with few deviations from the default, then random
 * ones until the budget ends. Failures are sorted into buckets, shrunk and written as scenarios that reproduce them.
 * Throws TypeError for options that make no sense; whatever the client does is a finding.
 */
export async function explore(
  options: ExploreOptions,
  onEvent: (event: ExploreEvent) => void = () => {},
  parts: ExploreParts = PARTS,
): Promise<ExploreReport> {
  check(options);
  const client = clientFrom(options);
  const { seed = 1, shard, deviations = DEVIATIONS, schedules = SCHEDULES } = options;
  const given = options.scenarios && (await scenariosFrom(options.scenarios));
  const scenarios = await playableOnes(given, onEvent);
  const started = parts.now();
  const timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
  const stop = stopping(options.signal, client.kind === 'function' ? undefined : timeLimitMs);
  const elapsed = () => parts.now() - started;
  const trial = await tryOut(client, scenarios, seed, stop.signal, parts, onEvent);
  const { tools, time } = trial;
  const setup = {
    tools,
    time,
    seed,
    shard,
    schedules,
    timeLimitMs,
    onEvent,
    elapsed,
    signal: stop.signal,
    bounds: time === 'real' ? BOUNDS.real : BOUNDS.virtual,
    known: options.known,
    commandLine: options.commandLine,
  };
  const examiner = new Examiner(setup);
  const names = scenarios.map(({ name }) => name);
  onEvent({ type: 'start', scenarios: names, seed, schedules, time, ...(shard ? { shard } : {}) });
  let ended: ExploreReport['ended'] | undefined;
  let walked = 0;
  try {
    if (trial.untestable === undefined) {
      const jobs = client.kind === 'function' ? 1 : (options.jobs ?? JOBS);
      await searchSystematically(examiner, scenarios, deviations, jobs);
      const before = examiner.progress().schedules;
      if (deviations > 0 && !examiner.isOver()) {
        examiner.phase = 'walk';
        if (!(await walk(examiner, scenarios, deviations, seed, jobs))) ended = 'space';
      }
      walked = examiner.progress().schedules - before;
    }
  } finally {
    stop.end();
    await tools.close();
  }
  ended = examiner.ending() ?? ended ?? 'space';
  const share = shard ? 1 / shard.of : 1;
  const coverage = examiner.coverage.list(deviations, share);
  const progress = examiner.progress();
  const { finds, advice, buckets, unsteady, repeated } = examiner;
  for (const find of [...finds, ...advice]) find.seen = buckets.seen(find.bucket.key);
  const report: ExploreReport = {
    time,
    seed,
    ...(shard ? { shard } : {}),
    scenarios: names,
    progress,
    finds,
    advice,
    known: buckets.passedOver(),
    unsteady,
    repeated,
    coverage,
    broken: examiner.coverage.broken(),
    statement: stateCoverage({
      ...progress,
      coverage,
      scenarios: scenarios.length,
      deviations,
      walked,
      longest: deviations + WALK_BEYOND,
      shard,
      ended,
    }),
    ...(trial.untestable === undefined ? {} : { untestable: trial.untestable }),
    ended,
    durationMs: elapsed(),
  };
  onEvent({ type: 'end', report });
  return report;
}

function check({ schedules, deviations, shard, jobs, timeLimitMs, scenarios }: ExploreOptions): void {
  const atLeast = (name: string, value: number | undefined, least: number, isWhole = true) => {
    if (value === undefined || (value >= least && (!isWhole || Number.isSafeInteger(value)))) return;
    throw new TypeError(
      `${name}: expected ${isWhole ? 'a whole number' : 'a time in ms'} from ${least}, found ${value}`,
    );
  };
  atLeast('schedules', schedules, 1);
  atLeast('deviations', deviations, 0);
  atLeast('jobs', jobs, 1);
  atLeast('timeLimitMs', timeLimitMs, 0, false);
  if (shard) checkShard(shard);
  if (scenarios?.length === 0) throw new TypeError('scenarios: expected at least one, found none');
}

async function playableOnes(
  given: readonly Scenario[] | undefined,
  onEvent: (event: ExploreEvent) => void,
): Promise<Scenario[]> {
  const scenarios = given ?? (await defaultScenarios());
  return scenarios.flatMap((scenario) => {
    const why = whyUnplayable(scenario);
    if (why === undefined) return [withStepIds(scenario)];
    onEvent({ type: 'note', text: `${scenario.name} is passed over: ${why}` });
    return [];
  });
}

/** Runs the first scenario once: a client that cannot be run at all, or not in virtual time, shows it there. */
async function tryOut(
  client: Client,
  scenarios: readonly Scenario[],
  seed: number,
  signal: AbortSignal,
  parts: ExploreParts,
  onEvent: (event: ExploreEvent) => void,
): Promise<{ tools: Tools; time: TimeOfRuns; untestable?: string }> {
  const tools = await parts.openTools(client, seed);
  const time = timeOf(client);
  const [scenario] = scenarios;
  if (!scenario)
    return {
      tools,
      time,
      untestable: 'No scenario is left that a client with one action at a time can play.',
    };
  if (client.kind === 'function') return { tools, time };
  const run = await tools.play(scenario, signal);
  if (run.end === 'not-started')
    return { tools, time, untestable: run.error ?? 'The command could not be started.' };
  if (run.end !== 'not-virtual' || client.kind !== 'node') return { tools, time };
  await tools.close();
  const why = run.error === undefined ? '' : ` (${run.error})`;
  onEvent({
    type: 'note',
    text: `time could not be made virtual in this command${why}: it is run in real time`,
  });
  const real: Client = { kind: 'command', command: client.command };
  return { tools: await parts.openTools(real, seed), time: 'real' };
}

function timeOf({ kind }: Client): TimeOfRuns {
  if (kind === 'function') return 'virtual (in process)';
  return kind === 'node' ? 'virtual (Node.js)' : 'real';
}

/** Aborted when the caller says so and, for clients that take real time, when the time is over. */
function stopping(given: AbortSignal | undefined, timeLimitMs: number | undefined) {
  const controller = new AbortController();
  // Every run under way listens to it, some more than once.
  setMaxListeners(0, controller.signal);
  const abort = () => controller.abort();
  if (given?.aborted) abort();
  given?.addEventListener('abort', abort, { once: true });
  const timer = timeLimitMs === undefined ? undefined : setTimeout(abort, timeLimitMs);
  const end = () => {
    given?.removeEventListener('abort', abort);
    clearTimeout(timer);
  };
  return { signal: controller.signal, end };
}

import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Tinypool } from 'tinypool';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { addStepIds } from '../../../scenarios/format/write.js';
import { judgeRun } from '../../client/judge/verdict.js';
import { excludeScenarios, resolveClient } from '../../client/run/client-options.js';
import { findStartupCrash } from '../../client/run/first-error.js';
import { explainUnplayable } from '../../client/run/job.js';
import type { Client, ClientRun } from '../../client/types.js';
import { checkShard } from '../../common/shard.js';
import { describeRunTime, type RunTimeLabel } from '../../service/runner/result.js';
import { groupCauses } from '../causes/causes.js';
import { limitDeviations, loadDefaultScenarios, resolveExploredScenarios } from '../explored-scenarios.js';
import { openTools, type ScheduleResult, type SearchTools } from '../search-tools.js';
import { openCommandThreads } from '../threads/command-threads.js';
import { limitByLoad } from '../threads/load-limit.js';
import type { ThreadTask } from '../threads/thread.js';
import type { ExploreEvent, ExploreOptions, ExploreReport } from '../types.js';
import { describeCoverage, isBarelyTriggered } from './coverage.js';
import { WALK_BEYOND, walkRandomly } from './random-walk.js';
import { ScheduleRunner } from './schedule-runner.js';
import { searchSystematically } from './systematic.js';

const SCHEDULES = 10_500;
const DEVIATIONS = 2;
const TIME_LIMIT_MS = 120_000;
const JOBS = 2;
/** Schedules from which on additional threads are started: fewer end before threads have loaded. */
const WORTH_THREADS = 1000;
/** Schedules of a Node.js command from which on the search tries to run it in threads. */
const WORTH_COMMAND_THREADS = 100;
/** Schedules in progress for each thread, so that none waits for the main thread. */
const QUEUED_FOR_THREAD = 4;
/** If a smaller part of the schedules was run in the time, a faster way to run the client is suggested. */
const LITTLE = 0.1;

/** Longest holds and delays, ms. Below usual time-outs; shorter in real time, to limit the duration of a schedule. */
const BOUNDS = {
  virtual: { holdMs: 4000, delayMs: 3000, longDelayMs: 35_000 },
  real: { holdMs: 1000, delayMs: 700 },
};

/** Dependencies that tests replace. */
interface ExploreDependencies {
  openTools: (
    client: Client,
    seed: number,
    options?: { onNote: (text: string) => void },
  ) => Promise<SearchTools>;
  /** ms of real time. */
  now: () => number;
}

/**
 * Searches a client for interleavings that break it: every schedule with few deviations from the default, then random ones until the
 * limit. Failures are grouped, minimized and written as scenarios that reproduce them. Throws TypeError for invalid options. Errors of
 * the client are findings.
 */
export async function explore(
  options: ExploreOptions,
  onEvent: (event: ExploreEvent) => void = () => {},
  parts: ExploreDependencies = { openTools, now: () => performance.now() },
): Promise<ExploreReport> {
  checkOptions(options);
  const client = followVirtualTime(resolveClient(options.client));
  const { seed = 1, shard, deviations = DEVIATIONS, schedules = SCHEDULES } = options;
  const { timeLimitMs = TIME_LIMIT_MS } = options;
  const given = options.scenarios
    ? await resolveExploredScenarios(options.scenarios, seed, options.lacks)
    : await loadDefaultScenarios();
  const selected = excludeScenarios(given, options.exclude ?? []);
  // Explicit scenarios are explored without the reduced limit.
  const readLimit = (each: Scenario) => (options.scenarios ? deviations : limitDeviations(each, deviations));
  const started = parts.now();
  const measureElapsed = () => parts.now() - started;
  const stop = new AbortController();
  // A function is stopped between two runs.
  const timer = client.kind === 'function' ? undefined : setTimeout(() => stop.abort(), timeLimitMs);
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  // Every run in progress adds listeners.
  setMaxListeners(0, signal);
  const module = client.kind === 'function' ? client.module : undefined;
  // The results do not depend on the number of threads.
  const threads =
    module !== undefined && schedules >= WORTH_THREADS ? (options.jobs ?? availableParallelism()) : 1;
  const open = threads > 1 ? async () => openThreads(module!, seed, threads) : parts.openTools;
  const firstScenario =
    selected.find((each) => explainUnplayable(each, options.lacks, false) === undefined) ??
    selected.find((each) => explainUnplayable(each, options.lacks) === undefined);
  const {
    tools: first,
    time,
    ...found
  } = await checkFirstRun(client, firstScenario, seed, signal, { ...parts, openTools: open }, onEvent);
  const { adapter, canDoOtherJob = client.kind === 'function' } = first.readRunner?.() ?? {};
  const wanted = options.scenarios ? selected : selected.filter((each) => canDoOtherJob || !each.other_job);
  const scenarios = selectPlayable(wanted, canDoOtherJob, options.lacks, onEvent);
  const untestable = found.untestable ?? (scenarios.length === 0 ? NO_SCENARIO : undefined);
  const names = scenarios.map(({ name }) => name);
  const isLimitedByLoad = time === 'real' && options.jobs === undefined;
  const limited = isLimitedByLoad ? limitByLoad(first) : { tools: first, jobs: options.jobs ?? JOBS };
  const jobsOfCommand = limited.jobs;
  const isInThreads =
    untestable === undefined && time === 'virtual (Node.js)' && schedules >= WORTH_COMMAND_THREADS;
  const onNote = (text: string) => onEvent({ type: 'note', text });
  const tools =
    isInThreads && client.kind === 'node'
      ? await openCommandThreads(
          { command: client.command, scenarios, seed, jobs: jobsOfCommand, signal, onNote },
          first,
        )
      : limited.tools;
  const runner = new ScheduleRunner({
    tools,
    time,
    seed,
    shard,
    schedules,
    readLimit,
    timeLimitMs,
    onEvent,
    elapsed: measureElapsed,
    signal,
    bounds: time === 'real' ? BOUNDS.real : BOUNDS.virtual,
    known: new Set(options.known),
    commandLine: options.commandLine,
  });
  const labels = { time, ...(adapter === undefined ? {} : { adapter }) };
  onEvent({ type: 'start', scenarios: names, seed, schedules, ...labels, ...(shard ? { shard } : {}) });
  let walked = 0;
  try {
    if (untestable === undefined) {
      const jobs = threads > 1 ? threads * QUEUED_FOR_THREAD : client.kind === 'function' ? 1 : jobsOfCommand;
      await searchSystematically(runner, scenarios, jobs);
      const before = runner.readProgress().schedules;
      if (deviations > 0 && !runner.isOver()) {
        runner.phase = 'walk';
        await walkRandomly(runner, scenarios, deviations, jobs);
      }
      walked = runner.readProgress().schedules - before;
    }
  } finally {
    clearTimeout(timer);
    await tools.close();
  }
  const ended = runner.findEnding() ?? 'space';
  const { schedules: tried, notTriggered } = runner.readProgress();
  if (ended === 'time' && client.kind !== 'function' && tried < schedules * LITTLE)
    onEvent({
      type: 'note',
      text: `only ${tried} of ${schedules} schedules were run in the time: ${adviseFasterRuns(time, adapter)}`,
    });
  const { failures, advice, nondeterministic, repeated } = runner;
  for (const failure of advice) Object.assign(failure, runner.countSeen(failure.key));
  const why =
    untestable ??
    (failures.length === 0 ? explainUntriggered(tried - scenarios.length, notTriggered) : undefined);
  const report: Omit<ExploreReport, 'statement'> = {
    ...labels,
    seed,
    ...(shard ? { shard } : {}),
    scenarios: names,
    progress: runner.readProgress(),
    failures,
    causes: groupCauses(failures),
    advice,
    known: runner.listKnown(),
    nondeterministic,
    repeated,
    coverage: runner.coverage.list(new Map(scenarios.map((each) => [each.name, readLimit(each)]))),
    broken: runner.coverage.listBroken(),
    ...{ deviations, walked, longest: deviations + WALK_BEYOND },
    ...(why === undefined ? {} : { untestable: why }),
    ended,
    durationMs: measureElapsed(),
  };
  const statement = describeCoverage(report);
  onEvent({ type: 'end', report: { ...report, statement } });
  return { ...report, statement };
}

function adviseFasterRuns(time: RunTimeLabel, adapter: string | undefined): string {
  if (adapter !== undefined && time !== 'real')
    return 'a longer --time-limit runs more of them, and --shard shares them between machines';
  const ofJavaScript =
    '--function FILE runs a client written in JavaScript on all cores, hundreds of times faster';
  return time === 'real'
    ? `${ofJavaScript}; in other languages a persistent adapter in virtual time is the faster way (client --init python)`
    : ofJavaScript;
}

/** In a search, an adapter follows virtual time if it can, unless the caller decides. */
function followVirtualTime(client: Client): Client {
  return client.kind === 'command' ? { timeOfAdapter: 'virtual', ...client } : client;
}

function explainUntriggered(run: number, notTriggered: number): string | undefined {
  if (!isBarelyTriggered(run, notTriggered)) return undefined;
  return `In ${notTriggered} of ${run} schedules with deviations the client did not send the changed requests: it works in its first runs and then does nothing, or ends early. Start every run without state from the previous one.`;
}

function checkOptions({ schedules, deviations, shard, jobs, timeLimitMs, scenarios }: ExploreOptions): void {
  const check = (name: string, value: number | undefined, least: number) => {
    if (value === undefined || (value >= least && Number.isSafeInteger(value))) return;
    throw new TypeError(`${name}: expected a whole number from ${least}, found ${value}`);
  };
  check('schedules', schedules, 1);
  check('deviations', deviations, 0);
  check('jobs', jobs, 1);
  if (timeLimitMs !== undefined && !(timeLimitMs >= 0))
    throw new TypeError(`timeLimitMs: expected a time in ms from 0, found ${timeLimitMs}`);
  if (scenarios?.length === 0) throw new TypeError('scenarios: expected at least one, found none');
  checkShard(shard);
}

function selectPlayable(
  given: readonly Scenario[],
  canDoOtherJob: boolean,
  lacks: readonly string[] | undefined,
  onEvent: (event: ExploreEvent) => void,
): Scenario[] {
  return given.flatMap((scenario) => {
    const why = explainUnplayable(scenario, lacks, canDoOtherJob);
    if (why === undefined) return [addStepIds(scenario)];
    onEvent({ type: 'note', text: `${scenario.name} is skipped: ${why}` });
    return [];
  });
}

const NO_SCENARIO = 'No scenario is left that this client can play: check --lacks and --exclude.';

/** Runs the first scenario once, to detect a client that cannot be run at all, or not in virtual time, and a persistent adapter. */
async function checkFirstRun(
  client: Client,
  scenario: Scenario | undefined,
  seed: number,
  signal: AbortSignal,
  parts: ExploreDependencies,
  onEvent: (event: ExploreEvent) => void,
): Promise<{ tools: SearchTools; time: RunTimeLabel; untestable?: string }> {
  const onNote = (text: string) => onEvent({ type: 'note', text });
  const tools = await parts.openTools(client, seed, { onNote });
  if (client.kind === 'function' || !scenario) return { tools, time: describeRunTime(client.kind) };
  const run = await tools.play(addStepIds(scenario), signal);
  const { kind } = tools.readRunner?.().client ?? client;
  const time = describeRunTime(kind);
  const untestable =
    run.end === 'not-started' ? (run.error ?? 'The command could not be started.') : findStartupCrash(run);
  if (untestable !== undefined) return { tools, time, untestable };
  if (run.end !== 'not-virtual' || kind === 'command') return { tools, time };
  await tools.close();
  const why = run.error === undefined ? '' : ` (${run.error})`;
  const text = `time could not be made virtual in this command${why}: it is run in real time`;
  onNote(text);
  const real: Client = { kind: 'command', command: client.command, timeOfAdapter: 'real' };
  return { tools: await parts.openTools(real, seed, { onNote }), time: 'real' };
}

/**
 * Tools that play schedules in worker threads, each with its own client. The number of threads does not change results, as long as the
 * client keeps no state between runs.
 */
function openThreads(module: string, seed: number, threads: number): SearchTools {
  const pool = new Tinypool({
    // Node.js does not load TypeScript: sources use the file in dist.
    filename: join(findPackageRoot(), 'dist/conformance/explore/threads/thread.js'),
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  const run = async <R>(task: Omit<ThreadTask, 'module' | 'seed'>): Promise<R> =>
    (await pool.run({ module, seed, ...task } satisfies ThreadTask)) as R;
  return {
    play: (scenario) => run<ClientRun>({ scenario }),
    judge: judgeRun,
    runInThread: async (schedule, isJudged, signal) =>
      signal?.aborted ? undefined : run<ScheduleResult | undefined>({ schedule, isJudged }),
    close: () => pool.destroy(),
  };
}

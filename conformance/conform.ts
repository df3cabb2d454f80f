import { createHash, randomInt } from 'node:crypto';
import type { Capability } from '../scenarios/format/needs.js';
import type { RequirementId } from '../spec/generated/documents.js';
import { operations } from '../spec/generated/operations.js';
import { type CheckResult, readSuite } from './causes/check-result.js';
import { isLacking, parseLack } from './common/lacks.js';
import { checkShard, type Shard, selectShard } from './common/shard.js';
import { formatCount, formatTime, parseGlob } from './common/text.js';
import { serviceRules } from './rules/service-rules.js';
import { allCases, dialectCases } from './service/all-cases.js';
import { parseBaseUrl } from './service/http-client/base-url.js';
import {
  type Clock,
  type FetchFunction,
  Paces,
  realClock,
  type ServiceTarget,
} from './service/http-client/target.js';
import { Needs } from './service/needs/needs.js';
import { readRule } from './service/operations/rules.js';
import {
  addPresenceCheck,
  collapseTags,
  determinePresence,
  MISSING_CHECK,
} from './service/runner/presence.js';
import {
  type ConformEvent,
  type ConformReport,
  createReport,
  explainUntested,
  measureCoverage,
} from './service/runner/result.js';
import { type RunRemarks, type RunResult, runCases } from './service/runner/run.js';
import { smokeCheck } from './service/runner/smoke-check.js';
import type { FoundSequence } from './service/search/found-sequence.js';
import type { ReplayedSequence } from './service/search/results.js';
import { countSequences, TASKS_OF_SEQUENCE } from './service/search/sequence/sequence.js';
import { type Allowance, findMissingOption, type TestCase } from './service/test-case/test-case.js';

export interface ConformOptions {
  /** `{base_url}`; an address that ends in /api or /api/v1 is accepted too. */
  baseUrl: string;
  apiKey: string;
  /** Further API keys; some checks need them. */
  keys?: { other?: string | undefined; free?: string | undefined; exhausted?: string | undefined };
  /** Suites to run. Default: all. */
  suites?: readonly string[];
  /** Globs (`*` matches any text) over check ids. Default: all. */
  only?: readonly string[];
  /** Permits checks that cost money or change the account. */
  allow?: readonly Allowance[];
  /** Test cases that run at the same time. Default 12. */
  concurrency?: number;
  /** Time limit for a task or a result, ms. Default 60,000. */
  timeoutMs?: number;
  /** Initial pause between two polls, ms. Default 250. */
  pollIntervalMs?: number;
  /** Time limit of one request, ms. Default 10,000. */
  requestTimeoutMs?: number;
  /** Task texts in place of the built-in ones, by purpose. */
  texts?: Readonly<Record<string, string>>;
  /** Tools in place of the built-in ones. */
  tools?: readonly Record<string, unknown>[];
  /** Globs over ids of checks to leave out. */
  exclude?: readonly string[];
  /** Parts, tags, operation ids and request fields that the target does not have. Checks that need them are skipped. */
  lacks?: readonly string[];
  /**
   * How often a test case with a failed check is repeated, and a GET that gets a server error is sent again. A check that
   * then passes is flaky. Default 0.
   */
  retries?: number | undefined;
  /** Default: random; 1 for a shard. */
  seed?: number;
  /** Runs only this part of the test cases and of the generated sequences. `mergeReports` makes one report of all parts. */
  shard?: Shard | undefined;
  fetch?: FetchFunction;
  clock?: Clock;
  /** Ends the run early: the report holds the results so far, and created resources are removed. */
  signal?: AbortSignal;
  /** Number of generated request sequences, which a model of the service judges. Default 0. */
  search?: number | undefined;
  /** Time limit of the generated sequences, ms. */
  searchTimeMs?: number | undefined;
  /** A sequence that a search found. It is sent once more; every difference is a finding. */
  replay?: ReplayedSequence | undefined;
  /** Formats the command that reproduces a found sequence, for the report. */
  again?: ((found: FoundSequence, seed: number) => string) | undefined;
  /** Test cases in place of the built-in ones. */
  cases?: readonly TestCase[];
}

/** The report of a run, and results that the report format does not hold. */
export type ConformResult = ConformReport & RunRemarks & { found?: FoundSequence[] };

/** `needs`: an option that the case needs and that is not given. `lacking`: what the case needs and the target does not have. */
export type PlannedCase = TestCase & { needs: string | undefined; lacking: string | undefined };

export interface Plan {
  /** Each with its selected requirements. */
  cases: PlannedCase[];
  /** Cases of other shards that detect choices of the service: a search judges it by them. Their checks are not reported. */
  observing: PlannedCase[];
  /** Most tasks and sessions that the run creates, including the two of the smoke check. */
  tasks: number;
}

/** Checks a service. Throws TypeError for invalid options; faults of the target are reported, not thrown. */
export async function conform(
  options: ConformOptions,
  onEvent: (event: ConformEvent) => void = () => {},
): Promise<ConformResult> {
  const { clock = realClock, shard, signal, allow = [] } = options;
  // The parts belong together by their seed.
  const { seed = shard ? 1 : randomInt(1, 2 ** 31) } = options;
  checkShard(shard);
  const baseUrl = parseBaseUrl(options.baseUrl);
  for (const each of options.lacks ?? []) parseLack(each);
  const started = new Date();
  const from = clock.now();
  const { cases, observing, tasks } = planRun(options);
  const elsewhere = new Set<string>(observing.map(({ id }) => id));
  const isNamed = createSelector(options);
  const isSelected = (check: CheckResult) => isNamed(check) && !elsewhere.has(check.case);
  const planned = new Set(listCaseChecks(cases).map(({ id }) => id));
  let total = planned.size;
  let done = 0;
  onEvent({ type: 'start', baseUrl, seed, checks: total, tasks });
  const measureElapsed = () => Math.round(clock.now() - from);
  const paces = new Paces((pauseMs) => {
    const leftMs = (measureElapsed() / done) * (total - done);
    const estimate = done > 0 ? `; about ${formatTime(leftMs)} left at the rate so far` : '';
    const text = `The service responds with 429: the run waits ${formatTime(pauseMs)}, then sends requests more slowly${estimate}.`;
    onEvent({ type: 'note', text });
  });
  const needed: string[] = [];
  const target = {
    baseUrl,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    clock,
    keys: { ...options.keys, main: options.apiKey },
    requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
    paces,
    refused: new Set(),
    lacks: new Set(options.lacks),
    needs: new Needs((need) => {
      needed.push(need);
      onEvent({ type: 'note', text: `The service needs more than the API states. ${need}` });
    }),
  } satisfies ServiceTarget;
  const runId = createHash('sha256').update(`${seed} ${started.getTime()}`).digest('hex').slice(0, 8);
  const run = await runCases(
    {
      target,
      cases: [...cases, ...observing],
      rules: serviceRules,
      settings: {
        timeoutMs: options.timeoutMs ?? 60_000,
        // Waiting on a virtual clock costs no real time.
        ...(clock === realClock ? {} : { longestWaitMs: Number.POSITIVE_INFINITY }),
        pollIntervalMs: options.pollIntervalMs ?? 250,
        texts: options.texts ?? {},
        tools: options.tools,
      },
      allow,
      concurrency: options.concurrency ?? 12,
      runId,
      seed,
      signal,
      retries: options.retries,
    },
    (event) => {
      if (event.type !== 'check') onEvent(event);
      else if (isSelected(event.check)) {
        if (!planned.has(event.check.id)) total++;
        onEvent({ ...event, done: ++done, total, elapsedMs: measureElapsed(), isSlowed: paces.isSlowed });
      }
    },
  );
  const isPartial =
    options.only !== undefined || options.exclude !== undefined || options.suites !== undefined;
  const presence = run.unreachable
    ? undefined
    : await determinePresence(run.exchanges, target, options.lacks);
  const missing = presence?.missing.map(({ operation }) => operation) ?? [];
  const lacks = [...(options.lacks ?? []), ...missing];
  const result = await addSearch(run, { ...options, lacks }, { target, seed, runId }, onEvent);
  const all = presence
    ? addPresenceCheck(result.checks, presence, run.exchanges, (each) => readRule(each).id)
    : result.checks;
  // The number of sequences selects them, not a glob. The check of missing operations is only excluded by name: because of it,
  // selected checks are skipped, not failed.
  const isMissing = createSelector({ exclude: options.exclude ?? [] });
  const checks = all.filter(
    (check) =>
      check.suite === 'search' || isSelected(check) || (check.id === MISSING_CHECK && isMissing(check)),
  );
  const report: ConformResult = {
    ...result,
    ...createReport({
      target: { base_url: baseUrl },
      seed,
      ...(shard && { shard }),
      started,
      duration_ms: measureElapsed(),
      ...result,
      ...(needed.length > 0 && { needs: needed }),
      ...(missing.length > 0 && { operations: { ...presence!, lacks: collapseTags(missing) } }),
      checks,
      requirements: measureCoverage('service', checks, (each) => explainUntested(each, checks, shard), {
        isPartial,
      }),
    }),
  };
  onEvent({ type: 'end', report });
  return report;
}

type RunWithSearch = RunResult & Pick<ConformResult, 'sequences' | 'found'>;

/** Sends generated sequences in the dialect that the run observed, or replays a found one. */
async function addSearch(
  run: RunResult,
  options: ConformOptions,
  { target, seed, runId }: { target: ServiceTarget; seed: number; runId: string },
  onEvent: (event: ConformEvent) => void,
): Promise<RunWithSearch> {
  const { search: sequences = 0, searchTimeMs: timeMs, shard, replay, allow, lacks, signal } = options;
  if (run.unreachable || run.stopped !== undefined || signal?.aborted) return run;
  const ownSequences = countSequences(sequences, shard);
  if (ownSequences < 1 && !replay) return run;
  const { replaySequence, search } = await import('./service/search/search.js');
  const { createResults, createReplayResults } = await import('./service/search/results.js');
  const isVirtual = options.clock !== undefined && options.clock !== realClock;
  const setup = {
    target,
    runId,
    signal,
    ...(isVirtual && { longestWaitMs: Number.POSITIVE_INFINITY }),
  };
  const after = run.exchanges.length;
  if (replay) {
    const played = await replaySequence(setup, replay);
    const { checks, exchanges } = createReplayResults(played, replay, after);
    const all = { checks: [...run.checks, ...checks], exchanges: [...run.exchanges, ...exchanges] };
    return { ...run, ...all, left: [...run.left, ...played.left] };
  }
  onEvent({ type: 'note', text: `Sending ${formatCount(ownSequences, 'generated sequence')} of requests.` });
  // Concurrent sequences would share the virtual clock.
  const concurrency = isVirtual ? 1 : (options.concurrency ?? 12);
  const searched = await search({
    ...setup,
    dialect: run.dialect,
    sequences,
    shard,
    timeMs,
    seed,
    allow,
    lacks,
    concurrency,
  });
  const { again = ({ key }) => key } = options;
  const results = createResults(searched, after, (found) => again(found, seed));
  return {
    ...run,
    checks: [...run.checks, ...results.checks],
    exchanges: [...run.exchanges, ...results.exchanges],
    sequences: results.sequences,
    found: searched.found,
    left: [...run.left, ...searched.left],
    ...(searched.stopped !== undefined && { stopped: searched.stopped }),
  };
}

export type SearchServiceOptions = Omit<ConformOptions, 'search' | 'cases' | 'suites' | 'only'> & {
  sequences?: number;
};

/** Checks a service by generated request sequences alone, in the dialect that it is observed to use. Default: 200 sequences. */
export function searchService(
  { sequences = 200, ...options }: SearchServiceOptions,
  onEvent?: (event: ConformEvent) => void,
): Promise<ConformResult> {
  return conform({ ...options, search: sequences, cases: dialectCases }, onEvent);
}

export function listCaseChecks(cases: readonly TestCase[]): { id: string; requirement: RequirementId }[] {
  return cases.flatMap(({ id, covers }) =>
    covers.map((requirement) => ({ id: `${id}#${requirement}`, requirement })),
  );
}

export type Selection = Omit<ConformOptions, 'baseUrl' | 'apiKey'>;

/** Suites whose cases all need an optional part of the API. */
const PART_OF_SUITE: Readonly<Record<string, Capability>> = { sessions: 'sessions', 'tool-calls': 'tools' };

/** The test cases that `conform` runs with these options. Sends nothing. */
export function planRun(options: Selection): Plan {
  const { lacks = [], shard, search = 0 } = options;
  const isSelected = createSelector(options);
  const selected = (options.cases ?? allCases).flatMap((testCase) => {
    const { id } = testCase;
    if (options.suites && !options.suites.includes(readSuite(id))) return [];
    const covers = testCase.covers.filter((requirement) =>
      isSelected({ id: `${id}#${requirement}`, case: id }),
    );
    const isWithoutChecks = testCase.covers.length === 0 && isSelected({ id, case: id });
    return covers.length > 0 || isWithoutChecks
      ? [
          {
            ...testCase,
            covers,
            needs: findMissingOption(testCase, options),
            lacking: findLack(testCase, lacks),
          },
        ]
      : [];
  });
  const cases = selectShard(selected, shard);
  const isObserving = ({ id }: TestCase) => dialectCases.some((each) => each.id === id);
  const observing =
    shard && search > 0 ? selected.filter((each) => !cases.includes(each) && isObserving(each)) : [];
  const tried = [...cases, ...observing].filter(
    ({ needs, lacking }) => needs === undefined && lacking === undefined,
  );
  const sent = tried.length > 0 ? [smokeCheck, ...tried] : [];
  const tries = 1 + (options.retries ?? 0);
  const ofSequences = countSequences(search, shard) * TASKS_OF_SEQUENCE;
  return {
    cases,
    observing,
    tasks: tries * sent.reduce((sum, { tasks = 0 }) => sum + tasks, 0) + ofSequences,
  };
}

/** What the case needs and the target does not have. */
function findLack(
  { id, operations: called, parts = [] }: TestCase,
  lacks: readonly string[],
): string | undefined {
  const part = PART_OF_SUITE[readSuite(id)];
  const operation = called.find((each) => isLacking(each, lacks));
  if (operation !== undefined) return lacks.includes(operation) ? operation : operations[operation].tag;
  return [...(part ? [part] : []), ...parts].find((each) => lacks.includes(each));
}

/** Selects a check by its id or that of its case. Unselected checks are not reported, even if they fail. */
function createSelector({ only, exclude = [] }: Selection): (check: { id: string; case: string }) => boolean {
  const matchesGlob = (globs: readonly RegExp[], check: { id: string; case: string }) =>
    globs.some((glob) => glob.test(check.id) || glob.test(check.case));
  const [wanted, unwanted] = [only?.map(parseGlob), exclude.map(parseGlob)];
  return (check) => (wanted === undefined || matchesGlob(wanted, check)) && !matchesGlob(unwanted, check);
}

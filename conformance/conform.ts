import { createHash, randomInt } from 'node:crypto';
import { type OperationId, operations } from '../spec/generated/operations.js';
import { globOf } from './report/glob.js';
import { serviceRules } from './rules/all-rules.js';
import { allProbes } from './service/all-cases.js';
import type { Allowance, Probe, Settings } from './service/cases/test-case.js';
import { Pace } from './service/http-client/pace.js';
import { baseUrl, type Fetch } from './service/http-client/target.js';
import { type Clock, realClock } from './service/runner/clock.js';
import { coverageOf } from './service/runner/coverage.js';
import {
  type CheckResult,
  type ConformEvent,
  type ConformReport,
  summaryOf,
} from './service/runner/result.js';
import { type RunResult, runProbes } from './service/runner/run.js';
import { VERSION } from './version.js';

export interface ConformOptions {
  /** `{base_url}`; an address that ends in /api or /api/v1 is understood too. */
  base_url: string;
  api_key: string;
  /** More keys, which unlock more checks. */
  keys?: { other?: string | undefined; free?: string | undefined; exhausted?: string | undefined };
  /** Suites to run; all unless given. */
  suites?: readonly string[];
  /** Globs (`*` for anything) over ids of checks; all unless given. */
  only?: readonly string[];
  /** What may be done that costs money or changes the account. */
  allow?: readonly Allowance[];
  /** Probes at a time. Default 12. */
  concurrency?: number;
  /** Until a task or a result has to be there, ms. Default 60,000. */
  timeout_ms?: number;
  /** Between two polls at first, ms. Default 250. */
  poll_interval_ms?: number;
  /** For one request, ms. Default 10,000. */
  request_timeout_ms?: number;
  /** Task texts in place of ours, by purpose. */
  texts?: Readonly<Record<string, string>>;
  /** Tools in place of ours. */
  tools?: readonly Record<string, unknown>[];
  /** Operation ids or tags that the target has not got. */
  lacks?: readonly string[];
  seed?: number;
  fetch?: Fetch;
  clock?: Clock;
  /** Ends the run early: what is known so far is the report, and what was created is removed. */
  signal?: AbortSignal;
  /** For those who bring their own. */
  probes?: readonly Probe[];
}

/** A run's report, and what a report has no place for. */
export interface Conformed extends ConformReport {
  /** The target never answered as a service of this API. */
  unreachable: boolean;
  /** What could not be removed from the target. */
  left: string[];
  /** Checks that failed themselves. */
  faults: string[];
}

/** What a run would do. */
export interface Plan {
  probes: {
    id: string;
    title: string;
    operations: readonly OperationId[];
    tasks: number;
    checks: string[];
    allow?: Allowance;
  }[];
  /** Tasks and sessions created at most, the two of the gate included. */
  tasks: number;
}

const GATE_TASKS = 2;

/** Judges a service. Throws TypeError for options that cannot be; nothing that the target does is thrown. */
export async function conform(
  options: ConformOptions,
  onEvent: (event: ConformEvent) => void = () => {},
): Promise<Conformed> {
  const clock = options.clock ?? realClock;
  const base_url = baseUrl(options.base_url);
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  const started = new Date();
  const from = clock.now();
  const { probes, tasks } = select(options);
  const asked = askedFor(options);
  const total = probes.reduce((sum, probe) => sum + probe.covers.length, 0);
  let done = 0;
  onEvent({ type: 'start', base_url, seed, checks: total, tasks });
  const result = await runProbes(
    {
      target: {
        base_url,
        fetch: options.fetch ?? ((input, init) => fetch(input, init)),
        clock,
        keys: keysOf(options),
        request_timeout_ms: options.request_timeout_ms ?? 10_000,
        pace: new Pace(),
      },
      probes,
      rules: serviceRules,
      settings: settingsOf(options),
      allow: options.allow ?? [],
      concurrency: options.concurrency ?? 12,
      run_id: createHash('sha256').update(`${seed} ${started.getTime()}`).digest('hex').slice(0, 8),
      ...(options.signal ? { signal: options.signal } : {}),
    },
    {
      onProbe: (probe, running) => onEvent({ type: 'probe', probe: probe.id, running }),
      onChecks(checks) {
        for (const check of checks.filter(asked)) onEvent({ type: 'check', check, done: ++done, total });
      },
      onNote: (text) => onEvent({ type: 'note', text }),
    },
  );
  const report = reportOf(
    { ...result, checks: result.checks.filter(asked) },
    { base_url, seed, started, duration_ms: Math.round(clock.now() - from) },
    options,
  );
  onEvent({ type: 'end', report });
  return { ...report, unreachable: result.unreachable, left: result.left, faults: result.faults };
}

/** What `conform` would send with these options. Sends nothing. */
export function planOf(options: Omit<ConformOptions, 'base_url' | 'api_key'>): Plan {
  const { probes, tasks } = select(options);
  return {
    probes: probes.map(({ id, title, operations: called, tasks: made, covers, allow }) => ({
      id,
      title,
      operations: called,
      tasks: made ?? 0,
      checks: covers.map((requirement) => `${id}#${requirement}`),
      ...(allow === undefined ? {} : { allow }),
    })),
    tasks,
  };
}

type Selection = Omit<ConformOptions, 'base_url' | 'api_key'>;

function select(options: Selection): { probes: Probe[]; tasks: number } {
  const lacking = new Set(options.lacks);
  const asked = askedFor(options);
  const probes = (options.probes ?? allProbes).flatMap((probe) => {
    if (options.suites && !options.suites.includes(probe.id.split('/')[0]!)) return [];
    if (probe.operations.some((id) => lacking.has(id) || lacking.has(operations[id].tag))) return [];
    const covers = probe.covers.filter((requirement) => asked({ id: `${probe.id}#${requirement}` }));
    return covers.length > 0 ? [{ ...probe, covers }] : [];
  });
  const tried = probes.filter(
    ({ allow, keys }) =>
      (allow === undefined || options.allow?.includes(allow)) &&
      (keys ?? []).every((key) => options.keys?.[key] !== undefined),
  );
  const tasks = tried.reduce((sum, probe) => sum + (probe.tasks ?? 0), tried.length > 0 ? GATE_TASKS : 0);
  return { probes, tasks };
}

/** Whether a check was asked for, by its id or that of its probe; with globs others are not told of even when they fail. */
function askedFor({ only }: Pick<ConformOptions, 'only'>): (check: { id: string }) => boolean {
  if (!only) return () => true;
  const globs = only.map(globOf);
  return ({ id }) => globs.some((glob) => glob.test(id) || glob.test(id.slice(0, id.indexOf('#'))));
}

function keysOf({ api_key, keys }: ConformOptions) {
  const more = Object.entries(keys ?? {}).filter(([, value]) => value !== undefined);
  return { main: api_key, ...Object.fromEntries(more) } as { main: string };
}

function settingsOf(options: ConformOptions): Settings {
  // Waiting on a virtual clock costs no real time.
  const isVirtual = options.clock !== undefined && options.clock !== realClock;
  return {
    timeout_ms: options.timeout_ms ?? 60_000,
    ...(isVirtual ? { longest_wait_ms: Number.POSITIVE_INFINITY } : {}),
    poll_interval_ms: options.poll_interval_ms ?? 250,
    texts: options.texts ?? {},
    tools: options.tools,
  };
}

function reportOf(
  result: RunResult,
  run: { base_url: string; seed: number; started: Date; duration_ms: number },
  options: ConformOptions,
): ConformReport {
  const report: ConformReport = {
    taskdouble: VERSION,
    target: { base_url: run.base_url },
    seed: run.seed,
    started: run.started.toISOString(),
    duration_ms: run.duration_ms,
    summary: summaryOf(result.checks),
    checks: result.checks,
    exchanges: result.exchanges,
    dialect: result.dialect,
    requirements: coverageOf('service', result.checks, (each) => whyNot(each, result.checks, options)),
  };
  if (result.stopped !== undefined) report.stopped = result.stopped;
  if (result.shortened > 0) report.shortened = result.shortened;
  return report;
}

/** Why a rule of the service was not put to the test. */
function whyNot(
  { id, unobservable }: { id: string; unobservable?: string },
  checks: readonly CheckResult[],
  { only, suites }: ConformOptions,
): string {
  if (unobservable !== undefined) return unobservable;
  const tried = checks.find(({ covers }) => covers.some((each) => each === id));
  if (tried) return tried.message;
  return only || suites ? 'no check of it was asked for' : 'the suite has no check of it';
}

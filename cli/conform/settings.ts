import { existsSync } from 'node:fs';
import { readCommandName } from '../../conformance/common/command-name.js';
import { CONFIG_FILE, type Config, loadConfig } from '../../conformance/config/config.js';
import { type ConformOptions, listCaseChecks, planRun, type Selection } from '../../conformance/conform.js';
import { parseBaseUrl } from '../../conformance/service/http-client/base-url.js';
import { SUITES } from '../../conformance/service/test-case/test-case.js';
import { findNearest } from '../../spec/nearest.js';
import type { ConformFlags } from '../conform.js';
import { UsageError } from '../exit-codes.js';
import { readLacks } from '../judging/lacks.js';
import { createShardError } from '../shard.js';

/** Generated sequences of `--suite all`. */
const SEQUENCES_OF_ALL = 300;

/** Merges the flags over the configuration. Throws UsageError or InvalidFile. */
export function readSettings(
  baseUrl: string | undefined,
  flags: ConformFlags,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Config {
  const config = readConfig(flags.config, say);
  const isAll = flags.suite?.includes('all');
  const search = flags.search ?? (isAll ? SEQUENCES_OF_ALL : undefined);
  const given: { [Name in keyof Config]: Config[Name] | undefined } = {
    baseUrl,
    only: flags.only,
    exclude: flags.exclude,
    allow: flags.allow,
    concurrency: flags.concurrency,
    report: flags.report,
    baseline: flags.baseline,
    dialectOut: flags.dialectOut,
    lacksOut: flags.lacksOut,
    strict: flags.strict,
    har: flags.har,
    seed: flags.seed,
    retries: flags.retries,
    apiKey: flags.apiKey ?? (env.TASKDOUBLE_API_KEY?.trim() ? env.TASKDOUBLE_API_KEY : undefined),
    keys: { ...config.keys, ...flags.key },
    suites: flags.suite?.filter((suite) => suite !== 'all'),
    lacks: flags.lacks && readLacks(flags.lacks),
    search,
    searchTimeMs: flags.searchTime,
    timeoutMs: flags.timeout,
    pollIntervalMs: flags.pollInterval,
  };
  // With `all` there is no selection.
  if (isAll) given.suites = undefined;
  const isGiven = ([, value]: [string, unknown]) => value !== undefined;
  return { ...config, ...Object.fromEntries(Object.entries(given).filter(isGiven)) };
}

function readConfig(path: string | undefined, say: (line: string) => void): Config {
  if (path !== undefined) return loadConfig(path);
  if (!existsSync(CONFIG_FILE)) return {};
  say(`using ${CONFIG_FILE} of this directory (--config names another)`);
  return loadConfig(CONFIG_FILE);
}

/** Throws UsageError if the address or the key is missing, or if the address is invalid. */
export function toConformOptions(settings: Config): ConformOptions {
  const { baseUrl, apiKey } = settings;
  if (baseUrl === undefined) {
    throw new UsageError(
      `which service? Give its address: ${readCommandName()} conform http://127.0.0.1:4010 --api-key KEY (or base_url in the configuration)`,
    );
  }
  if (apiKey === undefined) {
    throw new UsageError(
      'no key: give --api-key KEY, or set TASKDOUBLE_API_KEY (or api_key in the configuration)',
    );
  }
  return { ...settings, baseUrl: readAddress(baseUrl), apiKey };
}

function readAddress(given: string): string {
  // A query may contain a key: the message does not repeat it.
  if (/[?#]/.test(given))
    throw new UsageError('expected an address without a query or a fragment, such as http://127.0.0.1:4010');
  try {
    return parseBaseUrl(given);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

/** Throws UsageError for a glob that matches no check, for a selection without any check, and for a shard without any. */
export function checkSelection({ shard, ...selection }: Selection): void {
  for (const glob of [...(selection.only ?? []), ...(selection.exclude ?? [])]) {
    if (planRun({ only: [glob] }).cases.length > 0) continue;
    const option = selection.only?.includes(glob) ? '--only' : '--exclude';
    const all = planRun({}).cases;
    const requirements = listCaseChecks(all).map(({ requirement }) => `*#${requirement}`);
    const meant = findNearest(glob, [
      ...SUITES.map((suite) => `${suite}/*`),
      ...requirements,
      ...all.map(({ id }) => id),
    ]);
    const advice = meant ? `did you mean "${meant}"?` : '--plan lists all checks.';
    throw new UsageError(`${option}: no check fits "${glob}"; ${advice}`);
  }
  const { cases } = planRun(selection);
  if (cases.length > 0 && planRun({ ...selection, shard }).cases.length === 0)
    throw createShardError(cases.length, 'test case');
  if (cases.some(({ lacking }) => lacking === undefined)) return;
  throw new UsageError(
    'no check is left with this --suite, --only, --exclude and --lacks: use less narrow ones.',
  );
}

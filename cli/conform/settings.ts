import { existsSync } from 'node:fs';
import { CONFIG_FILE, type Config, loadConfig } from '../../conformance/config/config.js';
import { type ConformOptions, checksOf, planOf } from '../../conformance/conform.js';
import { parseBaseUrl } from '../../conformance/service/http-client/target.js';
import { suiteOf } from '../../conformance/service/runner/result.js';
import { nearest } from '../../spec/nearest.js';
import type { ConformFlags } from '../conform.js';
import { UsageError } from '../exit-codes.js';

type FlagSelection = Pick<ConformOptions, 'suites' | 'only' | 'lacks' | 'allow' | 'keys'>;

/** Puts the options of the command line and of the configuration together. Throws UsageError or InvalidFile. */
export function readSettings(
  base_url: string | undefined,
  flags: ConformFlags,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Config {
  const config = configOf(flags.config, say);
  const { suite, only, allow, concurrency, report, baseline, strict, har, seed } = flags;
  const given: Config = {
    ...{ base_url, suite, only, allow, concurrency, report, baseline, strict, har, seed },
    api_key: flags.apiKey ?? (env.TASKDOUBLE_API_KEY?.trim() ? env.TASKDOUBLE_API_KEY : undefined),
    key: { ...config.key, ...flags.key },
    timeout_ms: flags.timeout,
    poll_interval_ms: flags.pollInterval,
    dialect_out: flags.dialectOut,
  };
  const isGiven = ([, value]: [string, unknown]) => value !== undefined;
  return { ...config, ...Object.fromEntries(Object.entries(given).filter(isGiven)) };
}

function configOf(path: string | undefined, say: (line: string) => void): Config {
  if (path !== undefined) return loadConfig(path);
  if (!existsSync(CONFIG_FILE)) return {};
  say(`using ${CONFIG_FILE} of this directory (--config names another)`);
  return loadConfig(CONFIG_FILE);
}

export function selectionOf({ suite, only, lacks, allow, key }: Config): FlagSelection {
  return { suites: suite, only, lacks, allow, keys: key };
}

/** Throws UsageError where the address or the key is missing, or the address cannot be one. */
export function optionsOf(settings: Config): ConformOptions {
  const { base_url, api_key, concurrency, timeout_ms, poll_interval_ms, texts, tools, seed } = settings;
  if (base_url === undefined) {
    throw new UsageError(
      'which service? Give its address: taskdouble conform http://127.0.0.1:4010 --api-key KEY (or base_url in the configuration)',
    );
  }
  if (api_key === undefined) {
    throw new UsageError(
      'no key: give --api-key KEY, or set TASKDOUBLE_API_KEY (or api_key in the configuration)',
    );
  }
  return {
    baseUrl: readAddress(base_url),
    apiKey: api_key,
    ...selectionOf(settings),
    ...{ concurrency, texts, tools, seed },
    timeoutMs: timeout_ms,
    pollIntervalMs: poll_interval_ms,
  };
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

/** Throws UsageError for a glob that fits no check, and for a selection that leaves none. */
export function checkSelection(selection: FlagSelection): void {
  for (const glob of selection.only ?? []) {
    if (planOf({ only: [glob] }).cases.length > 0) continue;
    const all = planOf({}).cases;
    const checks = checksOf(all);
    const suites = [...new Set(all.map(({ id }) => `${suiteOf(id)}/*`))];
    const requirements = new Set(checks.map(({ requirement }) => `*#${requirement}`));
    const ids = [...all, ...checks].map(({ id }) => id);
    const meant = nearest(glob, [...suites, ...requirements, ...ids]);
    throw new UsageError(
      `--only: no check fits "${glob}"; ${meant ? `did you mean "${meant}"?` : `try one of ${suites.join(', ')}; --plan lists all checks.`}`,
    );
  }
  if (planOf(selection).cases.length > 0) return;
  throw new UsageError('no check is left with this --suite, --only and "lacks": ask for less narrow ones.');
}

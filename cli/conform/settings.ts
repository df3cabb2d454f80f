import { existsSync } from 'node:fs';
import { CONFIG_FILE, type Config, loadConfig } from '../../conformance/config/config.js';
import type { ConformFlags } from '../conform.js';
import { UsageError } from '../usage-error.js';

/** The options of a run, those of the command line before those of the configuration. */
export interface ConformSettings extends Omit<Config, 'report'> {
  plan: boolean;
  reports: string[];
}

/** Puts the options of the command line and of the configuration together. Throws UsageError or InvalidFile. */
export function readSettings(
  base_url: string | undefined,
  flags: ConformFlags,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): ConformSettings {
  const { report, ...config } = configOf(flags.config, say);
  const given: Partial<ConformSettings> = {
    base_url,
    api_key: flags.apiKey ?? (env.TASKDOUBLE_API_KEY?.trim() ? env.TASKDOUBLE_API_KEY : undefined),
    key: { ...config.key, ...flags.key },
    suite: flags.suite,
    only: flags.only,
    allow: flags.allow,
    concurrency: flags.concurrency,
    timeout_ms: flags.timeout,
    poll_interval_ms: flags.pollInterval,
    baseline: flags.baseline,
    dialect_out: flags.dialectOut,
    har: flags.har,
    strict: flags.strict,
    seed: flags.seed,
  };
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...config,
    ...Object.fromEntries(said),
    plan: flags.plan === true,
    reports: flags.report ?? report ?? [],
  };
}

function configOf(path: string | undefined, say: (line: string) => void): Config {
  if (path !== undefined) return loadConfig(path);
  if (!existsSync(CONFIG_FILE)) return {};
  say(`using ${CONFIG_FILE} of this directory (--config names another)`);
  return loadConfig(CONFIG_FILE);
}

/** What a run cannot do without. */
export function needed(settings: ConformSettings): { base_url: string; api_key: string } {
  const { base_url, api_key } = settings;
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
  return { base_url, api_key };
}

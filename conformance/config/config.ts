import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readFile } from '../../mock/options/files.js';
import { InvalidFile } from '../../scenarios/format/invalid-file.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { type Path, Source, type Violation } from '../../scenarios/format/load/source.js';
import { parseDuration } from '../../spec/duration.js';
import { createValidator } from '../../spec/json-schema/evaluate.js';
import { findViolations } from '../../spec/json-schema/violations.js';
import type { ConformOptions } from '../conform.js';

export const CONFIG_FILE = 'taskdouble.config.yaml';
const SCHEMA_FILE = 'conformance/config/config.schema.json';

type ConfigOptions = Omit<ConformOptions, 'fetch' | 'clock' | 'signal' | 'cases' | 'replay' | 'again'>;

/** A configuration without absent options. Paths are absolute. */
export interface Config extends Partial<ConfigOptions> {
  /** FORMAT or FORMAT=PATH. */
  report?: string[];
  baseline?: string;
  dialectOut?: string;
  lacksOut?: string;
  har?: string;
  strict?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The file as written: names with underscores, durations with units, keys as variables. */
interface WrittenConfig
  extends Omit<
    Config,
    | 'baseUrl'
    | 'apiKey'
    | 'keys'
    | 'suites'
    | 'timeoutMs'
    | 'pollIntervalMs'
    | 'searchTimeMs'
    | 'dialectOut'
    | 'lacksOut'
  > {
  base_url?: string;
  api_key?: string;
  key?: Record<string, string>;
  suite?: string[];
  timeout?: string | number;
  poll_interval?: string | number;
  search_time?: string | number;
  dialect_out?: string;
  lacks_out?: string;
}

/** Throws InvalidFile with all problems, each with its line and column. */
export function loadConfig(path: string): Config {
  return readConfig(readFile(path), path);
}

/** `env` resolves `$NAME`. */
export function readConfig(text: string, file: string, env: Environment = process.env): Config {
  const { source, written } = readWritten(text, file);
  throwViolations(source, checkKeys(written, env));
  return resolveConfig(written, resolve(dirname(file)), env);
}

/** For commands that use no other option than `lacks`; `others` names the options that they ignore. Throws InvalidFile. */
export function loadLacks(path: string): { lacks: string[] | undefined; others: string[] } {
  const { written } = readWritten(readFile(path), path);
  const { lacks, ...others } = written;
  return { lacks: lacks && [...lacks], others: Object.keys(others) };
}

function readWritten(text: string, file: string): { source: Source; written: WrittenConfig } {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) throw new InvalidFile(problems);
  // A file that holds only comments is an empty configuration.
  const value = source.value ?? {};
  const schema = JSON.parse(readFileSync(join(findPackageRoot(), SCHEMA_FILE), 'utf8')) as object;
  throwViolations(source, findViolations(createValidator(schema), value));
  return { source, written: value as WrittenConfig };
}

/** Finds unset variables, which the schema cannot check. */
function checkKeys({ api_key, key = {} }: WrittenConfig, env: Environment): Violation[] {
  const keys: [Path, string | undefined][] = [
    [['api_key'], api_key],
    ...Object.entries(key).map(([name, each]): [Path, string] => [['key', name], each]),
  ];
  return keys.flatMap(([path, written]) => {
    const name = written?.startsWith('$') ? written.slice(1) : undefined;
    if (name === undefined || env[name]) return [];
    const state = env[name] === undefined ? 'is not set' : 'is empty';
    return [{ path, message: `the environment variable ${name} ${state}: set it to the key` }];
  });
}

function throwViolations(source: Source, violations: readonly Violation[]): void {
  if (violations.length > 0) throw new InvalidFile(source.toProblems(violations));
}

function resolveConfig(written: WrittenConfig, directory: string, env: Environment): Config {
  const {
    base_url,
    api_key,
    key,
    suite,
    timeout,
    poll_interval,
    search_time,
    dialect_out,
    lacks_out,
    ...same
  } = written;
  const resolvePath = (given: string | undefined) => given && resolve(directory, given);
  const resolveSecret = (given: string | undefined) => (given?.startsWith('$') ? env[given.slice(1)] : given);
  const settled: { [Name in keyof Config]: Config[Name] | undefined } = {
    ...same,
    baseUrl: base_url,
    apiKey: resolveSecret(api_key),
    keys: key && Object.fromEntries(Object.entries(key).map(([name, value]) => [name, resolveSecret(value)])),
    suites: suite,
    timeoutMs: parseDuration(timeout),
    pollIntervalMs: parseDuration(poll_interval),
    searchTimeMs: parseDuration(search_time),
    baseline: resolvePath(same.baseline),
    dialectOut: resolvePath(dialect_out),
    lacksOut: resolvePath(lacks_out),
    har: resolvePath(same.har),
    report: same.report?.map((each) => resolveReport(each, directory)),
  };
  return Object.fromEntries(Object.entries(settled).filter(([, value]) => value !== undefined));
}

function resolveReport(report: string, directory: string): string {
  const at = report.indexOf('=');
  return at === -1 ? report : `${report.slice(0, at)}=${resolve(directory, report.slice(at + 1))}`;
}

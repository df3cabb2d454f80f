import { InvalidArgumentError } from 'commander';
import { FORMATS } from '../conformance/report/formats.js';
import { parseUrl } from '../spec/addresses.js';
import { parseDuration } from '../spec/duration.js';
import { parseShard } from './shard.js';
import { Option } from './typed-commander.js';

/** A day, ms. */
const LONGEST_MS = 86_400_000;
/** Maximum of rates and bounds: far beyond what one machine serves. */
const MOST = 1_000_000_000;

/** Parses an option; throws InvalidArgumentError. */
type OptionParser<T> = (text: string) => T;

function createIntegerParser(least: number, most: number): OptionParser<number> {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Any whole number that is exact in JSON. */
export const parseSeed = createIntegerParser(0, Number.MAX_SAFE_INTEGER);
export const parseConcurrency = createIntegerParser(1, 64);
/** 0: any free port. */
export const parsePort = createIntegerParser(0, 65_535);
export const parseBound = createIntegerParser(1, MOST);
export const parseDeviations = createIntegerParser(0, 4);
const parseRetries = createIntegerParser(0, 10);

/** For options that may be given several times. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

export function parseDurationMs(text: string): number {
  const ms = parseDuration(/^\d+$/.test(text) ? Number(text) : text);
  if (ms && ms <= LONGEST_MS) return ms;
  throw new InvalidArgumentError('Expected a duration above 0 and up to a day, such as 300ms, 1.5s or 2m.');
}

export function parsePositive(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= MOST) return value;
  throw new InvalidArgumentError('Expected a number above 0, such as 10 or 0.5.');
}

/** Requests a second: `20/s`, or `20`. */
export function parseRate(text: string): number {
  const value = Number(/^(\d+)(?:\/s)?$/.exec(text)?.[1]);
  if (value >= 1 && value <= 100_000) return value;
  throw new InvalidArgumentError('Expected requests a second, 1/s to 100000/s, such as 20/s.');
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  K: 1e3,
  KI: 1024,
  M: 1e6,
  MI: 1024 ** 2,
  G: 1e9,
  GI: 1024 ** 3,
};

/** Bytes: `100MB`, `64KiB`, `5000`. */
function parseSize(text: string): number {
  const [, digits, unit = ''] = /^(\d+) ?(?:([KMG]i?)?B?)$/i.exec(text) ?? [];
  const bytes = Number(digits) * UNITS[unit.toUpperCase()]!;
  if (bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER) return bytes;
  throw new InvalidArgumentError('Expected a size above 0, such as 100MB, 64KiB or 5000 (bytes).');
}

/** Rejects an empty text: an unset variable must not become an empty secret. */
export function parseToken(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Expected a key or token; is the variable set?');
}

/** An http or https address, without a slash at the end: paths are appended to it. */
export function parseOrigin(text: string): string {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '')
    return url.href.replace(/\/+$/, '');
  throw new InvalidArgumentError('Expected an address such as http://mock:4010.');
}

export const REPORT = [
  '--report <format[=path]>',
  `${FORMATS.join(', ').replace('pretty', 'pretty (default, to stdout)')}; repeatable`,
  collect,
] as const;
export const ALL = [
  '--all',
  'print every failure, not only causes with an example each; in JSON also the exchanges of passed checks',
] as const;
export const LACKS = [
  '--lacks <name>',
  'what is not there, repeatable: sessions, cancel, close, tools, files, profiles, structured-output, an operation, a request field',
  collect,
] as const;
export const CONFIG = [
  '--config <file>',
  'configuration, of which "lacks" is read (default: taskdouble.config.yaml if it exists)',
] as const;
export const BASELINE = ['--baseline <file>', 'known failures, each with a reason and an expiry'] as const;
export const WRITE_BASELINE = [
  '--write-baseline <file>',
  'write the failures by cause as a baseline, to fill in',
] as const;
/** For commands that run every check. */
export const UPDATE_BASELINE = [
  '--update-baseline',
  'remove from the file of --baseline what does not fail any more',
] as const;

export const SHARD = [
  '--shard <i/n|auto>',
  'run this part: 1/4 to 4/4 share the work, merge-reports merges the reports; auto: as the CI system says',
  (text: string) => parseShard(text),
] as const;

export const RETRIES = [
  '--retries <n>',
  'times that a failure is tried again: what passes then is flaky and fails nothing (default: 0)',
  parseRetries,
] as const;
export const STRICT = ['--strict', 'an inconclusive or flaky check counts as failed'] as const;

/** The clock of the client. `auto`: virtual if the name of the command is one that starts Node.js. */
const TIME_MODES = ['auto', 'real', 'virtual'] as const;
export type TimeMode = (typeof TIME_MODES)[number];

export function createTimeOption(usual: string) {
  const what = `real, virtual, or auto: virtual if the command starts Node.js or is an adapter that can follow it (default: ${usual})`;
  return new Option('--time <kind>', what).choices(TIME_MODES);
}

export const NETWORK = [
  '--network <file|spec>',
  'network faults between client and service: a file, or rules as text',
] as const;
export const JOURNAL = [
  '--journal <file>',
  'append every exchange to this file as a line of JSON, keys redacted; .gz packs it',
] as const;
export const JOURNAL_MAX_SIZE = [
  '--journal-max-size <size>',
  'begin a new journal file at this size, such as 100MB; keeps one',
  parseSize,
] as const;

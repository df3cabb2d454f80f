import { Source, type Violation } from '../../scenarios/format/load/source.js';
import type { Problem } from '../../scenarios/format/types.js';
import { nearest } from '../../spec/nearest.js';
import { show } from '../../spec/show.js';
import type { CheckResult, ConformReport } from '../service/runner/result.js';
import { globOf } from './glob.js';

/** A failure that is known, and until when it may be. */
export interface BaselineEntry {
  /** Id of a check, or a glob over ids. */
  check: string;
  reason: string;
  /** YYYY-MM-DD: the last day on which it counts. */
  expires: string;
  /** Where it stands. */
  line: number;
  column: number;
}

/** Known failures, as they stand in a file. */
export interface Baseline {
  file: string;
  entries: BaselineEntry[];
}

const KEYS = ['check', 'reason', 'expires'] as const;

/** Reads a baseline from YAML. Without one the problems say what is wrong and where. */
export function loadBaseline(text: string, file: string): { baseline?: Baseline; problems: Problem[] } {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) return { problems };
  const { value } = source;
  if (!Array.isArray(value)) {
    const message = `expected a list of known failures, each with ${KEYS.join(', ')}; found ${show(value)}`;
    return { problems: [source.problem({ path: [], message })] };
  }
  const complaints = value.flatMap((entry, index) => [
    ...checkEntry(entry, index),
    ...checkTwice(value, index),
  ]);
  if (complaints.length > 0) return { problems: complaints.map((complaint) => source.problem(complaint)) };
  const entries = value.map((entry, index) => ({
    ...(entry as { check: string; reason: string; expires: string }),
    ...source.place([index, 'check'], 'key'),
  }));
  return { baseline: { file, entries }, problems: [] };
}

function checkEntry(entry: unknown, index: number): Violation[] {
  if (entry === null || typeof entry !== 'object' || Array.isArray(entry)) {
    return [{ path: [index], message: `expected a mapping with ${KEYS.join(', ')}; found ${show(entry)}` }];
  }
  const given = entry as Record<string, unknown>;
  const unknown = Object.keys(given)
    .filter((key) => !KEYS.some((known) => known === key))
    .map((key): Violation => {
      const meant = nearest(key, KEYS);
      const advice = meant === undefined ? `known here: ${KEYS.join(', ')}` : `did you mean ${meant}?`;
      return { path: [index, key], at: 'key', message: `unknown key "${key}"; ${advice}` };
    });
  const wrong = KEYS.flatMap((key): Violation[] => {
    const value = given[key];
    if (value === undefined)
      return [{ path: [index], message: `expected the key "${key}", which is missing` }];
    const expected = expectedOf(key, value);
    return expected === undefined
      ? []
      : [{ path: [index, key], message: `${key}: expected ${expected}; found ${show(value)}` }];
  });
  return [...unknown, ...wrong];
}

function expectedOf(key: (typeof KEYS)[number], value: unknown): string | undefined {
  if (key === 'expires') {
    return typeof value === 'string' && isDay(value) ? undefined : 'a day, written YYYY-MM-DD';
  }
  if (typeof value === 'string' && value.trim() !== '') return undefined;
  return key === 'check'
    ? 'the id of a check, or a glob over ids such as polling/*'
    : 'why the failure is there, in words';
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function checkTwice(entries: readonly unknown[], index: number): Violation[] {
  const check = (entries[index] as { check?: unknown } | null)?.check;
  const first = entries.findIndex((entry) => (entry as { check?: unknown } | null)?.check === check);
  if (typeof check !== 'string' || first === index) return [];
  return [{ path: [index, 'check'], message: `check: ${show(check)} is there twice; keep one entry` }];
}

export interface BaselineOptions {
  /** YYYY-MM-DD. */
  today: string;
  /** Ids of checks that the suite has and that this run was not asked for: entries about them say nothing now. */
  outside?: readonly string[];
}

/**
 * The report with known failures marked, and a problem for every entry that is stale or that fits no failure. Nothing is
 * asked of entries whose checks were not decided, nor of any when the run ended early.
 */
export function applyBaseline(
  report: ConformReport,
  baseline: Baseline,
  options: BaselineOptions,
): ConformReport {
  const { today, outside = [] } = options;
  const matchers = baseline.entries.map((entry) => ({ entry, glob: globOf(entry.check) }));
  const problems = matchers.flatMap(({ entry, glob }) => {
    const where = `${baseline.file}:${entry.line}:${entry.column}`;
    const fitting = report.checks.filter(({ id }) => glob.test(id));
    const fault = faultOf(entry, fitting, report, glob, outside, today);
    return fault === undefined ? [] : [`${where}: ${fault}`];
  });
  let known = 0;
  const checks = report.checks.map((check): CheckResult => {
    if (check.outcome !== 'failed') return check;
    const match = matchers.find(({ entry, glob }) => entry.expires >= today && glob.test(check.id));
    if (!match) return check;
    known++;
    return { ...check, known: { reason: match.entry.reason, expires: match.entry.expires } };
  });
  return { ...report, checks, baseline: { file: baseline.file, known, problems } };
}

function faultOf(
  entry: BaselineEntry,
  fitting: readonly CheckResult[],
  report: ConformReport,
  glob: RegExp,
  outside: readonly string[],
  today: string,
): string | undefined {
  const name = JSON.stringify(entry.check);
  if (entry.expires < today) {
    const open = fitting.some(({ outcome }) => outcome === 'failed');
    const advice = open ? 'mend the failure, or give it another day' : 'remove it';
    return `the entry for ${name} expired on ${entry.expires} (${entry.reason}); ${advice}`;
  }
  if (report.stopped !== undefined) return undefined;
  if (fitting.some(({ outcome }) => outcome === 'failed')) return undefined;
  if (fitting.some(({ outcome }) => outcome !== 'passed')) return undefined;
  if (fitting.length > 0) return `${name} does not fail any more; remove the entry`;
  const about = (id: string) => glob.test(id) || id.startsWith(`${entry.check.split('#')[0]}#`);
  if (outside.some(about) && !report.checks.some(({ id }) => about(id))) return undefined;
  const meant = nearest(
    entry.check,
    report.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
  );
  const advice = meant === undefined ? 'remove the entry' : `did you mean ${meant}?`;
  return `no check that failed is named ${name}; ${advice}`;
}

import { Source, type Violation } from '../../scenarios/format/load/source.js';
import type { Problem } from '../../scenarios/format/types.js';
import { createValidator } from '../../spec/json-schema/evaluate.js';
import { findViolations } from '../../spec/json-schema/violations.js';
import { formatSuggestion } from '../../spec/nearest.js';
import { show } from '../../spec/show.js';
import type { CheckResult } from '../causes/check-result.js';
import { formatCount, parseGlob } from '../common/text.js';
import type { ConformReport } from '../service/runner/result.js';

/** A known failure, and until when it is accepted. */
interface BaselineEntry {
  /** Id of a check, or a glob over ids. */
  check: string;
  reason: string;
  /** YYYY-MM-DD: the last day on which it counts. */
  expires: string;
  /** The check fails sometimes: a pass is no problem. */
  flaky?: boolean;
  /** Position in the file. */
  line: number;
  column: number;
}

/** The known failures in a file. */
export interface Baseline {
  file: string;
  entries: BaselineEntry[];
}

/** Placeholder in a new file, which users replace. */
export const PLACEHOLDER = 'FILL IN';

const ENTRY = {
  type: 'object',
  'x-expected': 'a mapping with check, reason, expires',
  required: ['check', 'reason', 'expires'],
  additionalProperties: false,
  properties: {
    check: {
      type: 'string',
      pattern: '\\S',
      'x-expected': 'the id of a check, or a glob over ids such as polling/*',
    },
    reason: { type: 'string', pattern: '\\S', 'x-expected': 'why the failure is there, in words' },
    expires: {
      type: 'string',
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      'x-expected': 'a day, written YYYY-MM-DD',
    },
    flaky: { type: 'boolean', 'x-expected': 'true or false' },
  },
};

/** Reads a baseline from YAML. Returns either the baseline or the problems, with their positions. */
export function loadBaseline(text: string, file: string): { baseline?: Baseline; problems: Problem[] } {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) return { problems };
  const { value } = source;
  if (!Array.isArray(value)) {
    const message = `expected a list of known failures, each with check, reason, expires; found ${show(value)}`;
    return { problems: source.toProblems([{ path: [], message }]) };
  }
  const open = value.findIndex((entry) => isUnfilled(entry));
  if (open !== -1) {
    const { length } = value.filter(isUnfilled);
    const message = `${formatCount(length, 'entry', 'entries')} to fill in: replace each ${PLACEHOLDER}; reason says why the failure is there, expires is the last day on which it counts as known, written YYYY-MM-DD`;
    return { problems: source.toProblems([{ path: [open], message }]) };
  }
  const validate = createValidator(ENTRY);
  const violations = value.flatMap((entry, index) => findViolations(validate, entry, [index]));
  if (violations.length === 0) violations.push(...checkEntries(value));
  if (violations.length > 0) return { problems: source.toProblems(violations) };
  const entries = (value as Omit<BaselineEntry, 'line' | 'column'>[]).map((entry, index) => ({
    ...entry,
    ...source.locate([index, 'check'], 'key'),
  }));
  return { baseline: { file, entries }, problems: [] };
}

function isUnfilled(entry: Partial<BaselineEntry> | null): boolean {
  return entry?.reason === PLACEHOLDER || entry?.expires === PLACEHOLDER;
}

/** Checks what the schema cannot: that dates exist, and that each check is listed once. */
function checkEntries(entries: readonly BaselineEntry[]): Violation[] {
  return entries.flatMap(({ check, expires }, index) => {
    const found: Violation[] = [];
    const day = new Date(`${expires}T00:00:00Z`);
    if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(expires)) {
      const message = `expires: expected a day, written YYYY-MM-DD; found ${show(expires)}`;
      found.push({ path: [index, 'expires'], message });
    }
    if (entries.findIndex((entry) => entry.check === check) !== index) {
      const message = `check: ${show(check)} is listed twice; keep one entry`;
      found.push({ path: [index, 'check'], message });
    }
    return found;
  });
}

export interface BaselineOptions {
  /** YYYY-MM-DD. */
  today: string;
  /** Ids of checks of the suite that this run does not select: entries about them are not checked. */
  unselected?: readonly string[];
  /** The run need not reach every failure (a search): entries without a failure are accepted. */
  isPartial?: boolean;
}

/**
 * Marks known failures, and reports a problem for every entry that is expired or has no failure. Entries of undecided checks
 * are accepted, and all entries if the run ended early.
 */
export function applyBaseline(
  report: ConformReport,
  baseline: Baseline,
  options: BaselineOptions,
): ConformReport {
  const { today } = options;
  const matchers = baseline.entries.map((entry) => ({ entry, glob: parseGlob(entry.check) }));
  const problems = matchers.flatMap(({ entry, glob }) => {
    const where = `${baseline.file}:${entry.line}:${entry.column}`;
    const fitting = report.checks.filter(({ id }) => glob.test(id));
    const fault = findFault(entry, fitting, report, glob, options);
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

/** Indexes of entries without a failing check. */
export function listUnneededEntries(
  report: ConformReport,
  { entries }: Baseline,
  options: BaselineOptions,
): number[] {
  return entries.flatMap((entry, at) => {
    const glob = parseGlob(entry.check);
    const fitting = report.checks.filter(({ id }) => glob.test(id));
    return explainUnneeded(entry, fitting, report, glob, options) === undefined ? [] : [at];
  });
}

function findFault(
  entry: BaselineEntry,
  fitting: readonly CheckResult[],
  report: ConformReport,
  glob: RegExp,
  options: BaselineOptions,
): string | undefined {
  if (entry.expires < options.today)
    return `the entry for ${JSON.stringify(entry.check)} expired on ${entry.expires} (${entry.reason}); fix the failure and remove it, or set a later date`;
  return explainUnneeded(entry, fitting, report, glob, options);
}

function explainUnneeded(
  entry: BaselineEntry,
  fitting: readonly CheckResult[],
  report: ConformReport,
  glob: RegExp,
  { unselected = [], isPartial = false }: BaselineOptions,
): string | undefined {
  const name = JSON.stringify(entry.check);
  if (entry.flaky || report.stopped !== undefined || isPartial) return undefined;
  if (fitting.some(({ outcome }) => outcome !== 'passed')) return undefined;
  // Another shard may need it.
  if (report.shard && entry.check.includes('*')) return undefined;
  if (fitting.length > 0) return `${name} does not fail any more; remove the entry`;
  const isAbout = (id: string) => glob.test(id) || id.startsWith(`${entry.check.split('#')[0]}#`);
  if (unselected.some(isAbout) && !report.checks.some(({ id }) => isAbout(id))) return undefined;
  const failed = report.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  return `no check that failed is named ${name}${formatSuggestion(entry.check, failed, 'remove the entry')}`;
}

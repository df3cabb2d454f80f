import { groupBy, uniqueBy } from '../../../spec/lists.js';
import { type CheckResult, findDecisive } from '../../causes/check-result.js';
import type { ConformReport, SequenceSearchResult } from '../../service/runner/result.js';
import { describeKept, KEPT_CASE } from '../../service/search/results.js';

/** The extent of several searches with generated sequences; undefined if no run had one. */
export function mergeSequences(reports: readonly ConformReport[]): SequenceSearchResult | undefined {
  const all = reports.flatMap(({ sequences }) => sequences ?? []);
  if (all.length === 0) return undefined;
  const observations = groupBy(
    all.flatMap((each) => each.observations),
    ({ operation, condition, about, expected }) =>
      `${operation} ${condition} ${about} ${about === 'status' ? expected : ''}`,
  );
  const stopped = all.flatMap((each) => each.stopped ?? []);
  const sumUp = (key: 'sequences' | 'requests') => all.reduce((sum, each) => sum + each[key], 0);
  return {
    sequences: sumUp('sequences'),
    requests: sumUp('requests'),
    coverage: mergeFigures(all.map(({ coverage }) => coverage)),
    observations: [...observations.values()].map((same) => ({
      ...same[0]!,
      seen: same.reduce((sum, { seen }) => sum + seen, 0),
    })),
    ...(stopped.length > 0 && { stopped: stopped.join('; ') }),
  };
}

/** At least this much: searches may cover different things, and only their numbers are known. Uncovered is what no search has sent. */
function mergeFigures(
  figures: readonly SequenceSearchResult['coverage'][],
): SequenceSearchResult['coverage'] {
  const { uncovered, ...first } = figures[0]!;
  const names = Object.keys(first) as (keyof typeof first)[];
  const most = names.map((name) => [name, Math.max(...figures.map((each) => each[name]))]);
  return {
    ...(Object.fromEntries(most) as typeof first),
    uncovered: uncovered.filter((what) => figures.every((each) => each.uncovered.includes(what))),
  };
}

/**
 * Each failure once, and what no search broke. Each search numbers its failures: two may have one id. `sequences`: the number of all
 * sequences.
 */
export function mergeSequenceChecks(checks: readonly CheckResult[], sequences: number): CheckResult[] {
  const failed = uniqueBy(
    checks.filter(({ failure }) => failure !== undefined),
    ({ failure }) => failure!,
  );
  const broken = new Set(failed.flatMap(({ covers }) => covers));
  const others = groupBy(
    checks.filter(({ failure, covers }) => failure === undefined && !covers.some((each) => broken.has(each))),
    ({ id }) => id,
  );
  return [
    ...numberCases(failed),
    ...[...others.values()].map(findDecisive).map((check) => {
      return check.case === KEPT_CASE ? { ...check, message: describeKept(sequences) } : check;
    }),
  ];
}

function numberCases(failed: readonly CheckResult[]): CheckResult[] {
  const ids = new Set<string>();
  return failed.map((check) => {
    const [requirement] = check.covers;
    const operation = check.case.replace(/-\d+$/, '');
    let name = operation;
    for (let number = 2; ids.has(`${name}#${requirement}`); number++) name = `${operation}-${number}`;
    const id = `${name}#${requirement}`;
    ids.add(id);
    return { ...check, id, case: name };
  });
}

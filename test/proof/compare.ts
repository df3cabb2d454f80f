import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from '../../conformance/causes/check-result.js';
import type { ConformReport } from '../../conformance/service/runner/result.js';
import type { Defect } from './defect.js';

/** What a report has to do for the defects that it was made of. */
export interface DefectComparison {
  /** Failed checks that no defect of the list explains. */
  unexplained: string[];
  /** Causes in which more than one defect is. */
  mixed: string[];
  /** Defects that are in no cause. */
  unnamed: string[];
  /** How many causes each defect has. */
  causes: Record<string, number>;
}

export function compare(
  { checks, causes }: Pick<ConformReport, 'checks' | 'causes'>,
  defects: readonly Defect[],
): DefectComparison {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const findCheckDefect = (id: string) => findDefect(byId.get(id)!, defects);
  const named = causes.map((cause) => [cause, new Set(cause.checks.map(findCheckDefect))] as const);
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return {
    unexplained: failed
      .filter(({ id }) => !findCheckDefect(id))
      .map(({ id, message }) => `${id}: ${message}`),
    mixed: named.filter(([, found]) => found.size > 1).map(([{ id }, found]) => describeMix(id, found)),
    unnamed: defects.filter(({ id }) => !named.some(([, found]) => found.has(id))).map(({ id }) => id),
    causes: Object.fromEntries(
      defects.map(({ id }) => [id, named.filter(([{ example }]) => findCheckDefect(example) === id).length]),
    ),
  };
}

/** The defect that a failed check shows. What has a pattern goes before what has none. */
function findDefect(check: CheckResult, defects: readonly Defect[]): string | undefined {
  const isShownBy = (sign: string) => {
    const [name, pattern] = sign.split(' ~');
    const isNamed = name === check.id.split('#')[1] || name === check.rule;
    return isNamed && (pattern === undefined || new RegExp(pattern).test(`${check.case}: ${check.message}`));
  };
  const exact = defects.find((each) => each.shows.some((sign) => sign.includes(' ~') && isShownBy(sign)));
  return (exact ?? defects.find((each) => each.shows.some(isShownBy)))?.id;
}

/** `EVENT-11: code-422, goto-without-output` */
const describeMix = (id: string, found: Set<string | undefined>) => `${id}: ${[...found].sort().join(', ')}`;

/** Those defects whose piece of code does not stand in a file of this folder. */
export function findStray(file: string, defects: readonly Defect[]): string[] {
  const code = readFileSync(join(import.meta.dirname, file), 'utf8');
  return defects.filter(({ where }) => !stripBreaks(code).includes(stripBreaks(where))).map(({ id }) => id);
}

/** Line breaks are the formatter's. */
const stripBreaks = (code: string) => code.replace(/[\s,]/g, '');

import type { ConformReport, Outcome, Summary } from '../../service/runner/result.js';
import { redactReport } from '../redact-report.js';

/** What a check came to for one target. `none`: its run has no such check. */
export type Cell = Outcome | 'known' | 'none';

export interface ComparedTarget {
  name: string;
  base_url: string;
  summary: Summary;
  requirements: { total: number; tested: number };
}

/** Several runs side by side: a row for each check, a cell for each target. */
export interface Comparison {
  targets: ComparedTarget[];
  checks: { id: string; suite: string; title: string; cells: Cell[]; differs: boolean }[];
  /** Open points; null where a run did not observe the choice. */
  dialect: { id: string; choices: (string | number | null)[]; differs: boolean }[];
}

/** Lays reports side by side, checks by suite and name. */
export function compareReports(
  given: readonly { name: string; report: ConformReport }[],
  secrets: readonly string[] = [],
): Comparison {
  const reports = given.map(({ name, report }) => ({ name, report: redactReport(report, secrets) }));
  const cells = reports.map(({ report }) => new Map(report.checks.map((check) => [check.id, check])));
  const ids = [...new Set(reports.flatMap(({ report }) => report.checks.map(({ id }) => id)))].sort();
  const points = [...new Set(reports.flatMap(({ report }) => Object.keys(report.dialect)))].sort();
  return {
    targets: reports.map(({ name, report: { target, summary, requirements } }) => ({
      name,
      base_url: target.base_url,
      summary,
      requirements: { total: requirements.total, tested: requirements.tested },
    })),
    checks: ids.map((id) => {
      const found = cells.map((checks) => checks.get(id));
      const { suite, title } = found.find((check) => check !== undefined)!;
      const row = found.map((check): Cell => (check?.known ? 'known' : (check?.outcome ?? 'none')));
      return { id, suite, title, cells: row, differs: new Set(row).size > 1 };
    }),
    dialect: points.map((id) => {
      const choices = reports.map(({ report }) =>
        Object.hasOwn(report.dialect, id) ? report.dialect[id]! : null,
      );
      return { id, choices, differs: new Set(choices.filter((choice) => choice !== null)).size > 1 };
    }),
  };
}

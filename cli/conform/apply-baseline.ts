import { type Conformed, type ConformOptions, planOf } from '../../conformance/conform.js';
import { applyBaseline, type Baseline } from '../../conformance/report/baseline.js';
import { today } from '../judging/baseline-file.js';

/** The report with known failures marked. `options`: those of the run, which may have left checks out. */
export function withBaseline(report: Conformed, baseline: Baseline, options: ConformOptions): Conformed {
  const asked = new Set(planOf(options).cases.flatMap(({ checks }) => checks.map(({ id }) => id)));
  const all = planOf({}).cases.flatMap(({ checks }) => checks.map(({ id }) => id));
  const outside = all.filter((id) => !asked.has(id));
  return { ...report, ...applyBaseline(report, baseline, { today: today(), outside }) };
}

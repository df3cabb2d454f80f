import { type Conformed, type ConformOptions, planOf } from '../../conformance/conform.js';
import { applyBaseline, type Baseline, loadBaseline } from '../../conformance/report/baseline.js';
import { InvalidFile } from '../../mock/invalid-file.js';
import { readText } from '../../scenarios/read-file.js';
import type { Problem } from '../../scenarios/types.js';

/** Reads the file of known failures. Throws InvalidFile. */
export function readBaseline(path: string): Baseline {
  const problems: Problem[] = [];
  const text = readText(path, problems);
  const read = text === undefined ? { problems } : loadBaseline(text, path);
  if (!('baseline' in read) || read.baseline === undefined) throw new InvalidFile(read.problems);
  return read.baseline;
}

/** The report with known failures marked. `options`: those of the run, which may have left checks out. */
export function withBaseline(report: Conformed, baseline: Baseline, options: ConformOptions): Conformed {
  const asked = new Set(planOf(options).probes.flatMap(({ checks }) => checks));
  const all = planOf({}).probes.flatMap(({ checks }) => checks);
  const today = new Date().toISOString().slice(0, 10);
  const outside = all.filter((id) => !asked.has(id));
  return { ...report, ...applyBaseline(report, baseline, { today, outside }) };
}

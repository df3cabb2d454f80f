import { type Baseline, loadBaseline } from '../../conformance/report/baseline.js';
import { InvalidFile } from '../../mock/options/invalid-file.js';
import { readText } from '../../scenarios/format/load/read-file.js';
import type { Problem } from '../../scenarios/format/types.js';

/** Reads the file of known failures. Throws InvalidFile. */
export function readBaseline(path: string): Baseline {
  const problems: Problem[] = [];
  const text = readText(path, problems);
  const read = text === undefined ? { problems } : loadBaseline(text, path);
  if (!('baseline' in read) || read.baseline === undefined) throw new InvalidFile(read.problems);
  return read.baseline;
}

/** The day as a baseline writes it: YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

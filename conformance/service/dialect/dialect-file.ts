import { Document, type Scalar, type YAMLMap } from 'yaml';
import { openPoints } from '../../../spec/generated/documents.js';
import type { ConformReport } from '../runner/result.js';

/**
 * The choices observed in a run as a file that `taskdouble mock --dialect` reads, each below the question it answers.
 * Points that were not observed are left out: there the mock keeps its default.
 */
export function formatDialectFile(report: Pick<ConformReport, 'target' | 'started' | 'dialect'>): string {
  const { target, started, dialect } = report;
  const observed = openPoints.filter(({ id }) => Object.hasOwn(dialect, id));
  const document = new Document({
    title: `${target.base_url}, as observed on ${started.slice(0, 10)}`,
    choices: Object.fromEntries(observed.map(({ id }) => [id, dialect[id]])),
  });
  const { items } = document.get('choices') as YAMLMap<Scalar>;
  for (const [n, { key }] of items.entries()) key.commentBefore = ` ${observed[n]!.question}`;
  return document.toString({ lineWidth: 0 });
}

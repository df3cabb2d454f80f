import { Document, type Scalar, type YAMLMap } from 'yaml';
import { openPoints } from '../../../spec/generated/documents.js';
import type { ConformReport } from '../runner/result.js';

/**
 * Formats the detected choices as a file for `taskdouble mock --dialect`, each below its question. Undetected points are omitted:
 * the mock uses its default there.
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

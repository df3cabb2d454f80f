import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOfFormat } from '../../mock/generate/schema/formats.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { createValidator, type SchemaValidator } from '../../spec/json-schema/evaluate.js';
import type { ConformReport } from '../service/runner/result.js';

const EXAMPLE = { 'x-expected': 'the id of a check' };

let validator: SchemaValidator | undefined;

/** Validates a parsed report, including formats. Dates have to be valid in JavaScript. */
export function validateReport(value: unknown): ReturnType<SchemaValidator> {
  const file = join(findPackageRoot(), 'conformance/report/report.schema.json');
  validator ??= createValidator(JSON.parse(readFileSync(file, 'utf8')) as object, '', (text, format) => {
    return isOfFormat(text, format) && (format !== 'date-time' || !Number.isNaN(Date.parse(String(text))));
  });
  const errors = validator(value);
  if (errors.length > 0) return errors;
  const { causes, checks } = value as ConformReport;
  const ids = new Set(checks.map(({ id }) => id));
  return causes.flatMap(({ example }, at) => {
    if (ids.has(example)) return [];
    const place = { instancePath: `/causes/${at}/example`, data: example };
    return { ...place, keyword: 'reference', message: 'must be the id of a check', parentSchema: EXAMPLE };
  });
}

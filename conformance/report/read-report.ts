import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../scenarios/format/library/package-root.js';
import { type Validator, validatorOf } from '../../spec/json-schema/evaluate.js';
import type { ConformReport } from '../service/runner/result.js';
import { ReportError } from './formats.js';

let validate: Validator | undefined;

/** A report from the text of a JSON report. Throws ReportError, which names `file`. */
export function readReport(text: string, file: string): ConformReport {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ReportError(
      `${file}: expected a JSON report (conform --report json=FILE), found no JSON: ${(error as Error).message}`,
    );
  }
  validate ??= compile();
  const [error] = validate(value);
  if (!error) return value as ConformReport;
  const { instancePath, message } = error;
  const place = instancePath === '' ? 'it' : instancePath;
  throw new ReportError(`${file}: expected a JSON report (conform --report json=FILE): ${place} ${message}`);
}

function compile(): Validator {
  const schema = readFileSync(join(packageRoot(), 'conformance/report/report.schema.json'), 'utf8');
  return validatorOf(JSON.parse(schema) as object);
}

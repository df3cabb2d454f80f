import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const FILE = join(import.meta.dirname, '../../conformance/report/report.schema.json');

/** Validates reports by the published schema. */
export function loadReportSchema(): ValidateFunction {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(readFileSync(FILE, 'utf8')),
  );
}

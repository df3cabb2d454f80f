import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const ROOT = join(import.meta.dirname, '../..');
const MESSAGES: Readonly<Record<string, string>> = {
  adapter: 'conformance/client/run/adapter/adapter.schema.json',
  time: 'mock/virtual-time/time.schema.json',
};

/** Validates reports by the published schema. */
export function loadReportSchema(): ValidateFunction {
  return compile('conformance/report/report.schema.json');
}

/** Validates messages of a protocol: `adapter` or `time`. */
export function compileMessageSchema(protocol = ''): ValidateFunction {
  return compile(MESSAGES[protocol]!);
}

function compile(file: string): ValidateFunction {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(readFileSync(join(ROOT, file), 'utf8')),
  );
}

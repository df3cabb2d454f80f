import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNetworkEffects } from '../../mock/journal/old-exchange.js';
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
  upgrade(value);
  validate ??= compile();
  const [error] = validate(value);
  if (!error) return withPartsOfIds(value as ConformReport);
  const { instancePath, message } = error;
  const place = instancePath === '' ? 'it' : instancePath;
  throw new ReportError(`${file}: expected a JSON report (conform --report json=FILE): ${place} ${message}`);
}

interface OldSearched {
  unrealised: unknown;
  unsteady: unknown;
}

/** Older reports have the effects of network rules as words alone, and two members of `searched` by other names. */
function upgrade(report: unknown): void {
  const { exchanges, searched } = (report ?? {}) as { exchanges?: unknown; searched?: Partial<OldSearched> };
  if (searched?.unsteady) {
    const { unrealised: not_triggered, unsteady: nondeterministic, ...rest } = searched;
    Object.assign(report as object, { searched: { ...rest, not_triggered, nondeterministic } });
  }
  for (const exchange of Array.isArray(exchanges) ? exchanges : []) {
    const network = readNetworkEffects(exchange?.network);
    if (network) exchange.network = network;
  }
}

/** Older reports name the case, the scenario and the rule in ids alone. */
function withPartsOfIds(report: ConformReport): ConformReport {
  for (const check of report.checks) check.case ??= check.id.replace(/#.*/s, '');
  for (const advice of report.advice ?? []) {
    const [scenario = '', rule = ''] = advice.id.split('#');
    advice.scenario ??= scenario;
    advice.rule ??= rule.replace(/ .*/s, '');
  }
  return report;
}

function compile(): Validator {
  const schema = readFileSync(join(packageRoot(), 'conformance/report/report.schema.json'), 'utf8');
  return validatorOf(JSON.parse(schema) as object);
}

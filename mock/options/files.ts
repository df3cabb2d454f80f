import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { InvalidFile, UnknownName } from '../../scenarios/format/invalid-file.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { createReferenceReader, loadScenarios } from '../../scenarios/format/load/load.js';
import { readText } from '../../scenarios/format/load/read-file.js';
import { LARGEST_FILE_BYTES, Source } from '../../scenarios/format/load/source.js';
import type { Problem, Scenario } from '../../scenarios/format/types.js';
import { resolveDialect } from '../../spec/dialect.js';
import { openPoints } from '../../spec/generated/open-points.js';
import { anything, fields, object, optional } from '../../spec/json-schema/build-schema.js';
import { createValidator } from '../../spec/json-schema/evaluate.js';
import { findViolations } from '../../spec/json-schema/violations.js';
import { findNearest } from '../../spec/nearest.js';
import { type Fixtures, readFixtures } from '../fixtures/fixtures.js';

/** Loads the scenarios of files and directories. Throws InvalidFile with all problems. */
export async function loadScenarioFiles(paths: readonly string[]): Promise<Scenario[]> {
  const { scenarios, problems } = await loadScenarios(paths);
  if (problems.length > 0) throw new InvalidFile(problems);
  return scenarios;
}

/** Reads fixtures from a YAML or JSON file. Throws InvalidFile. */
export async function loadFixtures(path: string): Promise<Fixtures> {
  const text = readFile(path);
  return readFixtures(text, path, createReferenceReader(dirname(realpathSync(path)), path));
}

/** Reads a dialect: a file, or the name of a bundled one. Throws InvalidFile or UnknownName. */
export async function loadDialect(fileOrName: string): Promise<Record<string, unknown>> {
  const directory = join(findPackageRoot(), 'spec/dialects');
  const names = readdirSync(directory).map((file) => basename(file, '.yaml'));
  const path = names.includes(fileOrName) ? join(directory, `${fileOrName}.yaml`) : fileOrName;
  if (extname(path) === '' && !/[\\/]/.test(path) && !existsSync(path)) {
    const meant = findNearest(fileOrName, names);
    const advice = meant ? `did you mean "${meant}"?` : `there are ${names.join(', ')}, or give a file.`;
    throw new UnknownName(`there is no dialect "${fileOrName}"; ${advice}`);
  }
  return readDialect(readFile(path), path);
}

const dialectSchema = {
  ...fields(
    {
      title: optional(anything),
      description: optional(anything),
      choices: {
        ...object,
        description: 'the choice for each open point, by its id',
        'x-expected': 'a mapping from open point to choice',
      },
    },
    true,
  ),
  'x-expected': 'a mapping with "choices"',
};

/** Reads a dialect from YAML or JSON. Throws InvalidFile with all problems. */
export function readDialect(text: string, file: string): Record<string, unknown> {
  const { source, problems } = Source.read(text, file);
  if (!source || problems.length > 0) throw new InvalidFile(problems);
  const violations = findViolations(createValidator(dialectSchema), source.value);
  const { choices } = (source.value ?? {}) as { choices: Record<string, unknown> };
  if (violations.length === 0) {
    for (const { id, kind, message } of resolveDialect(choices, openPoints).problems)
      violations.push({ path: ['choices', id], at: kind === 'unknown-point' ? 'key' : 'value', message });
  }
  if (violations.length > 0) throw new InvalidFile(source.toProblems(violations));
  return choices;
}

/** The text of a file. Throws InvalidFile. */
export function readFile(path: string, mostBytes = LARGEST_FILE_BYTES): string {
  const problems: Problem[] = [];
  const text = readText(path, problems, mostBytes);
  if (text === undefined) throw new InvalidFile(problems);
  return text;
}

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type ConformResult, conform } from '../../../conformance/conform.js';
import { mockTarget } from '../../../conformance/service/http-client/in-process.js';
import type { TestCase } from '../../../conformance/service/test-case/test-case.js';
import { Mock } from '../../../mock/mock.js';
import type { Choices } from '../../../mock/options/mock-options.js';
import { openPoints } from '../../../spec/generated/documents.js';
import type { ChoicePoint, DialectFile, OpenPoint } from '../../../spec/requirement-types.js';
import { FIXTURES } from '../../mutants/fixtures.js';

const hasAlternatives = (point: OpenPoint): point is ChoicePoint =>
  point.kind === 'choice' && Object.keys(point.choices).length > 1;

const withAlternatives = openPoints.filter(hasAlternatives);

/** Points with named choices that are observable. */
export const alternatives = withAlternatives.filter(({ observable }) => observable !== false);

export const everyChoice = listChoices(alternatives);

/** Each choice of the points that are not observable. */
export const hiddenChoices = listChoices(withAlternatives.filter(({ observable }) => observable === false));

function listChoices(points: readonly ChoicePoint[]): { point: string; choice: string; usual: string }[] {
  return points.flatMap(({ id, choices, default: usual }) =>
    Object.keys(choices).map((choice) => ({ point: id, choice, usual })),
  );
}

const MOST_CHOICES = Math.max(...alternatives.map(({ choices }) => Object.keys(choices).length));

/** The smallest set of dialects with every choice of every point: the first choices, the second choices, and so on. */
export const combinations = Array.from({ length: MOST_CHOICES }, (_, n) => ({
  name: `choice ${n + 1} of each point`,
  choices: Object.fromEntries(
    alternatives.map(({ id, choices }): [string, string] => {
      const names = Object.keys(choices);
      return [id, names[n % names.length]!];
    }),
  ),
}));

/** Minimizes the choices that make `isFine` fail: removes halves, then single choices. */
export async function findCulprits(
  choices: Record<string, string>,
  isFine: (choices: Record<string, string>) => Promise<boolean>,
): Promise<Record<string, string>> {
  let entries = Object.entries(choices);
  for (let size = Math.ceil(entries.length / 2); entries.length > 1; size = Math.ceil(size / 2)) {
    for (let at = 0; at < entries.length; ) {
      const rest = entries.toSpliced(at, size);
      if (rest.length > 0 && !(await isFine(Object.fromEntries(rest)))) entries = rest;
      else at += size;
    }
    if (size === 1) break;
  }
  return Object.fromEntries(entries);
}

/** The dialects that come with the package. */
export const namedDialects = ['bare-results', 'reference-pages', 'strict'].map((name) => {
  const file = new URL(`../../../spec/dialects/${name}.yaml`, import.meta.url);
  return { name, choices: (parse(readFileSync(file, 'utf8')) as DialectFile).choices };
});

/** The choices of the points with alternatives. */
export function selectAlternatives(choices: Choices): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(choices).filter(([id]) => alternatives.some((point) => point.id === id)),
  );
}

/** Runs the checks in virtual time against a mock of the dialect. */
export async function judgeDialect(
  dialect: Choices | string,
  cases: readonly TestCase[],
): Promise<ConformResult> {
  const mock = new Mock({ clock: 'manual', fixtures: FIXTURES, lightResponses: true, dialect });
  await mock.ready;
  const keys = { other: 'other-key', free: 'free-key', exhausted: 'exhausted-key' };
  try {
    return await conform({
      ...mockTarget(mock),
      apiKey: 'main-key',
      keys,
      allow: ['billing', 'organisation', 'destructive'],
      cases,
      concurrency: 1,
      seed: 1,
    });
  } finally {
    await mock.close();
  }
}

/** Results that a correct service must not have. */
export function listFailures({ checks, faults, left, stopped }: ConformResult): unknown[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return [...failed, ...faults, ...left, ...(stopped === undefined ? [] : [stopped])];
}

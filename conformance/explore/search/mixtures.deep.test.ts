import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createRandom } from '../../../mock/generate/random.js';
import { addStepIds } from '../../../scenarios/format/write.js';
import type { Cause } from '../../causes/check-result.js';
import type { ClientFunction } from '../../client/types.js';
import { listFailures } from '../causes/causes.js';
import { loadDefaultScenarios } from '../explored-scenarios.js';
import { applyDeviations } from '../schedule/schedule.js';
import { openTools } from '../search-tools.js';
import type { Failure } from '../types.js';
import { explore } from './explore.js';

const SCHEDULES = 300;
const MIXTURES = 4;
/** One of so many buggy clients: each is searched alone first. */
const SAMPLE = 4;
/** A client that fails more of its runs shows nothing but that. One of them takes as long as twenty others. */
const MOST_FAILING = 0.8;
const HASTY = 'polls-without-pause';

type Variation = Record<string, unknown>;

interface Bug {
  name: string;
  variation: Variation;
  /** What the bug alone leads to: rule, wait and changes. */
  symptoms: Set<string>;
}

const FIXTURES = new URL('../../../fixtures/clients/', import.meta.url);
const load = (file: string) => import(/* @vite-ignore */ new URL(file, FIXTURES).href);
const search = (run: ClientFunction) =>
  explore({ client: { kind: 'function', run }, schedules: SCHEDULES, timeLimitMs: 600_000 });
const { makeClient } = (await load('reference.mjs')) as { makeClient: (v: Variation) => ClientFunction };
const scenarios = (await loadDefaultScenarios()).map(addStepIds);
const symptomOf = ({ rule, wait, changes }: Failure) => `${rule} ${wait} ${changes.join()}`;

/** The buggy clients that the beginning of a search finds. */
async function foundAlone(): Promise<Bug[]> {
  const { buggy } = JSON.parse(await readFile(new URL('catalogue.json', FIXTURES), 'utf8')) as {
    buggy: { client: string }[];
  };
  const bugs: Bug[] = [];
  for (const { client: name } of buggy.filter((_, index) => index % SAMPLE === 0)) {
    if (name === HASTY) continue;
    const { run } = (await load(`buggy/${name}.mjs`)) as { run: ClientFunction & { variation: Variation } };
    const { failures, progress } = await search(run);
    if (failures.length === 0 || progress.failing > MOST_FAILING * progress.schedules) continue;
    bugs.push({ name, variation: run.variation, symptoms: new Set(failures.map(symptomOf)) });
  }
  return bugs;
}

/** Each changes pieces of its own, and shows something that the others do not: otherwise they are one bug to whoever looks on. */
function canCombine(bugs: readonly Bug[]): boolean {
  const isWithin = (one: Bug, other: Bug) =>
    one !== other && [...one.symptoms].every((each) => other.symptoms.has(each));
  if (bugs.some((one) => bugs.some((other) => isWithin(one, other)))) return false;
  const pieces = bugs.flatMap(({ variation }) => Object.entries(variation));
  return pieces.every(([name, piece]) => pieces.every(([other, its]) => other !== name || its === piece));
}

/** Whether a client breaks the same rule in the same schedule. */
async function shows(
  { rule, scenario: name, deviations }: Failure,
  variations: Variation[],
): Promise<boolean> {
  const run = makeClient(Object.assign({}, ...variations));
  const tools = await openTools({ kind: 'function', run }, 1);
  const scenario = scenarios.find((each) => each.name === name)!;
  const played = await tools.play(applyDeviations({ scenario, deviations }));
  const findings = tools.judge(played);
  await tools.close();
  return findings.some((each) => each.rule === rule && each.level === 'must');
}

/**
 * The bugs that a group may be about: those without which its first failure is gone, and those that show it alone. (Each changes
 * how another one looks: a client that dies of an error does not go on to show what it would do next.)
 */
async function bugsOf(first: Failure, mixture: readonly Bug[]): Promise<Bug[]> {
  const found: Bug[] = [];
  for (const bug of mixture) {
    const others = mixture.filter((each) => each !== bug).map(({ variation }) => variation);
    if (!(await shows(first, others)) || (await shows(first, [bug.variation]))) found.push(bug);
  }
  return found;
}

/** The bugs without which a search finds other groups: each of the others is hidden by them. */
async function visibleOf(mixture: readonly Bug[], causes: readonly Cause[]): Promise<Bug[]> {
  const idsOf = (all: readonly Cause[]) =>
    all
      .map(({ id }) => id)
      .sort()
      .join('; ');
  const found: Bug[] = [];
  for (const bug of mixture) {
    const others = mixture.filter((each) => each !== bug);
    const mended = await search(makeClient(Object.assign({}, ...others.map((each) => each.variation))));
    if (idsOf(mended.causes) !== idsOf(causes)) found.push(bug);
  }
  return found;
}

/** Bugs with a group of their own: as many as possible, each group for one. */
function countMatched(bugs: readonly Bug[], groups: readonly Bug[][]): number {
  const [bug, ...others] = bugs;
  if (!bug) return 0;
  const matched = groups.flatMap((group) =>
    group.includes(bug)
      ? [
          1 +
            countMatched(
              others,
              groups.filter((each) => each !== group),
            ),
        ]
      : [],
  );
  return Math.max(countMatched(others, groups), ...matched);
}

it('clients with two or three bugs at once: a group of its own for each bug, and few others', async () => {
  const bugs = await foundAlone();
  const random = createRandom(3);
  const mixtures = new Map<string, Bug[]>();
  while (mixtures.size < MIXTURES) {
    const count = random.int(2, 3);
    const mixture = [...new Set(Array.from({ length: count }, () => random.pick(bugs)))];
    const name = mixture
      .map((bug) => bug.name)
      .sort()
      .join(' + ');
    if (mixture.length === count && canCombine(mixture)) mixtures.set(name, mixture);
  }
  const unmatched: string[] = [];
  const excessive: string[] = [];
  let [planted, matched, groups] = [0, 0, 0];
  for (const [name, mixture] of mixtures) {
    const { causes, failures } = await search(
      makeClient(Object.assign({}, ...mixture.map((each) => each.variation))),
    );
    const own = countMatched(
      mixture,
      await Promise.all(causes.map((cause) => bugsOf(listFailures(cause, failures)[0]!, mixture))),
    );
    planted += mixture.length;
    matched += own;
    groups += causes.length;
    if (own < mixture.length && own < (await visibleOf(mixture, causes)).length)
      unmatched.push(`${name}: ${own} of ${mixture.length}`);
    // What a client with one id for all makes of an event that is listed again is no consequence that a rule can state.
    if (causes.length > 2 * mixture.length + 1) excessive.push(`${name}: ${causes.length} groups`);
  }
  const figures = `${matched} of ${planted} bugs matched, ${groups} groups`;
  expect(unmatched, figures).toEqual([]);
  expect(excessive, figures).toEqual([]);
  console.log(figures);
  expect(groups, figures).toBeLessThanOrEqual(2 * planted);
});

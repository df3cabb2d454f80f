import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../scenarios/library.js';
import type { Scenario } from '../../scenarios/types.js';
import { openPoints } from '../../spec/generated/documents.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { judgeBy } from './judging.js';
import { serviceRules } from './service/service-rules.js';
import { LibraryPlayer } from './test-support/library-player.js';
import { tour } from './test-support/tour.js';

/** For a machine that is busy with other tests. */
const SLOW_MS = 60_000;

/**
 * Races in which the service breaks a rule on purpose, to show what clients make of it, and the rule. They are played by
 * themselves here; all the other races keep the rules and are part of the library.
 */
const BROKEN: ReadonlyMap<string, string> = new Map([
  ['races/odd-result-code', 'results/code'],
  ['races/reissued-event', 'ids-of-events/own'],
  ['races/result-with-terminal', 'sessions/stays-open'],
  ['races/results-reversed', 'ids-of-events/own'],
  ['races/same-instant-split', 'reading/lossless'],
]);

const everything: Scenario[] = await readLibrary();
const library = everything.filter(({ name }) => !BROKEN.has(name));
const dialects = readdirSync(new URL('../../spec/dialects/', import.meta.url)).map((file) =>
  basename(file, '.yaml'),
);
/** Every choice that is not the default, by itself; numbers that make a difference here. */
const choices = [
  ...openPoints.flatMap((point) =>
    point.kind === 'choice'
      ? Object.keys(point.choices)
          .filter((choice) => choice !== point.default)
          .map((choice) => ({ [point.id]: choice }))
      : [],
  ),
  { 'event.retention': 20_000 },
  { 'recording.delay': 0 },
  { 'limits.rate': 3 },
  { 'session.idle-timeout': 12_000 },
  { 'task.total-timeout': 5000 },
];

/** Plays all there is in a dialect. */
async function played(dialect: Record<string, unknown> | string): Promise<Exchange[]> {
  const player = await LibraryPlayer.start(dialect);
  for (const scenario of library) await player.play(scenario);
  await tour(player);
  const exchanges = player.exchanges();
  await player.close();
  return exchanges;
}

/** What there is to say, with the exchanges that show it: a failure should need no second look. */
function complaints(exchanges: readonly Exchange[]) {
  return judgeBy(serviceRules, exchanges)
    .findings()
    .map(({ rule, message, evidence }) => ({
      rule,
      message,
      shown: exchanges.filter(({ seq }) => evidence.includes(seq)),
    }));
}

describe('a mock that plays the library and a tour of the operations', { timeout: SLOW_MS }, () => {
  it('breaks no rule, and shows each to be kept', async () => {
    const exchanges = await played({});
    expect(exchanges.length).toBeGreaterThan(500);
    expect(complaints(exchanges)).toEqual([]);
    const held = judgeBy(serviceRules, exchanges).held();
    expect(serviceRules.map(({ id }) => id).filter((id) => !held.get(id)?.length)).toEqual([]);
  });

  it.each(dialects)('breaks no rule in the dialect %s', async (dialect) => {
    expect(complaints(await played(dialect))).toEqual([]);
  });

  it.each(choices)('breaks no rule with %o', async (choice) => {
    expect(complaints(await played(choice))).toEqual([]);
  });
});

describe('a race in which the service breaks a rule', () => {
  it.each([...BROKEN])('%s shows %s to be broken, and nothing else', async (name, rule) => {
    const player = await LibraryPlayer.start({});
    await player.play(everything.find((scenario) => scenario.name === name)!);
    const found = judgeBy(serviceRules, player.exchanges()).findings();
    expect(new Set(found.map((finding) => finding.rule))).toEqual(new Set([rule]));
    await player.close();
  });
});

describe('a stream that is cut', { timeout: SLOW_MS }, () => {
  it('proves nothing that the whole does not: it may begin anywhere, end anywhere and lack polls', async () => {
    const exchanges = await played({});
    for (const at of [50, 333, 600]) {
      expect(complaints(exchanges.slice(at))).toEqual([]);
      expect(complaints(exchanges.slice(0, at))).toEqual([]);
    }
    for (const rest of [0, 1, 2]) {
      const fewer = exchanges.filter(({ operation }, n) => operation !== 'getTask' || n % 3 === rest);
      expect(complaints(fewer)).toEqual([]);
    }
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../../spec/vocabulary.js';
import { combinations, findCulprits } from '../../test/support/dialect/dialects.js';
import { BROKEN, listFindings, playAlone, playLibrary } from '../../test/support/rules/play-library.js';
import { judgeExchanges } from './judge.js';
import { serviceRules } from './service-rules.js';

describe('a mock that plays the library and serves every operation', () => {
  let exchanges: Exchange[];
  beforeAll(async () => {
    exchanges = await playLibrary({});
  });

  it('breaks no rule, and shows each to be kept', () => {
    expect(exchanges.length).toBeGreaterThan(500);
    expect(listFindings(exchanges)).toEqual([]);
    const held = judgeExchanges(serviceRules, exchanges).collectKeptRules();
    expect(serviceRules.map(({ id }) => id).filter((id) => !held.get(id)?.length)).toEqual([]);
  });

  // Each choice of each point is in one of these; the deep suite tests every choice alone, and long polls.
  it.each(combinations)('breaks no rule in a dialect with $name', async ({ choices: all }) => {
    const choices = { ...all, 'poll.long-poll': 'off' };
    const found = listFindings(await playLibrary(choices));
    const isFine = async (some: Record<string, string>) => listFindings(await playLibrary(some)).length === 0;
    const cause = found.length > 0 ? await findCulprits(choices, isFine) : {};
    expect(found, `breaks rules with ${JSON.stringify(cause)}`).toEqual([]);
  });

  it('proves nothing in a part of the stream that the whole does not: it may begin anywhere, end anywhere and lack polls', () => {
    for (const at of [50, 333, 600]) {
      expect(listFindings(exchanges.slice(at))).toEqual([]);
      expect(listFindings(exchanges.slice(0, at))).toEqual([]);
    }
    for (const rest of [0, 1, 2]) {
      const fewer = exchanges.filter(({ operation }, n) => operation !== 'getTask' || n % 3 === rest);
      expect(listFindings(fewer)).toEqual([]);
    }
  });
});

describe('a race in which the service breaks a rule', () => {
  it.each([...BROKEN])('%s shows %s to be broken, and nothing else', async (name, rule) => {
    const found = judgeExchanges(serviceRules, await playAlone(name)).findings();
    expect(new Set(found.map((finding) => finding.rule))).toEqual(new Set([rule]));
  });
});

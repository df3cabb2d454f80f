import { describe, expect, it } from 'vitest';
import type { Match, Scenario } from '../types.js';
import { listMismatches, Matcher } from './match.js';
import { deriveMatch, type TaskRequest } from './task-request.js';

function scenario(name: string, match: Match, request: Record<string, unknown> = {}): Scenario {
  return { name, title: name, covers: [], match, request, timeline: [] };
}
const weather = scenario(
  'weather',
  { task: 'Weather in Rome?', tools: ['get_weather'] },
  { task: 'Weather in Rome?' },
);
const tool = { name: 'get_weather' };

describe('deriveMatch', () => {
  it('takes the task text and all tools of a one-shot task', () => {
    expect(deriveMatch({ task: 'a', custom_tools: [tool] })).toEqual({ task: 'a', tools: ['get_weather'] });
    expect(deriveMatch({ task: 'a', url: 'https://x.example' })).toEqual({ task: 'a' });
  });

  it('takes the url of a session, and leaves a session without one to be chosen by name', () => {
    expect(deriveMatch({ task: null, url: 'https://x.example' })).toEqual({
      session: true,
      url: 'https://x.example',
    });
    expect(deriveMatch({ task: null })).toBe('never');
    expect(deriveMatch({})).toBe('never');
  });
});

const misses = (given: Scenario, request: TaskRequest) => [...listMismatches(given.match, request)];

describe('missesOf', () => {
  it('is empty when all parts hold; additional tools do not matter', () => {
    expect(misses(weather, { task: 'Weather in Rome?', custom_tools: [{ name: 'other' }, tool] })).toEqual(
      [],
    );
  });

  it.each<[Match, Record<string, unknown>, RegExp]>([
    ['never', { task: 'a' }, /by name only/],
    [{ task: 'a' }, { task: 'b' }, /its task is "a", the request has "b"/],
    [{ task: 'a' }, { task: null }, /request is a session/],
    [{ task: { contains: 'Rome' } }, { task: 'Oslo' }, /contains "Rome"/],
    [{ task: { pattern: '^R.me$' } }, { task: 'in Rome' }, /matches "\^R\.me\$"/],
    [{ session: true }, { task: 'a' }, /it is a session/],
    [{ session: false }, { task: null }, /it is a one-shot task/],
    [{ url: 'https://a.example' }, { task: null }, /url "https:\/\/a\.example", the request none/],
    [
      { tools: ['x', 'y'] },
      { task: 'a', custom_tools: [{ name: 'y' }] },
      /needs the tools x, the request registers y/,
    ],
  ])('says what is in the way: %j against %j', (match, request, why) => {
    expect(misses(scenario('s', match), request).join()).toMatch(why);
  });

  it.each<[Match, Record<string, unknown>]>([
    [{ task: { contains: 'Rome' } }, { task: 'Weather in Rome?' }],
    [{ task: { pattern: 'R.me\\?$' } }, { task: 'Weather in Rome?' }],
    [{ session: true }, {}],
    [
      { session: true, url: 'https://a.example' },
      { task: null, url: 'https://a.example' },
    ],
  ])('%j fits %j', (match, request) => {
    expect(misses(scenario('s', match), request)).toEqual([]);
  });

  it('takes linear time on a pattern that would make a backtracking engine hang', () => {
    const hostile = scenario('s', { task: { pattern: '^(a+)+$' } });
    expect(misses(hostile, { task: `${'a'.repeat(50_000)}!` })).not.toEqual([]);
  });
});

describe('Matcher', () => {
  const loose = scenario('loose', { task: { contains: 'Rome' } }, { task: 'Rome' });

  it('takes the first in the order given, whichever way it is found', () => {
    const request = { task: 'Weather in Rome?', custom_tools: [tool] };
    expect(new Matcher([loose, weather]).choose(request)?.name).toBe('loose');
    expect(new Matcher([weather, loose]).choose(request)?.name).toBe('weather');
  });

  it('continues with the next scenario when the exact text has other tools', () => {
    const plain = scenario('plain', { task: 'Weather in Rome?' });
    expect(new Matcher([weather, plain]).choose({ task: 'Weather in Rome?' })?.name).toBe('plain');
  });

  it('compares few of many scenarios', () => {
    let looked = 0;
    const many = Array.from({ length: 2000 }, (_, index) => {
      const match = {
        task: `task ${index}`,
        get tools(): string[] {
          looked++;
          return [];
        },
      };
      return scenario(`s${index}`, match);
    });
    const matcher = new Matcher(many);
    looked = 0;
    expect(matcher.choose({ task: 'task 1999' })?.name).toBe('s1999');
    expect(looked).toBeLessThan(10);
  });

  it('names the nearest and why it does not fit', () => {
    const other = scenario('other', { task: 'Book a table' }, { task: 'Book a table' });
    const near = new Matcher([other, weather]).findNearest({ task: 'Weather in Rome', custom_tools: [tool] });
    expect(near).toEqual({
      name: 'weather',
      why: 'its task is "Weather in Rome?", the request has "Weather in Rome"',
    });
    expect(new Matcher([]).findNearest({ task: 'a' })).toBeUndefined();
  });

  it('takes all tools in common for as near as half of the words, and names none that is below', () => {
    const tooled = scenario(
      'tooled',
      { task: 'Weather?', tools: ['get_weather'] },
      { task: 'Weather?', custom_tools: [tool] },
    );
    const matcher = new Matcher([tooled]);
    expect(matcher.findNearest({ task: 'Something else', custom_tools: [tool] }, 1.4)?.name).toBe('tooled');
    expect(matcher.findNearest({ task: 'Something else' }, 1.4)).toBeUndefined();
    expect(matcher.findNearest({ task: 'Weather?', custom_tools: [tool] })).toBeUndefined();
  });
});

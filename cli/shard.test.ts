import { describe, expect, it } from 'vitest';
import { parseShard, SHARD_SOURCES } from './shard.js';

describe('--shard auto', () => {
  it.each(SHARD_SOURCES)('reads the first and the last part of $name', ({ index, total, first }) => {
    const at = (value: number) => parseShard('auto', { [index]: String(value), [total]: '4' });
    expect(at(first)).toEqual({ part: 1, of: 4 });
    expect(at(first + 3)).toEqual({ part: 4, of: 4 });
  });

  it.each(SHARD_SOURCES)('refuses what $name cannot mean', ({ index, total, first }) => {
    const range = `Expected ${index} from ${first} to ${total}`;
    for (const [value, of] of [
      [first + 4, 4],
      [first - 1, 4],
      ['', 4],
      ['x', 4],
      [first, 0],
      [first, 1e6],
    ])
      expect(() => parseShard('auto', { [index]: `${value}`, [total]: `${of}` })).toThrow(range);
    expect(() => parseShard('auto', { [index]: String(first) })).toThrow(`${range}`);
    expect(() => parseShard('auto', { [index]: String(first) })).toThrow(`and no ${total}`);
  });

  it('says what to set where nothing says which part this is', () => {
    expect(() => parseShard('auto', { PATH: '/bin' })).toThrow(
      /^Found none of STRATEGY_JOB_INDEX \(GitHub Actions\), CI_NODE_INDEX .*JOB_COMPLETION_INDEX \(Kubernetes\)\. Give PART\/OF/,
    );
    expect(() => parseShard('auto', { GITHUB_ACTIONS: 'true' })).toThrow('strategy.job-index');
  });
});

describe('--shard PART/OF', () => {
  it.each(['0/4', '5/4', '1/0', '1/10001', '1', 'automatic', '', '-1/4', '1/4/2'])('refuses %j', (text) => {
    expect(() => parseShard(text, { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2' })).toThrow(
      'Expected PART/OF, such as 2/4',
    );
  });

  it('takes any part', () => {
    expect(parseShard('5/1000')).toEqual({ part: 5, of: 1000 });
  });
});

import { describe, expect, it } from 'vitest';
import { run } from '../test/support/cli/command.js';
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

describe('a part of conform and client', () => {
  const plan = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([
      ...['conform', 'http://127.0.0.1:1', '--plan', '--report', 'json', '--config', '/dev/null'],
      ...['--only', 'auth/list*', ...args],
    ]);
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { cases: { id: string }[] }).cases.map(({ id }) => id);
  };

  it('has its test cases alone', async () => {
    const whole = await plan();
    const first = await plan('--shard', '1/2');
    const second = await plan('--shard', '2/2');
    expect(first.length).toBeGreaterThan(0);
    expect([...first, ...second].sort()).toEqual(whole.sort());
  });

  it.each([
    ['conform', 'http://127.0.0.1:1', '--only', 'auth/listTasks*', '--api-key', 'a', '--config', '/dev/null'],
    ['client', '--scenario', 'polling/one-shot', '--', 'node', 'client.mjs'],
  ])('%s: refuses one with nothing to do', async (command, ...args) => {
    const { code, stderr } = await run([command, '--shard', '9000/10000', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /--shard: nothing is left for this part: \d+ (test case|scenario)s? can be shared/,
    );
  });
});

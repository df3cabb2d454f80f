import { describe, expect, it } from 'vitest';
import { startMock } from '../../test/support/mock/mock.js';

describe('the journal', () => {
  it('is filtered by task, kind and seq, and holds no key', async () => {
    const mock = await startMock();
    const secret = 'key-that-is-secret';
    const [one, two] = [await mock.create({ task: 'x' }, secret), await mock.create({ task: 'y' }, secret)];
    await mock.poll(one, 0, secret);
    await mock.poll(two, 0, secret);
    await mock.poll(one, 0, secret);
    await mock.send('GET', '/usage');
    const seqs = (query: Parameters<typeof mock.control.journal>[0]) =>
      mock.control.journal({ key: secret, ...query }).map(({ seq }) => seq);
    expect(seqs({})).toEqual([1, 2, 3, 4, 5]);
    expect(seqs({ task: one })).toEqual([1, 3, 5]);
    expect(seqs({ kind: 'poll' })).toEqual([3, 4, 5]);
    expect(seqs({ task: one, kind: 'poll', limit: 1 })).toEqual([5]);
    expect(seqs({ since: 2 })).toEqual([3, 4, 5]);
    expect(seqs({ since: 2, limit: 2 })).toEqual([3, 4]);
    expect(mock.control.journal()).toHaveLength(6);
    expect(mock.control.journal({ key: 'nobody' })).toEqual([]);
    expect(JSON.stringify(mock.control.journal())).not.toContain(secret);
  });

  it('is the input of the rules', async () => {
    const judge = (exchanges: { seq: number }[]) => [
      {
        rule: 'count',
        requirement: 'POLL-01',
        side: 'client' as const,
        level: 'must' as const,
        message: `${exchanges.length}`,
        evidence: [],
      },
    ];
    const mock = await startMock({ judge });
    await mock.send('GET', '/usage', undefined, 'a');
    await mock.send('GET', '/usage', undefined, 'b');
    await mock.send('GET', '/usage', undefined, 'b');
    expect(mock.control.findings().map(({ message }) => message)).toEqual(['1', '2']);
    expect(mock.control.findings('b').map(({ message }) => message)).toEqual(['2']);
    expect((await startMock()).control.findings()).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import type { Mock } from '../../mock/mock.js';
import { InTestClient } from '../../test/support/in-tests/client.js';
import { mockTest } from './vitest.js';

describe('mockTest', () => {
  const seen: Mock[] = [];

  mockTest('gives a mock in virtual time', async ({ mock }) => {
    seen.push(mock);
    const task = await new InTestClient(mock).start('polling/one-shot');
    expect((await new InTestClient(mock).poll(task)).status).toBe(202);
    await mock.clock.advance('1h');
    expect((await new InTestClient(mock).poll(task)).status).toBe(200);
  });

  mockTest('gives another one to the next test, and closes the one before', async ({ mock }) => {
    expect(seen[0]).not.toBe(mock);
    expect(mock.journal()).toEqual([]);
    await expect(seen[0]!.fetch('http://mock/api/v1/usage')).rejects.toThrow('has been closed');
  });

  describe.concurrent('beside others', () => {
    for (const count of [1, 2, 3]) {
      mockTest(`keeps ${count} from what the others do`, async ({ mock, expect }) => {
        const talk = new InTestClient(mock);
        for (let i = 0; i < count; i++) await talk.start('polling/one-shot');
        expect(mock.journal()).toHaveLength(count);
        expect(mock).toHaveReached('running', mock.journal()[0]!.task);
      });
    }
  });

  describe('with hooks', () => {
    let begun = '';
    beforeEach<{ mock: Mock }>(async ({ mock }) => {
      begun = await new InTestClient(mock).start('polling/one-shot');
    });
    afterEach<{ mock: Mock }>(({ mock }) => {
      expect(mock).toHaveReached('done', begun);
    });
    mockTest('is the same mock in hooks', async ({ mock }) => {
      await mock.clock.advance('1h');
      expect(mock).toHaveReached('done', begun);
    });
  });

  describe('under the fake timers of vitest', () => {
    beforeEach(() => {
      vi.useFakeTimers();
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    mockTest('still moves on command', async ({ mock }) => {
      const { task, call } = await new InTestClient(mock).startCall();
      await new InTestClient(mock).reply(task, call);
      await mock.clock.advance('5s');
      expect(mock).toHaveReached('done');
      expect(mock).toHaveNoFindings();
    });
  });

  describe('with a client that sleeps', () => {
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const client = async (mock: Mock) => {
      const talk = new InTestClient(mock);
      const task = await talk.start();
      const polls = [];
      do {
        await sleep(1000);
        polls.push((await talk.poll(task)).status);
      } while (polls.at(-1) === 202);
      return polls;
    };

    mockTest.concurrent('runs it in virtual time', async ({ mock, expect }) => {
      await mock.scenario('polling/slow-agent');
      const polls = await mock.time.run(() => client(mock));
      expect(polls.length).toBeGreaterThan(20);
      expect(mock).toHaveNoFindings();
    });

    mockTest(
      'runs it under the fake timers of vitest, which have their time back afterwards',
      async ({ mock }) => {
        await mock.scenario('polling/slow-agent');
        vi.useFakeTimers({ now: 1234 });
        try {
          expect((await mock.time.run(() => client(mock))).at(-1)).toBe(200);
          expect(Date.now()).toBe(1234);
          const slept = sleep(5);
          await vi.advanceTimersByTimeAsync(5);
          await slept;
        } finally {
          vi.useRealTimers();
        }
      },
    );
  });

  const impossible = mockTest.extend({ mockOptions: { clock: 'backwards' as 'manual' } });
  impossible('makes no mock for a test that asks for none', () => {});
  impossible.fails('makes one for a test that asks', ({ mock }) => {
    expect(mock.seed).toBe(1);
  });

  describe('options', () => {
    const seeded = mockTest.extend({ mockOptions: { seed: 7, network: 'fail 503 of poll times 1' } });
    seeded('come by extend', async ({ mock }) => {
      expect(mock.seed).toBe(7);
      const talk = new InTestClient(mock);
      expect((await talk.poll(await talk.start('polling/one-shot'))).status).toBe(503);
    });
    describe('of a block', () => {
      mockTest.override({ mockOptions: { seed: 8 } });
      mockTest('come by override', ({ mock }) => expect(mock.seed).toBe(8));
    });
    mockTest('end with the block', ({ mock }) => expect(mock.seed).toBe(1));
  });
});

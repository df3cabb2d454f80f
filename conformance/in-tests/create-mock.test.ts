import assert from 'node:assert/strict';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Mock } from '../../mock/mock.js';
import { InTestClient } from '../../test/support/in-tests/client.js';
import { runNode } from '../../test/support/in-tests/run.js';
import { createMock, withMock } from './create-mock.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The error of `withMock` if the body throws `thrown`. */
async function endOf(thrown: unknown): Promise<unknown> {
  try {
    await withMock(async (mock) => {
      await new InTestClient(mock).start('polling/one-shot');
      throw thrown;
    });
  } catch (error) {
    return error;
  }
  throw new Error('expected it to throw');
}

describe('withMock', () => {
  it('gives what its body gives, in virtual time, and closes the mock', async () => {
    let kept: Mock | undefined;
    const given = await withMock(async (mock) => {
      kept = mock;
      const task = await new InTestClient(mock).start('polling/one-shot');
      await mock.clock.advance('1h');
      return (await new InTestClient(mock).poll(task)).status;
    });
    expect(given).toBe(200);
    await expect(kept!.fetch('http://mock/api/v1/usage')).rejects.toThrow('has been closed');
    expect(await withMock(() => 'at once')).toBe('at once');
  });

  it('has a clock that moves only on command, by default', async () => {
    const modeOf = async (mock: Mock) => {
      await new InTestClient(mock).send('GET', '/usage');
      return mock.clock.view()[0]?.mode;
    };
    expect(await withMock(modeOf)).toBe('manual');
    expect(await withMock(modeOf, { clock: 'skipping' })).toBe('skipping');
  });

  it('compares no times of a client in real time whose clock is paused', async () => {
    const polls = async (mock: Mock) => {
      const client = new InTestClient(mock);
      const task = await client.start('polling/slow-agent');
      for (let i = 0; i < 30; i++) await client.poll(task);
      return mock.findings().map(({ rule }) => rule);
    };
    const paused = (mock: Mock) => mock.clock.set({ pause: true }).then(() => polls(mock));
    const atOnce = { clock: 'real', wall: () => 1_767_225_600_000 } as const;
    expect(await withMock(polls, atOnce)).toContain('polling/pace');
    expect(await withMock(paused, atOnce)).toEqual([]);
  });

  it('takes the options of createMock, the seed also of the environment', async () => {
    vi.stubEnv('TASKDOUBLE_SEED', '42');
    expect(await withMock((mock) => mock.seed)).toBe('42');
    expect(await withMock((mock) => mock.seed, { seed: 7 })).toBe(7);
    vi.stubEnv('TASKDOUBLE_SEED', '');
    expect(await withMock((mock) => mock.seed)).toBe(1);
    const { status } = await withMock((mock) => new InTestClient(mock).send('GET', '/usage'), {
      network: 'fail 503 of GET /usage',
    });
    expect(status).toBe(503);
  });

  it('throws the same error, with the seed and the conversation in its message and its stack', async () => {
    class OfMine extends Error {}
    const thrown = new OfMine('gone wrong');
    expect(await endOf(thrown)).toBe(thrown);
    expect(thrown.message).toMatch(
      /^gone wrong\n\ntaskdouble: seed 1 .*\n {3}\+0\.000 s {2}client {3}POST \/task → 200/,
    );
    expect(thrown.stack).toMatch(
      /^Error: gone wrong\n\ntaskdouble: seed 1 [\s\S]*POST \/task[\s\S]*\n {4}at .*create-mock\.test\.ts/,
    );
    expect(thrown.stack!.match(/POST \/task/g)).toHaveLength(1);
  });

  it('does so with assertions of Node.js', async () => {
    const thrown = await endOf(
      new assert.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' }),
    );
    expect((thrown as Error).message).toMatch(/Expected values[\s\S]*1 !== 2[\s\S]*taskdouble: seed 1/);
    expect((thrown as assert.AssertionError).expected).toBe(2);
  });

  it('names the forgotten fetch', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND mock'), {
      code: 'ENOTFOUND',
      hostname: 'mock',
    });
    const thrown = await endOf(new TypeError('fetch failed', { cause }));
    expect((thrown as Error).message).toContain('Give the client `fetch: mock.fetch`.');
  });

  it('writes to the console if the error cannot be changed', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const frozen = Object.freeze(new Error('frozen'));
    const odd = Object.defineProperty(new Error('odd'), 'message', {
      get: () => {
        throw new Error('no message to be had');
      },
    });
    const aborted = new DOMException('aborted', 'AbortError');
    const all = [frozen, odd, aborted, 'a text', undefined, null, 7];
    for (const thrown of all) expect(await endOf(thrown)).toBe(thrown);
    expect(frozen.message).toBe('frozen');
    expect(said).toHaveBeenCalledTimes(all.length);
    expect(said.mock.calls.flat().every((text) => /^taskdouble: seed 1.*\n.*POST \/task/.test(text))).toBe(
      true,
    );
  });

  it('rejects for an option that there is not, and for a file that there is not', async () => {
    await expect(withMock(() => 1, { sead: 1 } as object)).rejects.toThrow('did you mean seed?');
    await expect(withMock(() => 1, { fixtures: 'no-such-file.yaml' })).rejects.toThrow('no-such-file.yaml');
  });

  it('names what it expected if it receives something else', async () => {
    await expect(withMock(null as never)).rejects.toThrow(
      'withMock: expected a function that receives the mock, got null.',
    );
    await expect(withMock(() => 1, null as never)).rejects.toThrow(
      'withMock: expected an object of options; found nothing',
    );
    await expect(withMock(() => 1, { clok: 'real' } as never)).rejects.toThrow(
      'withMock: unknown key "clok"; did you mean clock?',
    );
    expect(() => createMock(null as never)).toThrow(
      'createMock: expected an object of options; found nothing',
    );
  });

  it('shows them in node:test', async () => {
    const { code, stdout } = await runNode(['--test', 'test/support/in-tests/failing/failing.spec.mjs']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/two is not three/);
    expect(stdout).toMatch(/taskdouble: seed 1 \(the same again: TASKDOUBLE_SEED=1\), the conversation:/);
    expect(stdout).toMatch(/\+0\.000 s {2}client {3}POST \/task → 200 task \w{8} is running/);
  });
});

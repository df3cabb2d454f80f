import { mockTest } from 'taskdouble/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// Every test here fails intentionally: failing-tests.test.ts checks the output.

const headers = { apikey: 'sk-very-secret-key', 'content-type': 'application/json' };

function start(mock: { fetch: typeof fetch }, task: string): Promise<Response> {
  return mock.fetch('http://mock/api/v1/task', { method: 'POST', headers, body: JSON.stringify({ task }) });
}

mockTest('fails by an assertion', async ({ mock }) => {
  await start(mock, 'one');
  expect(1 + 1, 'adding up').toBe(3);
});

describe.concurrent('at the same time', () => {
  for (const name of ['left', 'right']) {
    mockTest(`fails on the ${name}`, async ({ mock, expect }) => {
      await start(mock, name);
      await mock.clock.advance('1h');
      expect(mock).toHaveReached('failed');
    });
  }
});

describe('with hooks', () => {
  beforeEach<{ mock: { fetch: typeof fetch } }>(async ({ mock }) => {
    await start(mock, 'before');
  });
  afterEach(() => {
    throw new Error('thrown after the test');
  });
  mockTest('fails in a hook', () => {});
});

mockTest('fails by its time', { timeout: 50 }, async ({ mock }) => {
  await start(mock, 'never ends');
  await new Promise(() => {});
});

mockTest.extend({ mockOptions: { seed: 'of my own' } })('fails with a text', async ({ mock }) => {
  await start(mock, 'text');
  throw 'only a text';
});

mockTest('fails softly twice', async ({ mock }) => {
  await start(mock, 'soft');
  expect.soft(1).toBe(2);
  expect.soft(2).toBe(3);
});

mockTest('fails twice', { retry: 1 }, async ({ mock, task }) => {
  await start(mock, `try ${task.result?.retryCount}`);
  throw new Error('again');
});

mockTest('fails without asking for a mock', () => {
  throw new Error('no mock');
});

it('fails as a test of vitest', () => {
  throw new Error('not of mockTest');
});

mockTest.extend({ mockOptions: { sead: 1 } as never })('cannot have a mock', ({ mock }) => {
  expect(mock).toHaveNoFindings();
});

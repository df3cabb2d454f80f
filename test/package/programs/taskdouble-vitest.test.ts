import { withMock } from 'taskdouble';
import { mockTest } from 'taskdouble/vitest';
import { expect, it } from 'vitest';

const headers = { apikey: 'demo', 'content-type': 'application/json' };

mockTest('a task is done once time has passed', async ({ mock }) => {
  const created = await mock.fetch('http://mock/api/v1/task', {
    method: 'POST',
    headers,
    body: JSON.stringify({ task: 'Find the price of tea' }),
  });
  const { id } = ((await created.json()) as { r: { id: string } }).r;
  await mock.clock.advance(600_000);
  await mock.fetch(`http://mock/api/v1/task/${id}`, { headers });
  expect(mock).toHaveReached('done');
  expect(mock).toHaveNoFindings();
  // @ts-expect-error there is no such status
  expect(() => expect(mock).toHaveReached('finished')).toThrow();
});

it('is there without a fixture too', () =>
  withMock(async (mock) => {
    await mock.fetch('http://mock/api/v1/usage', { headers });
    expect(mock).toHaveNoFindings();
  }));

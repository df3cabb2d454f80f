import assert from 'node:assert/strict';
import { createMock, type Exchange, type Finding, type Mock, type MockOptions } from 'taskdouble';

const options: MockOptions = { clock: 'manual', seed: 7 };
const mock: Mock = createMock(options);
const headers = { apikey: 'demo', 'content-type': 'application/json' };

const created = await mock.fetch('http://mock/api/v1/task', {
  method: 'POST',
  headers,
  body: JSON.stringify({ task: 'Find the price of tea' }),
});
const { id } = ((await created.json()) as { r: { id: string } }).r;
await mock.clock.advance(600_000);
const polled = await mock.fetch(`http://mock/api/v1/task/${id}`, { headers });
assert.equal(((await polled.json()) as { r: { status: string } }).r.status, 'done');

const findings: readonly Finding[] = mock.findings();
const exchanges: readonly Exchange[] = mock.journal();
assert.deepEqual([findings.length, exchanges.length], [0, 2]);
await mock.close();

// @ts-expect-error there is no such clock
const wrong: MockOptions = { clock: 'sideways' };
assert.throws(() => createMock(wrong), /sideways/);

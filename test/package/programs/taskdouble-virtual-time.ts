import 'taskdouble/virtual-time';
import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { createMock } from 'taskdouble';

// What this module remembers of the platform follows the mock's time all the same.
const { setTimeout: sleep } = globalThis;
const mock = createMock({ clock: 'manual' });
const before = performance.now();
const waited: number = await mock.time.run(async () => {
  const from = Date.now();
  await new Promise((resolve) => sleep(resolve, 300_000));
  return Date.now() - from;
});
assert.equal(waited, 300_000);
assert.ok(performance.now() - before < 300_000, 'five minutes were waited for');
await mock.close();

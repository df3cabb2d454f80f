import assert from 'node:assert/strict';
import { createMock } from 'taskdouble';
import { type ConformReport, checkClient, conform, toHar } from 'taskdouble/conformance';

const mock = createMock();
const { baseUrl, close } = await mock.listen();
const report: ConformReport = await conform({
  baseUrl,
  apiKey: 'demo',
  only: ['auth/listProfiles*'],
});
assert.equal(report.summary.failed, 0);
assert.ok(report.summary.passed > 0);
assert.ok(toHar(report.exchanges).log.entries.length > 0);
await close();
await mock.close();

const checked = await checkClient({
  client: async () => ({ status: 'done', output: null, results: [], tool_runs: [] }),
  scenarios: ['polling/one-shot'],
});
assert.ok(checked.summary.failed > 0, 'a client that does nothing must not pass');

// @ts-expect-error an address is needed
await assert.rejects(async () => conform({ apiKey: 'demo' }));

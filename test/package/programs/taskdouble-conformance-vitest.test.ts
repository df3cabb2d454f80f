import { createMock } from 'taskdouble';
import { describeClient, describeConformance } from 'taskdouble/conformance/vitest';
import { afterAll, expect, it } from 'vitest';

const mock = createMock();
const listening = mock.listen();
afterAll(async () => {
  await (await listening).close();
  await mock.close();
});

describeConformance({
  baseUrl: async () => (await listening).baseUrl,
  apiKey: 'demo',
  only: ['auth/listProfiles*'],
});

describeClient(
  async ({ baseUrl, apiKey, fetch, job }) => {
    const init = { headers: { apikey: apiKey, 'content-type': 'application/json' } };
    const url = `${baseUrl}/api/v1/task`;
    const created = await fetch(url, { ...init, method: 'POST', body: JSON.stringify(job.request) });
    let { r: task } = (await created.json()) as { r: { id: string; status: string; output?: unknown } };
    while (task.status === 'running' || task.status === 'waiting') {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const polled = await fetch(`${url}/${task.id}`, init);
      ({ r: task } = (await polled.json()) as { r: typeof task });
    }
    return { status: task.status, output: task.output, results: [], tool_runs: [] };
  },
  { scenarios: ['polling/one-shot', 'tool-calls/one-call'], lacks: ['tools'] },
);

it('refuses options that are none', () => {
  // @ts-expect-error a key is needed
  expect(() => describeConformance({ baseUrl: 'http://127.0.0.1:1', only: ['no/such'] })).toThrow();
});

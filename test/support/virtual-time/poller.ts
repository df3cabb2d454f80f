import type { Fetch } from '../../../mock/serve/fetch.js';

export const KEY = 'client-of-a-test';

/** An ordinary client: one task, and a sleep between polls. */
export async function runTask(
  fetch: Fetch,
  base_url: string,
  { scenario = 'polling/slow-agent', sleep = sleepByTimer, key = KEY, request = {} }: RunTaskOptions = {},
): Promise<{ status: string; polls: number }> {
  const headers = { apikey: key, 'content-type': 'application/json' };
  const made = await fetch(`${base_url}/api/v1/task`, {
    method: 'POST',
    headers: { ...headers, 'x-taskdouble-scenario': scenario },
    body: JSON.stringify({ task: 'Look something up', ...request }),
  });
  const { r } = (await made.json()) as { r: { id: string } };
  for (let polls = 1; ; polls++) {
    const response = await fetch(`${base_url}/api/v1/task/${r.id}`, { headers });
    const { status } = ((await response.json()) as { r: { status: string } }).r;
    if (status !== 'running' && status !== 'waiting') return { status, polls };
    await sleep(1_000);
  }
}

interface RunTaskOptions {
  scenario?: string;
  sleep?: (ms: number) => Promise<unknown>;
  key?: string;
  request?: object;
}

function sleepByTimer(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

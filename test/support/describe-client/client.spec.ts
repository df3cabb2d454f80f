import { readFileSync } from 'node:fs';
import type { ClientContext, ResultLine } from '../../../conformance/client/types.js';
import { describeClient } from '../../../conformance/in-tests/describe-client.js';

/** A client for tasks without tools. CLIENT_FAULT: `status` reports a wrong one, `nothing` sends no request. */
async function runPlain({ fetch, baseUrl, apiKey, job }: ClientContext): Promise<ResultLine | undefined> {
  const fault = process.env.CLIENT_FAULT;
  if (fault === 'nothing') return undefined;
  const call = async (path: string, body?: unknown) => {
    const headers = { apikey: apiKey, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}/api/v1${path}`, init);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return (await response.json()).r;
  };
  let task = await call('/task', job.request);
  while (task.status === 'running' || task.status === 'waiting') {
    await new Promise((resolve) => setTimeout(resolve, 500));
    task = await call(`/task/${task.id}`);
  }
  const status = fault === 'status' ? 'done' : task.status;
  return { status, output: task.output, results: [], tool_runs: [] };
}

const options = JSON.parse(readFileSync(process.env.CLIENT_OPTIONS!, 'utf8'));
describeClient(runPlain, options);

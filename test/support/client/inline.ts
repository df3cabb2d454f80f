import { readFileSync } from 'node:fs';
import type { Client } from '../../../conformance/client/types.js';

export function createScriptClient(code: string, ...args: string[]): Extract<Client, { kind: 'command' }> {
  return { kind: 'command', command: [process.execPath, '--input-type=module', '-e', code, ...args] };
}

/** A small correct client with one tool and no actions; `done` is its last output. */
export const SMALL_CLIENT = `
  const { TASKDOUBLE_BASE_URL: base, TASKDOUBLE_API_KEY: apikey, TASKDOUBLE_JOB } = process.env;
  const job = JSON.parse(TASKDOUBLE_JOB);
  async function call(method, path, body) {
    const response = await fetch(base + '/api/v1' + path, {
      method,
      headers: { apikey, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error('HTTP ' + response.status);
    return (await response.json()).r;
  }
  let task = await call('POST', '/task', job.request);
  const { id } = task;
  const tool_runs = [];
  let last = 0;
  while (task.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 20));
    task = await call('GET', '/task/' + id + '?event_t=' + last);
    for (const event of task.events ?? []) {
      last = event.timestamp;
      tool_runs.push(event.payload);
      const payload = job.tools[event.payload.name][0];
      await call('POST', '/task/' + id + '/event', { id: event.id, name: 'tool_call', payload, timestamp: Date.now() });
    }
  }
  console.log(JSON.stringify({ status: task.status, output: task.output, results: [], tool_runs }));
`;

/** True if the process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

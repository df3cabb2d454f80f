// A program: environment in, one line out.
import { isOver, newId, pause } from './base/api.mjs';
import { readSeconds } from './base/seconds.mjs';
import { actionsOf, outcomeOf } from './base/tools.mjs';

const { TASKDOUBLE_BASE_URL, TASKDOUBLE_API_KEY, TASKDOUBLE_JOB } = process.env;
const job = JSON.parse(TASKDOUBLE_JOB);
const headers = { apikey: TASKDOUBLE_API_KEY, 'content-type': 'application/json' };
const log = (...words) => console.error(...words);

async function http(method, path, body, tries = 6) {
  for (let n = 1; ; n++) {
    let response;
    let text;
    try {
      response = await fetch(`${TASKDOUBLE_BASE_URL}/api/v1${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      });
      text = await response.text();
      if (response.ok) return JSON.parse(text).r;
    } catch (error) {
      if (method === 'GET' || n === tries) throw error;
    }
    if (response && response.status !== 429 && response.status < 500)
      throw Object.assign(new Error(`${response.status} ${text}`), { status: response.status });
    if (n === tries)
      throw Object.assign(new Error(`${response?.status} again and again`), { status: response?.status });
    await pause(Math.max(250 * 2 ** n, readSeconds(response?.headers.get('retry-after')) * 1000));
  }
}

const results = [];
const runs = [];
const actions = actionsOf(job);
const seen = new Set();
let since = 0;
let current;
let stopped = false;

async function main() {
  const { id } = await http('POST', '/task', job.request);
  const begun = Date.now();
  for (;;) {
    const task = await http('GET', `/task/${id}?event_t=${since}`);
    for (const event of task.events ?? []) {
      since = event.timestamp;
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      if (event.name === 'tool_call') {
        if (isOver(task.status)) continue;
        const { name, input } = event.payload;
        const payload = outcomeOf(job, name, runs.filter((each) => each.name === name).length);
        if (Object.hasOwn(job.tools, name)) runs.push({ name, input });
        await http('POST', `/task/${id}/event`, { name: 'tool_call', id: event.id, payload }).catch(
          (error) => {
            if (![400, 409, 422].includes(error.status)) throw error;
          },
        );
      } else if (event.id === current?.id) {
        const { code, output } = event.payload;
        results.push({ name: current.payload.name, code, output });
        current = undefined;
        // The operator decides what to do about a refusal.
        if (code === 400) await new Promise(() => {});
      }
    }
    if (isOver(task.status)) return task;
    if (Date.now() - begun > job.deadline_ms) throw new Error('deadline');
    const due = job.cancel_after_ms !== null && Date.now() - begun >= job.cancel_after_ms;
    if (!stopped && (due || (job.close === 'delete' && !current && actions.length === 0))) {
      stopped = true;
      await http('DELETE', `/task/${id}`);
      continue;
    }
    if (!current && actions.length > 0) {
      current = { ...actions.shift(), id: newId() };
      await http('POST', `/task/${id}/event`, current);
    }
    await pause(500);
  }
}

let line;
try {
  const { status, output } = await main();
  line = { status, output, results, tool_runs: runs };
} catch (error) {
  log(error);
  line = { status: null, output: null, results, tool_runs: runs, error: String(error) };
  if (error instanceof TypeError) throw error;
}
console.log(JSON.stringify(line));
if (runs.length > 1) console.log(`${runs.length} tools were run`);
process.exitCode = 0;

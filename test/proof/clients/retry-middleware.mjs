// fetch with layers around it, each of which does one thing.
import { isOver, newId, pause } from './base/api.mjs';
import { readSeconds } from './base/seconds.mjs';
import { actionsOf, outcomeOf } from './base/tools.mjs';

const compose =
  (...layers) =>
  (inner) =>
    layers.reduceRight((next, layer) => layer(next), inner);

const retries = (next) => async (request) => {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await next(request);
      if ((response.status !== 429 && response.status < 500) || attempt === 6) return response;
      request = { ...request, headers: { 'content-type': 'application/json' } };
      const seconds = readSeconds(response.headers.get('retry-after'));
      await pause(Math.max(seconds * 1000, 300 * 2 ** attempt));
    } catch (error) {
      if (attempt === 6) throw error;
      await pause(300 * 2 ** attempt);
    }
  }
};

const json = (next) => async (request) => {
  const response = await next(request);
  const text = await response.text();
  if (!response.ok) throw Object.assign(new Error(`${response.status} ${text}`), { status: response.status });
  return JSON.parse(text).r;
};

/** A body that was cut off on its way is read by nobody: it counts as a lost response. */
const whole = (next) => async (request) => {
  const response = await next(request);
  const text = await response.text();
  if (response.ok) JSON.parse(text);
  return new Response(text || null, { status: response.status, headers: response.headers });
};

const transport =
  ({ baseUrl, apiKey, fetch, signal }) =>
  ({ method = 'GET', path, body, headers = { apikey: apiKey, 'content-type': 'application/json' } }) =>
    fetch(`${baseUrl}/api/v1${path}`, {
      method,
      signal,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

export async function run(context) {
  const { job } = context;
  const send = compose(json, retries, whole)(transport(context));
  const once = compose(json, whole)(transport(context));
  const { id } = await send({ method: 'POST', path: '/task', body: job.request });
  const path = `/task/${id}`;
  const post = (body, via = send) => via({ method: 'POST', path: `${path}/event`, body });
  const [begin, results, tool_runs, actions, seen] = [Date.now(), [], [], actionsOf(job), new Set()];
  let [after, current, stopped] = [0, null, false];

  async function answer({ id, payload: { name, input } }) {
    const payload = outcomeOf(job, name, tool_runs.filter((each) => each.name === name).length);
    if (Object.hasOwn(job.tools, name)) tool_runs.push({ name, input });
    try {
      await post({ name: 'tool_call', id, payload }, once);
    } catch (error) {
      if ([400, 404, 409, 422].includes(error.status)) return;
      await post({ name: 'tool_call', id, payload: { code: 500, output: String(error) } });
    }
  }

  for (;;) {
    const task = await send({ path: `${path}?event_t=${after}` });
    for (const event of task.events ?? []) {
      after = event.timestamp;
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      if (event.name === 'tool_call' && !isOver(task.status)) await answer(event);
      if (event.name !== 'tool_call' && current && event.payload.code !== undefined) {
        results.push({ name: current.payload.name, code: event.payload.code, output: event.payload.output });
        current = null;
      }
    }
    if (isOver(task.status)) return { status: task.status, output: task.output, results, tool_runs };
    const age = Date.now() - begin;
    if (age > job.deadline_ms) throw new Error('over time');
    const isTime = job.cancel_after_ms !== null && age >= job.cancel_after_ms;
    if (!stopped && (isTime || (job.close === 'delete' && !current && actions.length === 0))) {
      stopped = true;
      await send({ method: 'DELETE', path });
      continue;
    }
    if (!current && actions.length > 0) {
      current = { ...actions.shift(), id: newId() };
      await post(current);
    }
    await pause(500);
  }
}

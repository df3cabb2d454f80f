// Everything that the service says is one stream of events.
import { isOver, newId, pause } from './base/api.mjs';
import { readSeconds } from './base/seconds.mjs';
import { actionsOf, outcomeOf } from './base/tools.mjs';

class Failed extends Error {}

function connect({ baseUrl, apiKey, fetch, signal }) {
  return async function ask(method, path, body) {
    for (let wait = 400, left = 6; ; wait *= 2, left--) {
      let response;
      try {
        const headers = { apikey: apiKey, 'content-type': 'application/json' };
        response = await fetch(`${baseUrl}/api/v1${path}`, {
          method,
          headers,
          signal,
          body: body && JSON.stringify(body),
        });
        if (response.status < 500 && response.status !== 429) {
          const json = await response.json();
          if (response.ok) return json.r;
          throw Object.assign(new Failed(`${response.status}: ${JSON.stringify(json.detail)}`), {
            status: response.status,
          });
        }
      } catch (error) {
        if (error instanceof Failed || left === 0) throw error;
      }
      if (left === 0) throw new Failed(`no success after all attempts: ${response?.status}`);
      await pause(Math.max(wait, readSeconds(response?.headers.get('retry-after')) * 1000));
    }
  };
}

/** Yields each event once, then the task as it is at the end of each poll. */
async function* watch(ask, id) {
  const known = new Set();
  for (let since = 0; ; ) {
    const task = await ask('GET', `/task/${id}?event_t=${since}`);
    const fresh = (task.events ?? []).filter((event) => !known.has(event.id));
    if (fresh.length > 0) {
      known.add(fresh[0].id);
      yield { event: fresh[0], task };
    }
    since = task.events?.at(-1)?.timestamp ?? since;
    yield { task };
    if (isOver(task.status)) return;
    await pause(500);
  }
}

export async function run(context) {
  const { job } = context;
  const ask = connect(context);
  const results = [];
  const tool_runs = [];
  const actions = actionsOf(job);
  const { id } = await ask('POST', '/task', job.request);
  const until = Date.now() + job.deadline_ms;
  const cancelAt = job.cancel_after_ms === null ? Infinity : Date.now() + job.cancel_after_ms;
  let current;
  let stopped = false;
  const stop = async () => {
    stopped = true;
    await ask('DELETE', `/task/${id}`);
  };

  let last;
  for await (const { event, task } of watch(ask, id)) {
    last = task;
    if (event?.name === 'tool_call' && !isOver(task.status)) {
      const { name, input } = event.payload;
      const payload = outcomeOf(job, name, tool_runs.filter((each) => each.name === name).length);
      if (Object.hasOwn(job.tools, name)) tool_runs.push({ name, input });
      const code = payload.code === 500 ? 501 : payload.code;
      await ask('POST', `/task/${id}/event`, {
        name: 'tool_call',
        id: event.id,
        payload: { ...payload, code },
      }).catch((error) => {
        if (![400, 409, 422].includes(error.status)) throw error;
      });
    } else if (event && event.id === current?.id) {
      results.push({ name: current.payload.name, code: event.payload.code, output: event.payload.output });
      current = undefined;
      if (event.payload.code !== 200) break;
    }
    if (event || isOver(task.status)) continue;
    if (Date.now() > until) throw new Failed('the deadline is over');
    if (!stopped && (Date.now() >= cancelAt || (job.close === 'delete' && !current && actions.length === 0)))
      await stop();
    else if (!current && actions.length > 0) {
      current = { ...actions.shift(), id: newId(), timestamp: Date.now() };
      await ask('POST', `/task/${id}/event`, current);
    }
  }
  const status = last.status === 'failed' ? 'done' : last.status;
  return { status, output: last.output, results, tool_runs };
}

// Callbacks all the way down: (error, value).
import { isOver, newId, pause } from './base/api.mjs';
import { readSeconds } from './base/seconds.mjs';
import { actionsOf, outcomeOf } from './base/tools.mjs';

export const run = (context) =>
  new Promise((resolve, reject) => start(context, (error, line) => (error ? reject(error) : resolve(line))));

function start({ baseUrl, apiKey, fetch, signal, job }, callback) {
  const headers = { apikey: apiKey, 'content-type': 'application/json' };
  const results = [];
  const runs = [];
  const seen = {};
  const actions = actionsOf(job);
  const began = Date.now();
  let id;
  let last = 0;
  let current = null;
  let cancelled = false;
  let _credits = 0;

  function call(method, path, body, done, left = 5, wait = 500) {
    const again = (error, response) => {
      if (left === 0) return done(error ?? new Error(`status ${response.status}`), null, response?.status);
      const hint = readSeconds(response?.headers.get('retry-after')) * 1000;
      if (body?.name === 'tool_call') body = { ...body, id: newId() };
      pause(Math.max(hint, wait)).then(() => call(method, path, body, done, left - 1, wait * 2));
    };
    fetch(`${baseUrl}/api/v1${path}`, { method, headers, signal, body: body && JSON.stringify(body) }).then(
      (response) => {
        if (response.status === 429 || response.status >= 500) return again(undefined, response);
        response.json().then(
          (json) => {
            if (response.ok) return safely(() => done(null, json.r));
            safely(() =>
              done(new Error(`${response.status} ${JSON.stringify(json.detail)}`), null, response.status),
            );
          },
          (error) => again(error),
        );
      },
      (error) => again(error),
    );
  }

  function safely(fn) {
    try {
      fn();
    } catch (error) {
      callback(error);
    }
  }

  call('POST', '/task', job.request, (error, task) => {
    if (error) return callback(error);
    id = task.id;
    poll();
  });

  function poll() {
    call('GET', `/task/${id}?event_t=${last}`, undefined, (error, task) => {
      if (error) return callback(error);
      events(task, task.events ? task.events.slice() : [], () => after(task));
    });
  }

  function events(task, list, next) {
    const event = list.shift();
    if (!event) return next();
    last = event.timestamp;
    if (seen[event.id]) return events(task, list, next);
    if (event.name === 'tool_call') {
      seen[event.id] = true;
      if (isOver(task.status)) return events(task, list, next);
      const { name, input } = event.payload;
      const outcome = outcomeOf(job, name, runs.filter((each) => each.name === name).length);
      if (Object.hasOwn(job.tools, name)) runs.push({ name, input });
      call(
        'POST',
        `/task/${id}/event`,
        { name: 'tool_call', id: event.id, payload: outcome },
        (error, _, status) => {
          if (error && ![400, 409, 422].includes(status)) return callback(error);
          events(task, list, next);
        },
      );
    } else {
      if (current?.id === event.id) {
        seen[event.id] = true;
        _credits += event.payload.output.credits_used ?? 0;
        results.push({ name: current.payload.name, code: event.payload.code, output: event.payload.output });
        current = null;
      }
      events(task, list, next);
    }
  }

  function after(task) {
    if (task.status === 'done' || task.status === 'failed')
      return callback(null, { status: task.status, output: task.output, results, tool_runs: runs });
    if (Date.now() - began > job.deadline_ms) return callback(new Error('time is up'));
    const cancelsNow = job.cancel_after_ms !== null && Date.now() - began >= job.cancel_after_ms;
    if (!cancelled && (cancelsNow || (job.close === 'delete' && !current && actions.length === 0))) {
      cancelled = true;
      return call('DELETE', `/task/${id}`, undefined, (error) => (error ? callback(error) : poll()));
    }
    if (!current && actions.length > 0) {
      current = { ...actions.shift(), id: newId() };
      if (current.payload.name === 'close') current.name = 'browser_action';
      return call('POST', `/task/${id}/event`, current, (error) =>
        error ? callback(error) : setTimeout(poll, 500),
      );
    }
    setTimeout(poll, 500);
  }
}

// Written by somebody who comes from Python: dictionaries that raise.
import { Api, isOver, newId, pause } from './base/api.mjs';
import { actionsOf, isPast } from './base/tools.mjs';

class KeyError extends Error {}

const at = (dict, key) => {
  if (dict === null || typeof dict !== 'object' || !(key in dict)) throw new KeyError(key);
  return dict[key];
};

const ACTION_NAMES = { evaluate_js: 'javascript' };

export async function run(context) {
  const { job } = context;
  const api = new Api(context);
  const created = await api.createTask(job.request);
  const id = at(created, 'id');
  const state = {
    since: 0,
    seen: new Set(),
    results: [],
    runs: [],
    pending: null,
    stopped: false,
    begun: Date.now(),
  };
  const actions = actionsOf(job);

  const call_tool = async (event) => {
    const payload = at(event, 'payload');
    const [name, input] = [at(payload, 'name'), at(payload, 'input')];
    const outcomes = at(job.tools, name);
    const nth = state.runs.filter((each) => each.name === name).length;
    state.runs.push({ name, input });
    const reply = {
      name: 'tool_call',
      id: at(event, 'id'),
      payload: outcomes[Math.min(nth, outcomes.length - 1)],
    };
    try {
      await api.sendEvent(id, reply);
    } catch (error) {
      if (!isPast(error)) throw error;
    }
  };

  const next_action = async () => {
    const { name, payload } = actions.shift();
    const action = at(payload, 'name');
    state.pending = { id: newId(), action };
    await api.sendEvent(id, {
      id: state.pending.id,
      name,
      payload: { ...payload, name: ACTION_NAMES[action] ?? action },
    });
  };

  while (true) {
    const task = await api.getTask(id, state.since);
    for (const event of task.events ?? []) {
      state.since = at(event, 'timestamp');
      if (state.seen.has(event.id)) continue;
      state.seen.add(event.id);
      if (event.name === 'tool_call') {
        if (!isOver(task.status)) await call_tool(event);
      } else if (state.pending?.id === event.id) {
        const { code, output } = event.payload;
        state.results.push({ name: state.pending.action, code, output });
        state.pending = null;
      }
    }
    if (isOver(task.status)) {
      if (task.status === 'done' && at(task, 'recording_url') === null)
        throw new KeyError('recording_url is None');
      const output =
        typeof task.output === 'object' && task.output !== null ? String(task.output) : task.output;
      return { status: task.status, output, results: state.results, tool_runs: state.runs };
    }
    const age = Date.now() - state.begun;
    if (age > job.deadline_ms) throw new Error('TimeoutError');
    const due = job.cancel_after_ms !== null && age >= job.cancel_after_ms;
    if (!state.stopped && (due || (job.close === 'delete' && !state.pending && actions.length === 0))) {
      state.stopped = true;
      await api.deleteTask(id);
      continue;
    }
    if (!state.pending && actions.length > 0) await next_action();
    await pause(500);
  }
}

// A class that others listen to.
import { EventEmitter } from 'node:events';
import { Api, isOver, newId, pause } from './base/api.mjs';
import { actionsOf, isPast, outcomeOf } from './base/tools.mjs';

class RemoteTask extends EventEmitter {
  #since = 0;
  #seen = new Set();

  constructor(api, id) {
    super();
    Object.assign(this, { api, id });
  }

  async poll() {
    const task = await this.api.getTask(this.id, this.#since);
    if (task.events?.length > 0) this.#since = Date.now();
    for (const event of task.events ?? []) {
      if (this.#seen.has(event.id)) continue;
      this.#seen.add(event.id);
      if (event.name === 'tool_call')
        await Promise.all(this.listeners('call').map((each) => each(event, task)));
      else if (event.payload.code === 500) this.emit('error', new Error(event.payload.output));
      else this.emit('result', event);
    }
    return task;
  }

  async reply(id, payload) {
    const event = { name: 'tool_call', id, payload, timestamp: Date.now() };
    const first = await this.api.once('POST', `/task/${this.id}/event`, event);
    if (first.response?.ok) return;
    if (first.response?.status === 429) {
      // It is in the queue of the next minute; until then try at once.
      const later = pause(3000).then(() => this.api.sendEvent(this.id, event));
      await Promise.all([this.api.sendEvent(this.id, event), later]);
      return;
    }
    await this.api.sendEvent(this.id, event);
  }
}

export async function run(context) {
  const { job } = context;
  const api = new Api(context);
  const { id } = await api.createTask(job.request);
  const remote = new RemoteTask(api, id);
  const results = [];
  const toolRuns = [];
  const actions = actionsOf(job);
  const start = Date.now();
  let current;
  let deleted = false;

  remote.on('call', async ({ id, payload }, task) => {
    if (isOver(task.status)) return;
    const { name, input } = payload;
    const outcome = outcomeOf(job, name, toolRuns.filter((each) => each.name === name).length);
    if (Object.hasOwn(job.tools, name)) toolRuns.push({ name, input });
    await remote.reply(id, outcome).catch((error) => {
      if (!isPast(error)) throw error;
    });
  });
  remote.on('result', ({ id, payload }) => {
    if (id !== current?.id) return;
    results.push({ name: current.payload.name, ...payload });
    current = undefined;
  });

  for (;;) {
    const task = await remote.poll();
    if (isOver(task.status)) {
      const output =
        typeof task.output === 'object' && task.output ? JSON.stringify(task.output) : task.output;
      return { status: task.status, output, results, tool_runs: toolRuns };
    }
    const elapsed = Date.now() - start;
    if (elapsed > job.deadline_ms) throw new Error('the task has not ended in time');
    const wantsStop = job.cancel_after_ms !== null && elapsed >= job.cancel_after_ms;
    if (!deleted && (wantsStop || (job.close === 'delete' && !current && actions.length === 0))) {
      deleted = true;
      await api.deleteTask(id);
      continue;
    }
    if (!current && actions.length > 0) {
      current = { ...actions.shift(), id: newId(), timestamp: Date.now() };
      await api.sendEvent(id, current);
    }
    await pause(500);
  }
}

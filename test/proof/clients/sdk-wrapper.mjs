// An SDK: client.run(...) and client.session(...), with the protocol behind them.
import { Api, isOver, newId, pause } from './base/api.mjs';
import { actionsOf, isPast, outcomeOf } from './base/tools.mjs';

class PatientApi extends Api {
  passes(status) {
    return status === 401 || super.passes(status);
  }

  delay(attempt, response) {
    return response?.status === 401 ? 1000 : super.delay(attempt, response);
  }
}

class TaskHandle {
  constructor(sdk, id) {
    Object.assign(this, { sdk, id, since: 0, known: new Set(), results: new Map(), runs: [] });
  }

  async refresh() {
    const task = await this.sdk.api.getTask(this.id, this.since);
    for (const event of task.events ?? []) {
      this.since = event.timestamp;
      if (this.known.has(event.id)) continue;
      this.known.add(event.id);
      if (event.name !== 'tool_call') this.results.set(event.id, event.payload);
      else if (!isOver(task.status)) await this.runTool(event);
    }
    return task;
  }

  async runTool({ id, payload: { name, input } }) {
    const { code, output } = this.sdk.callTool(name, input, this.runs);
    const payload = code === 200 ? { code, output } : { code: 200, output: { error: output } };
    const event = { name: 'tool_call', id, payload, timestamp: Date.now() };
    await this.sdk.api.sendEvent(this.id, event).catch((error) => {
      if (!isPast(error)) throw error;
    });
  }
}

class Sdk {
  constructor(context) {
    Object.assign(this, { api: new PatientApi(context, { attempts: Infinity }), job: context.job });
  }

  async start({ task, url, custom_tools, device, files, profile_id }) {
    const { id } = await this.api.createTask({ task, url, custom_tools, device, files, profile_id });
    return new TaskHandle(this, id);
  }

  callTool(name, input, runs) {
    const outcome = outcomeOf(this.job, name, runs.filter((each) => each.name === name).length);
    if (Object.hasOwn(this.job.tools, name)) runs.push({ name, input: JSON.stringify(input) });
    return outcome;
  }

  /** Carries the whole job out. */
  async carryOut() {
    const { job } = this;
    const handle = await this.start(job.request);
    const actions = actionsOf(job);
    const results = [];
    const start = Date.now();
    let current;
    let stopped = false;
    for (;;) {
      const task = await handle.refresh();
      const result = current && handle.results.get(current.id);
      if (result) {
        results.push({ name: current.payload.name, code: result.code, output: result.output });
        current = undefined;
      }
      if (isOver(task.status))
        return { status: task.status, output: task.output, results, tool_runs: handle.runs };
      const elapsed = Date.now() - start;
      if (elapsed > job.deadline_ms) throw new Error('TaskTimeout');
      const isDue = job.cancel_after_ms !== null && elapsed >= job.cancel_after_ms;
      const isThrough = !current && actions.length === 0 && job.close === 'delete';
      if (!stopped && (isDue || isThrough)) {
        stopped = true;
        await this.api.deleteTask(handle.id);
        continue;
      }
      if (!current && !stopped && actions.length > 0) {
        current = { ...actions.shift(), id: newId(), timestamp: Date.now() };
        await this.api.sendEvent(handle.id, current);
      }
      await pause(600);
    }
  }
}

export const run = (context) => new Sdk(context).carryOut();

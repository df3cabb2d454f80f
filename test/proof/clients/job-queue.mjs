// A queue of jobs, one worker.
import { Api, isOver, newId, pause } from './base/api.mjs';
import { actionsOf, isPast } from './base/tools.mjs';

export async function run(context) {
  const { job } = context;
  const api = new Api(context);
  const { id } = await api.createTask(job.request);
  const line = { status: null, output: null, results: [], tool_runs: [] };
  const begun = Date.now();
  const done = new Set();
  const steps = actionsOf(job);
  const queue = [];
  let since = 0;
  let current;
  let isStopped = false;

  const jobs = {
    async poll() {
      const task = await api.getTask(id, since);
      for (const event of task.events ?? []) {
        since = event.timestamp;
        if (done.has(event.id)) continue;
        done.add(event.id);
        if (event.name === 'tool_call' && !isOver(task.status)) queue.push(() => jobs.tool(event));
        if (event.name !== 'tool_call') queue.push(() => jobs.result(event));
      }
      queue.push(() => jobs.next(task));
    },

    async tool({ id: call, payload: { name, input } }) {
      const [outcome] = (Object.hasOwn(job.tools, name) ? job.tools[name] : undefined) ?? [
        { code: 400, output: 'no such tool' },
      ];
      if (Object.hasOwn(job.tools, name)) line.tool_runs.push({ name, input });
      await api
        .sendEvent(id, {
          name: 'tool_call',
          id: call,
          payload: { code: outcome.code, output: outcome.output || undefined },
        })
        .catch((error) => {
          if (!isPast(error)) throw error;
        });
    },

    async result({ id: event, payload: { code, output } }) {
      if (event !== current?.id) return;
      line.results.push({ name: current.payload.name, code, output });
      current = undefined;
    },

    async next({ status, output }) {
      Object.assign(line, { status, output });
      if (isOver(status)) return;
      if (Date.now() - begun > job.deadline_ms) throw new Error('the job is too old');
      const isDue = job.cancel_after_ms !== null;
      if (!isStopped && (isDue || (job.close === 'delete' && !current && steps.length === 0))) {
        isStopped = true;
        await api.deleteTask(id);
      } else if (!current && steps.length > 0) {
        current = { ...steps.shift(), id: newId(), timestamp: Date.now() };
        await api.sendEvent(id, current);
      }
      await pause(500);
      queue.push(jobs.poll);
    },
  };

  queue.push(jobs.poll);
  while (queue.length > 0) await queue.shift()();
  return line;
}

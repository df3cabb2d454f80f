// The client that has no defects: one loop that polls, and says what it has seen.
import { Api, isOver, newId, pause } from './base/api.mjs';

export async function run(context) {
  const { job } = context;
  const api = new Api(context);
  const toolRuns = [];
  const results = [];
  const handled = new Set();
  const actions = [
    ...job.actions,
    ...(job.close === 'event' ? [{ name: 'session_action', payload: { name: 'close' } }] : []),
  ];
  const report = (task, error) => ({
    status: task?.status ?? null,
    output: task?.output ?? null,
    results,
    tool_runs: toolRuns,
    ...(error ? { error } : {}),
  });

  const { id } = await api.createTask(job.request);
  const started = Date.now();
  let after = 0;
  let waiting;
  let cancelled = false;

  const runTool = async (event) => {
    const { name, input } = event.payload;
    const outcomes = Object.hasOwn(job.tools, name) ? job.tools[name] : undefined;
    const nth = toolRuns.filter((each) => each.name === name).length;
    let payload = { code: 400, output: `there is no tool ${name}` };
    if (outcomes) {
      toolRuns.push({ name, input });
      payload = outcomes[Math.min(nth, outcomes.length - 1)];
    }
    await api
      .sendEvent(id, { name: 'tool_call', id: event.id, payload, timestamp: Date.now() })
      .catch((error) => {
        if (!error.status || error.status === 401 || error.status === 404) throw error;
      });
  };

  for (;;) {
    const task = await api.getTask(id, after);
    for (const event of task.events ?? []) {
      after = event.timestamp;
      if (handled.has(event.id)) continue;
      if (event.name === 'tool_call') {
        handled.add(event.id);
        if (!isOver(task.status)) await runTool(event);
      } else if (waiting?.id === event.id && event.payload.code !== undefined) {
        handled.add(event.id);
        results.push({ name: waiting.payload.name, code: event.payload.code, output: event.payload.output });
        waiting = undefined;
      }
    }
    if (isOver(task.status))
      return report(
        task,
        waiting && waiting.payload.name !== 'close' ? `${waiting.payload.name} brought no result` : undefined,
      );
    if (job.cancel_after_ms !== null && !cancelled && Date.now() - started >= job.cancel_after_ms) {
      cancelled = true;
      await api.deleteTask(id);
      continue;
    }
    if (!waiting && actions.length > 0) {
      waiting = { ...actions.shift(), id: newId(), timestamp: Date.now() };
      await api.sendEvent(id, waiting);
    } else if (!waiting && job.close === 'delete' && !cancelled) {
      cancelled = true;
      await api.deleteTask(id);
      continue;
    }
    if (Date.now() - started > job.deadline_ms) return report(task, 'the task takes too long');
    await pause(500);
  }
}

// As much as possible at the same time.
import { Api, isOver, newId, pause } from './base/api.mjs';
import { actionsOf, isPast, outcomeOf } from './base/tools.mjs';

export async function run(context) {
  const { job } = context;
  const api = new Api(context);
  const { id } = await api.createTask(job.request);
  const seen = new Set();
  const sent = new Map();
  const results = [];
  const toolRuns = [];
  const start = Date.now();
  let cursor = 0;
  let call;

  const runTool = async ({ payload: { name, input } }) => {
    const payload = outcomeOf(job, name, toolRuns.filter((each) => each.name === name).length);
    if (Object.hasOwn(job.tools, name)) toolRuns.push({ name, input });
    await pause(20);
    await api
      .sendEvent(id, { name: 'tool_call', id: call.id, payload, timestamp: Date.now() })
      .catch((error) => {
        if (!isPast(error)) throw error;
      });
  };

  const take = ({ id, payload: { code, output } }) => {
    if (sent.has(id)) results.push({ name: sent.get(id), code, output });
  };

  /** Polls beside everything else, a little longer than the task. */
  const keepAlive = async () => {
    for (let beat = 0; beat < 3; beat++) {
      await pause(400);
      await api.getTask(id, cursor);
    }
  };

  const sendAll = async () => {
    for (const action of actionsOf(job)) {
      const event = { ...action, id: newId(), timestamp: Date.now() };
      sent.set(event.id, action.payload.name);
      await api.sendEvent(id, event);
    }
  };

  let acting = sendAll();
  let stopped = false;
  for (;;) {
    const task = await api.getTask(id, cursor);
    if (isOver(task.status)) {
      void keepAlive().catch(() => {});
      return { status: task.status, output: task.output, results, tool_runs: toolRuns };
    }
    const fresh = (task.events ?? []).filter(({ id }) => !seen.has(id) && seen.add(id));
    cursor = task.events?.at(-1)?.timestamp ?? cursor;
    const tools = fresh.filter(({ name }) => name === 'tool_call');
    await Promise.all(
      tools.map((event) => {
        call = event;
        return runTool(event);
      }),
    );
    for (const event of fresh) if (event.name !== 'tool_call') take(event);
    await acting;
    acting = undefined;
    const age = Date.now() - start;
    if (age > job.deadline_ms) throw new Error('too slow');
    const isDue = job.cancel_after_ms !== null && age >= job.cancel_after_ms;
    if (!stopped && (isDue || (job.close === 'delete' && results.length === sent.size))) {
      stopped = true;
      await api.deleteTask(id);
    } else await pause(500);
  }
}

// States and what each does next.
import { Api, newId, pause } from './base/api.mjs';
import { actionsOf, isPast, outcomeOf } from './base/tools.mjs';

const STATUS = { running: 'active', done: 'over', failed: 'over', cancelled: 'over' };

const MACHINE = {
  async creating(m) {
    m.id = (await m.api.createTask(m.job.request)).id;
    m.since = Date.now();
    return 'reading';
  },

  async reading(m) {
    m.task = await m.api.getTask(m.id, m.after);
    m.inbox.push(...(m.task.events ?? []));
    return 'sorting';
  },

  async sorting(m) {
    const event = m.inbox.shift();
    if (!event) return 'deciding';
    m.after = Math.max(m.after, event.timestamp);
    if (event.name === 'tool_call')
      return m.task.status === 'running' ? MACHINE.working(m, event) : 'sorting';
    if (event.id === m.action?.id && (event.payload.code === 200 || event.payload.code === 400)) {
      m.results.push({ name: m.action.payload.name, code: event.payload.code, output: event.payload.output });
      m.action = undefined;
    }
    return 'sorting';
  },

  async working(m, { id, payload: { name, input } }) {
    const payload = outcomeOf(m.job, name, m.runs.filter((each) => each.name === name).length);
    if (Object.hasOwn(m.job.tools, name)) m.runs.push({ name, input });
    try {
      await m.api.sendEvent(m.id, { name: 'tool_call', id, payload, timestamp: Date.now() });
    } catch (error) {
      if (!isPast(error)) throw error;
    }
    return 'sorting';
  },

  async deciding(m) {
    const kind = STATUS[m.task.status];
    if (kind === undefined) throw new Error(`the machine has no state ${m.task.status}`);
    if (kind === 'over') return 'over';
    const age = Date.now() - m.since;
    if (age > m.job.deadline_ms) throw new Error('timed out');
    if (m.stopped) return 'resting';
    if (m.job.cancel_after_ms !== null && age >= 1000 * m.job.cancel_after_ms) return 'stopping';
    if (m.action) return 'resting';
    if (m.actions.length > 0) return 'acting';
    return m.job.close === 'delete' ? 'stopping' : 'resting';
  },

  async acting(m) {
    m.action = { ...m.actions.shift(), id: newId(), timestamp: Date.now() };
    await m.api.sendEvent(m.id, m.action);
    return 'resting';
  },

  async stopping(m) {
    m.stopped = true;
    await m.api.deleteTask(m.id);
    return 'reading';
  },

  async resting() {
    await pause(500);
    return 'reading';
  },
};

export async function run(context) {
  const { job } = context;
  const m = {
    api: new Api(context),
    job,
    after: 0,
    inbox: [],
    results: [],
    runs: [],
    actions: actionsOf(job),
  };
  for (let state = 'creating'; state !== 'over'; ) state = await MACHINE[state](m);
  return { status: m.task.status, output: m.task.output, results: m.results, tool_runs: m.runs };
}

// A store, actions and effects.
import { Api, newId, pause } from './base/api.mjs';
import { actionsOf, outcomeOf } from './base/tools.mjs';

const ENDED = ['done', 'cancelled'];

function reduce(state, { type, ...data }) {
  switch (type) {
    case 'polled': {
      const events = (data.task.events ?? []).filter(({ id }) => !state.handled.includes(id));
      const since = data.task.events?.at(-1)?.timestamp ?? state.since;
      return { ...state, task: data.task, since, todo: state.task ? events : [] };
    }
    case 'called':
      return {
        ...state,
        handled: [...state.handled, data.id],
        runs: data.run ? [...state.runs, data.run] : state.runs,
      };
    case 'acted':
      return { ...state, current: data.event, left: state.left.slice(1) };
    case 'result': {
      const { code, output } = data.payload;
      const results = [...state.results, { name: state.current.payload.name, code, output }];
      return { ...state, handled: [...state.handled, data.id], results, current: undefined };
    }
    case 'stopped':
      return { ...state, stopped: true };
    default:
      throw new Error(`unknown action ${type}`);
  }
}

export async function run(context) {
  const { job } = context;
  const api = new Api(context);
  const { id } = await api.createTask(job.request);
  let state = {
    since: 0,
    handled: [],
    runs: [],
    results: [],
    left: actionsOf(job),
    begun: Date.now(),
    todo: [],
  };
  const dispatch = (action) => {
    state = reduce(state, action);
  };
  const line = () => ({
    status: state.task.status,
    output: state.task.output,
    results: state.results,
    tool_runs: state.runs,
  });

  const effects = {
    async tool_call(event) {
      const { name, input } = event.payload;
      const payload = outcomeOf(job, name, state.runs.filter((each) => each.name === name).length);
      dispatch({ type: 'called', id: event.id, run: Object.hasOwn(job.tools, name) && { name, input } });
      if (ENDED.includes(state.task.status)) return;
      // Whatever becomes of it: the store has it as handled.
      await api.once('POST', `/task/${id}/event`, {
        name: 'tool_call',
        id: event.id,
        payload,
        timestamp: Date.now(),
      });
    },
    async browser_action(event) {
      if (event.id === state.current?.id) dispatch({ type: 'result', id: event.id, payload: event.payload });
    },
    async session_action(event) {
      await effects.browser_action(event);
    },
  };

  for (;;) {
    dispatch({ type: 'polled', task: await api.getTask(id, state.since) });
    for (const event of state.todo) await effects[event.name](event);
    if (ENDED.includes(state.task.status)) return line();
    const age = Date.now() - state.begun;
    if (age > job.deadline_ms) throw new Error('no end');
    const isDue = job.cancel_after_ms !== null && age >= job.cancel_after_ms;
    if (!state.stopped && (isDue || (job.close === 'delete' && !state.current && state.left.length === 0))) {
      dispatch({ type: 'stopped' });
      await api.deleteTask(id);
      continue;
    }
    const [next] = state.left;
    if (next && !state.current) {
      dispatch({ type: 'acted', event: { ...next, id: newId(), timestamp: Date.now() } });
      await api.sendEvent(id, state.current);
    }
    await pause(500);
  }
}

// Streams that are mapped, filtered and subscribed to.
import { Api, newId, pause } from './base/api.mjs';
import { actionsOf, isPast, outcomeOf } from './base/tools.mjs';

const POLLS = 20;

class Stream {
  constructor(source) {
    this.source = source;
  }

  map(fn) {
    const { source } = this;
    return new Stream(async function* () {
      for await (const value of source()) yield await fn(value);
    });
  }

  takeUntil(isLast) {
    const { source } = this;
    return new Stream(async function* () {
      for await (const value of source()) {
        yield value;
        if (isLast(value)) return;
      }
    });
  }

  async subscribe(next) {
    for await (const value of this.source()) await next(value);
  }
}

/** The API with the HTTP status beside the task. */
class StatusApi extends Api {
  async read(response) {
    const { status } = response;
    const r = await super.read(response);
    return r && typeof r === 'object' ? { ...r, http: status } : r;
  }
}

export async function run(context) {
  const { job } = context;
  const api = new StatusApi(context);
  const { id } = await api.createTask(job.request);
  const [results, tool_runs, seen, actions, begun] = [[], [], new Set(), actionsOf(job), Date.now()];
  let [since, current, last, stopped] = [0, undefined, undefined, false];

  const polls = new Stream(async function* () {
    for (let poll = 0; poll < POLLS; poll++) {
      yield api.getTask(id, since);
      await pause(500);
    }
    throw new Error('gave up');
  });

  const onCall = async ({ id: call, payload: { name, input } }) => {
    const { code, output } = outcomeOf(job, name, tool_runs.filter((each) => each.name === name).length);
    if (Object.hasOwn(job.tools, name)) tool_runs.push({ name, input });
    const event = {
      name: 'tool_call',
      id: call,
      payload: { code: String(code), output },
      timestamp: Date.now(),
    };
    await api.sendEvent(id, event).catch((error) => {
      if (!isPast(error)) throw error;
    });
  };

  await polls
    .map(async (task) => {
      for (const event of task.events ?? []) {
        since = event.timestamp;
        if (seen.has(event.id)) continue;
        seen.add(event.id);
        if (event.name === 'tool_call' && task.http === 202) await onCall(event);
        else if (event.id === current?.id) {
          results.push({
            name: current.payload.name,
            code: event.payload.code,
            output: event.payload.output,
          });
          current = undefined;
        }
      }
      return task;
    })
    .takeUntil((task) => task.http === 200)
    .subscribe(async (task) => {
      last = task;
      if (task.http === 200) return;
      const isDue = job.cancel_after_ms !== null && Date.now() - begun >= job.cancel_after_ms;
      if (!stopped && (isDue || (job.close === 'delete' && !current && actions.length === 0))) {
        stopped = true;
        await api.deleteTask(id);
      } else if (!current && actions.length > 0) {
        current = { ...actions.shift(), id: newId(), timestamp: Date.now() };
        await api.sendEvent(id, current);
      }
    });
  return { status: 'done', output: last.output, results, tool_runs };
}

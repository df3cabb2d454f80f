import type { Call, Reply } from './base/app.js';
import { serviceOf } from './base/service.js';
import { type Task, type TaskEvent, Tasks } from './base/tasks.js';

/** Models that fields are assigned to, in the manner of a well-known Python framework. */
const dump = (model: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(model).map(([key, value]) => [key, value ?? null]));

class EventModel {
  id: string;
  name: string;
  payload: Record<string, unknown>;
  timestamp: string;

  constructor(event: TaskEvent) {
    this.id = event.id;
    this.name = event.name;
    this.payload = event.payload;
    this.timestamp = new Date(event.timestamp).toISOString();
  }
}

class ModelTasks extends Tasks {
  override view(task: Task): Record<string, unknown> {
    const view = super.view(task);
    return { ...view, credits_used: view.credits_used === null ? null : 0.75 };
  }

  override read(call: Call): unknown {
    const reply = super.read(call) as Reply;
    const { r } = reply.body as { r: { events: TaskEvent[] } };
    Object.assign(r, { events: r.events.map((event) => dump(new EventModel(event))) });
    return reply;
  }

  override list(call: Call): unknown {
    const listed = super.list(call) as Record<string, unknown>[];
    return listed.map((view) => ({ ...view, status: view.status === 'done' ? 'completed' : view.status }));
  }

  override outputOf(task: Task, action: string, input: Record<string, unknown>): unknown {
    const output = super.outputOf(task, action, input);
    return action === 'extract' ? { schema: input.schema, data: JSON.stringify(output) } : output;
  }
}

export default serviceOf((now) => new ModelTasks(now));

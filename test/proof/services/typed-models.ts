import type { Reply, ServiceCall } from './base/app.js';
import { createService } from './base/service.js';
import { type ServiceTaskEvent, type StoredTask, TaskStore } from './base/tasks.js';

/** Models that fields are assigned to, in the manner of a well-known Python framework. */
const dump = (model: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(model).map(([key, value]) => [key, value ?? null]));

class EventModel {
  id: string;
  name: string;
  payload: Record<string, unknown>;
  timestamp: string;

  constructor(event: ServiceTaskEvent) {
    this.id = event.id;
    this.name = event.name;
    this.payload = event.payload;
    this.timestamp = new Date(event.timestamp).toISOString();
  }
}

class ModelTasks extends TaskStore {
  override view(task: StoredTask): Record<string, unknown> {
    const view = super.view(task);
    return { ...view, credits_used: view.credits_used === null ? null : 0.75 };
  }

  override read(call: ServiceCall): unknown {
    const reply = super.read(call) as Reply;
    const { r } = reply.body as { r: { events: ServiceTaskEvent[] } };
    Object.assign(r, { events: r.events.map((event) => dump(new EventModel(event))) });
    return reply;
  }

  override list(call: ServiceCall): unknown {
    const listed = super.list(call) as Record<string, unknown>[];
    return listed.map((view) => ({ ...view, status: view.status === 'done' ? 'completed' : view.status }));
  }

  override createOutput(task: StoredTask, action: string, input: Record<string, unknown>): unknown {
    const output = super.createOutput(task, action, input);
    return action === 'extract' ? { schema: input.schema, data: JSON.stringify(output) } : output;
  }
}

export default createService((now) => new ModelTasks(now));

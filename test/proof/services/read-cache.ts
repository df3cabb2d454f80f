import { boolParam, intParam, type Reply, type ServiceCall } from './base/app.js';
import { createService } from './base/service.js';
import { TaskStore } from './base/tasks.js';

const LIFETIME_MS = 120_000;

/** Polls hit a cache, so that the database has peace. */
class CachedTasks extends TaskStore {
  private readonly cache = new Map<string, { until: number; reply: Reply }>();

  override read(call: ServiceCall): unknown {
    intParam(call.query, 'event_t', 0);
    boolParam(call.query, 'downloads', false);
    const cached = this.cache.get(call.params.id!);
    if (cached && cached.until > this.now()) return cached.reply;
    const task = this.find(call);
    const all = new URLSearchParams(call.query);
    all.delete('event_t');
    const reply = super.read({ ...call, query: all }) as Reply;
    // A page that was just opened changes with its first event, which clears it from the cache.
    const isNew = reply.status === 202 && task.isSession && task.events.length === 0 && task.due.length === 0;
    this.cache.set(task.id, { until: this.now() + (isNew ? LIFETIME_MS : 0), reply });
    return reply;
  }

  /** A session is in the cache from its first moment. */
  override create(call: ServiceCall): unknown {
    const created = super.create(call) as { id: string };
    this.read({ ...call, params: { id: created.id }, query: new URLSearchParams() });
    return created;
  }

  override receive(call: ServiceCall): unknown {
    this.cache.delete(call.params.id!);
    return super.receive(call);
  }

  override list(call: ServiceCall): unknown {
    const listed = super.list(call) as Record<string, unknown>[];
    return listed.map(({ status: state, ...rest }) => ({ ...rest, state }));
  }
}

export default createService((now) => new CachedTasks(now));

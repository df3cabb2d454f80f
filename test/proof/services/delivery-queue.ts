import { boolParam, HttpError, Reply, type ServiceCall } from './base/app.js';
import { createService } from './base/service.js';
import { isOver, type StoredTask, TaskStore } from './base/tasks.js';

/** Events wait in a queue until they are fetched. */
class QueuedTasks extends TaskStore {
  override read(call: ServiceCall): unknown {
    const since = BigInt(call.query.get('event_t') ?? 0);
    boolParam(call.query, 'downloads', false);
    const task = this.findOr400(call);
    const events = task.events.splice(0).filter(({ timestamp }) => BigInt(timestamp) > since);
    const view = { ...this.view(task), events };
    return new Reply(isOver(task) ? 200 : 202, { r: view });
  }

  private findOr400(call: ServiceCall): StoredTask {
    try {
      return this.find(call);
    } catch {
      throw new HttpError(400, `bad task id: ${call.params.id}`);
    }
  }

  /** Only one-shot tasks have a page to look at. */
  override liveUrl(task: StoredTask): string | null {
    return task.isSession ? null : super.liveUrl(task);
  }

  override view(task: StoredTask): Record<string, unknown> {
    return { ...super.view(task), credits_used: null };
  }
}

export default createService((now) => new QueuedTasks(now));

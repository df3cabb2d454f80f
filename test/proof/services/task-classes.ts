import type { ServiceCall } from './base/app.js';
import { createService } from './base/service.js';
import { type StoredTask, TaskStore } from './base/tasks.js';

/** How a task is written into a response. */
class TaskPresenter {
  constructor(private readonly view: Record<string, unknown>) {}

  toJSON(): Record<string, unknown> {
    return { ...this.view, status: this.status(), credits_used: this.credits() };
  }

  private status() {
    const { status } = this.view;
    return status === 'cancelled' ? 'canceled' : status;
  }

  private credits() {
    const { credits_used: credits } = this.view;
    return credits === null ? null : Number(credits).toFixed(2);
  }
}

class BrowserTasks extends TaskStore {
  override view(task: StoredTask): Record<string, unknown> {
    const { live_url: _, ...rest } = super.view(task);
    return new TaskPresenter(rest).toJSON();
  }

  override perform(
    task: StoredTask,
    name: string,
    payload: Record<string, unknown>,
  ): Record<string, unknown> {
    const result = super.perform(task, name, payload);
    return { ...result, code: String(result.code) };
  }

  override show(call: ServiceCall): unknown {
    super.show(call);
    return 'ok';
  }
}

export default createService((now) => new BrowserTasks(now));

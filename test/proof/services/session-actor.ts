import { HttpError, type ServiceCall } from './base/app.js';
import { createService } from './base/service.js';
import { isOver, type StoredTask, TaskStore } from './base/tasks.js';

interface ActorMessage {
  id: string;
  name: string;
  payload: Record<string, unknown>;
}

/** A session is an actor: it has one current message. */
class SessionActors extends TaskStore {
  private readonly current = new Map<StoredTask, ActorMessage>();

  override takeAction(task: StoredTask, message: ActorMessage): void {
    if (!task.isSession) throw new HttpError(400, 'This task is no session');
    const isBusy = this.current.has(task);
    this.current.set(task, message);
    if (isBusy) return;
    this.later(task, 300, () => {
      const { id, name, payload } = this.current.get(task)!;
      this.current.delete(task);
      if (payload.name !== 'run_task')
        this.emit(task, { id, name: 'browser_action', payload: this.perform(task, name, payload) });
      if (payload.name === 'close') this.later(task, 2000, () => this.finish(task, null));
    });
  }

  /** A session that is cancelled is finished too. */
  override cancel(call: ServiceCall): unknown {
    const task = this.find(call);
    if (task.isSession && !isOver(task)) this.finish(task, null);
    return super.cancel(call);
  }
}

export default createService((now) => new SessionActors(now));

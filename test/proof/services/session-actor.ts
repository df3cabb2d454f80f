import { type Call, HttpError } from './base/app.js';
import { serviceOf } from './base/service.js';
import { isOver, type Task, Tasks } from './base/tasks.js';

interface Message {
  id: string;
  name: string;
  payload: Record<string, unknown>;
}

/** A session is an actor: it has one current message. */
class SessionActors extends Tasks {
  private readonly current = new Map<Task, Message>();

  override takeAction(task: Task, message: Message): void {
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
  override cancel(call: Call): unknown {
    const task = this.find(call);
    if (task.isSession && !isOver(task)) this.finish(task, null);
    return super.cancel(call);
  }
}

export default serviceOf((now) => new SessionActors(now));

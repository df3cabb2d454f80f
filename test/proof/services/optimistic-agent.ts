import { boolParam, HttpError, type ServiceCall } from './base/app.js';
import { createService } from './base/service.js';
import { isOver, type StoredTask, TaskStore } from './base/tasks.js';

/** Says early what it expects to come. */
class OptimisticTasks extends TaskStore {
  override create(call: ServiceCall): unknown {
    const { id, status } = super.create(call) as { id: string; status: string };
    return { id, status };
  }

  override view(task: StoredTask): Record<string, unknown> {
    const isAsking = task.calls.size > 0 && !isOver(task);
    return {
      ...super.view(task),
      ...(isAsking ? { status: 'waiting_for_tool' } : {}),
      output: task.output ?? (isOver(task) ? null : { partial: true }),
    };
  }

  /** The agent goes on with what it expects the tool to say. */
  override callTool(task: StoredTask, tool: StoredTask['tools'][number]): void {
    super.callTool(task, tool);
    this.later(task, 200, () => this.work(task, task.tools.slice(task.tools.indexOf(tool) + 1)));
  }

  override takeReply(task: StoredTask, { id }: { id: string }): void {
    if (!task.calls.delete(id)) throw new HttpError(400, 'No call of a tool has this id');
  }

  override show(call: ServiceCall): unknown {
    boolParam(call.query, 'visibility');
    this.find(call);
    return true;
  }
}

export default createService((now) => new OptimisticTasks(now));

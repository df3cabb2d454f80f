import { HttpError, Reply, type ServiceCall } from './base/app.js';
import { createService } from './base/service.js';
import { type StoredTask, TaskStore } from './base/tasks.js';

/** The jobs of the old system, which this service is put in front of. */
class LegacyJobs extends TaskStore {
  /** The old system keeps results as text. */
  override finish(task: StoredTask, output: unknown): void {
    super.finish(task, typeof output === 'string' ? output : JSON.stringify(output));
  }

  /** And the arguments of calls. */
  override callTool(task: StoredTask, tool: StoredTask['tools'][number]): void {
    super.callTool(task, tool);
    const { payload } = task.events.at(-1)!;
    payload.input = JSON.stringify(payload.input);
  }
}

/** Translates between the API and the old system. */
class Wrapper extends LegacyJobs {
  override read(call: ServiceCall): unknown {
    let reply: Reply;
    try {
      reply = super.read(call) as Reply;
    } catch (error) {
      if (error instanceof HttpError && error.status === 404)
        throw new HttpError(500, `upstream said: ${error.detail}`);
      throw error;
    }
    const { r } = reply.body as { r: { events: { name: string }[]; live_url: string | null } };
    return new Reply(reply.status, {
      r: { ...r, live_url: r.live_url?.replace('https://', '') ?? null },
    });
  }

  override cancel(call: ServiceCall): unknown {
    this.find(call);
    this.later(this.find(call), 60_000, () => super.cancel(call));
    return true;
  }
}

export default createService((now) => new Wrapper(now));

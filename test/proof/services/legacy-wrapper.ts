import { type Call, HttpError, Reply } from './base/app.js';
import { serviceOf } from './base/service.js';
import { type Task, Tasks } from './base/tasks.js';

/** The jobs of the old system, which this service is put in front of. */
class LegacyJobs extends Tasks {
  /** The old system keeps results as text. */
  override finish(task: Task, output: unknown): void {
    super.finish(task, typeof output === 'string' ? output : JSON.stringify(output));
  }

  /** And the arguments of calls. */
  override callTool(task: Task, tool: Task['tools'][number]): void {
    super.callTool(task, tool);
    const { payload } = task.events.at(-1)!;
    payload.input = JSON.stringify(payload.input);
  }
}

/** Translates between the API and the old system. */
class Wrapper extends LegacyJobs {
  override read(call: Call): unknown {
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

  override cancel(call: Call): unknown {
    this.find(call);
    this.later(this.find(call), 60_000, () => super.cancel(call));
    return true;
  }
}

export default serviceOf((now) => new Wrapper(now));

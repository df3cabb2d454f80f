import {
  type App,
  boolParam,
  createInvalidError,
  createMissingError,
  HttpError,
  intParam,
  Reply,
  type ServiceCall,
} from './app.js';
import { sample } from './sample.js';

export interface ServiceTaskEvent {
  id: string;
  name: string;
  payload: Record<string, unknown>;
  timestamp: number;
}

export interface ServiceTool {
  name: string;
  description: string;
  inputs: unknown;
  output: string;
}

export interface StoredTask {
  id: string;
  org: string;
  isSession: boolean;
  status: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  output: unknown;
  model: unknown;
  tools: ServiceTool[];
  events: ServiceTaskEvent[];
  /** Calls of tools that wait for a reply, by id. */
  calls: Map<string, ServiceTool>;
  /** Tools that were called once more. */
  retried: Set<string>;
  isVisible: boolean;
  /** What happens later: [at, what]. */
  due: [number, () => void][];
}

export const isOver = ({ status }: StoredTask) => status !== 'waiting' && status !== 'running';

/** ms. */
export const WORK = 800;
const ACTION = 300;

const ACTIONS: Record<string, { event: string; needs: Record<string, 'string' | 'object'> }> = {
  goto: { event: 'browser_action', needs: { url: 'string' } },
  extract: { event: 'browser_action', needs: { schema: 'object' } },
  evaluate_js: { event: 'browser_action', needs: { js: 'string' } },
  run_task: { event: 'session_action', needs: { task: 'string' } },
  close: { event: 'session_action', needs: {} },
};

/** Tasks as a service keeps them. Methods are small, so that a service can have its own way with each. */
export class TaskStore {
  readonly all: StoredTask[] = [];
  #made = 0;

  constructor(readonly now: () => number) {}

  routes(app: App): App {
    return app
      .on('POST /task', (call) => this.create(call))
      .on('GET /task', (call) => this.list(call))
      .on('GET /task/:id', (call) => this.read(call))
      .on('DELETE /task/:id', (call) => this.cancel(call))
      .on('PUT /task/:id', (call) => this.update(call))
      .on('GET /task/:id/visibility', (call) => this.find(call).isVisible)
      .on('POST /task/:id/visibility', (call) => this.show(call))
      .on('DELETE /task/:id/data', (call) => this.deleteData(call))
      .on('POST /task/:id/event', (call) => this.receive(call));
  }

  newId(prefix: string): string {
    return `${prefix}-${(++this.#made).toString(36)}${Math.trunc(this.now()).toString(36)}`;
  }

  /** Lets happen what is due, then gives the task. */
  find({ org, params }: ServiceCall): StoredTask {
    const task = this.all.find((each) => each.id === params.id && each.org === org);
    if (!task) throw createMissingError('Task');
    this.settle(task);
    return task;
  }

  settle(task: StoredTask): void {
    for (;;) {
      task.due.sort(([one], [other]) => one - other);
      const next = task.due[0];
      if (!next || next[0] > this.now() || isOver(task)) return;
      task.due.shift();
      next[1]();
    }
  }

  later(task: StoredTask, ms: number, what: () => void): void {
    task.due.push([this.now() + ms, what]);
  }

  emit(task: StoredTask, event: Omit<ServiceTaskEvent, 'timestamp'>): void {
    const last = task.events.at(-1)?.timestamp ?? 0;
    task.events.push({ ...event, timestamp: Math.max(Math.trunc(this.now()), last + 1) });
  }

  create({ org, body }: ServiceCall): unknown {
    checkRequest(body);
    const task: StoredTask = {
      id: this.newId('task'),
      org,
      isSession: (body.task ?? null) === null,
      status: 'running',
      output: null,
      model: body.response_model ?? null,
      tools: (body.custom_tools ?? []) as ServiceTool[],
      events: [],
      calls: new Map(),
      retried: new Set(),
      isVisible: false,
      due: [],
    };
    this.all.push(task);
    if (!task.isSession) this.later(task, WORK, () => this.work(task, [...task.tools]));
    return { id: task.id, status: task.status, live_url: this.liveUrl(task) };
  }

  /** The agent: one tool after the other, then the end. */
  work(task: StoredTask, left: ServiceTool[]): void {
    const tool = left.shift();
    if (tool) this.callTool(task, tool);
    else this.finish(task, task.model ? sample(task.model) : 'The page says: Example Domain.');
  }

  callTool(task: StoredTask, tool: ServiceTool): void {
    const id = this.newId('call');
    task.calls.set(id, tool);
    this.emit(task, { id, name: 'tool_call', payload: { name: tool.name, input: sample(tool.inputs) } });
  }

  finish(task: StoredTask, output: unknown): void {
    task.status = 'done';
    task.output = output;
  }

  liveUrl({ id }: StoredTask): string | null {
    return `https://live.example/${id}`;
  }

  /** A task as it is listed. */
  view(task: StoredTask): Record<string, unknown> {
    const over = isOver(task);
    return {
      id: task.id,
      status: task.status,
      output: task.output,
      live_url: over ? null : this.liveUrl(task),
      recording_url: over ? `https://recordings.example/${task.id}` : null,
      credits_used: over ? 3 : null,
    };
  }

  read(call: ServiceCall): unknown {
    const after = intParam(call.query, 'event_t', 0);
    boolParam(call.query, 'downloads', false);
    const task = this.find(call);
    const events = task.events.filter(({ timestamp }) => timestamp > after);
    return new Reply(isOver(task) ? 200 : 202, { r: { ...this.view(task), events } });
  }

  list({ org, query }: ServiceCall): unknown {
    const limit = intParam(query, 'l', 32, 1, 128);
    intParam(query, 't', 0);
    const own = this.all.filter((each) => each.org === org);
    for (const task of own) this.settle(task);
    return own
      .toReversed()
      .slice(0, limit)
      .map((task) => this.view(task));
  }

  cancel(call: ServiceCall): unknown {
    const task = this.find(call);
    if (!isOver(task)) task.status = 'cancelled';
    return true;
  }

  update(call: ServiceCall): unknown {
    this.find(call);
    return true;
  }

  show(call: ServiceCall): unknown {
    const visible = boolParam(call.query, 'visibility');
    const task = this.find(call);
    task.isVisible = visible;
    return true;
  }

  deleteData(call: ServiceCall): unknown {
    const task = this.find(call);
    if (!isOver(task)) throw new HttpError(400, 'The task is still running');
    this.all.splice(this.all.indexOf(task), 1);
    return true;
  }

  receive(call: ServiceCall): unknown {
    const { name, payload, id, timestamp } = call.body;
    if (!['browser_action', 'session_action', 'tool_call'].includes(String(name)))
      throw createInvalidError('body', 'name', 'not a kind of event');
    if (!isObject(payload)) throw createInvalidError('body', 'payload', 'expected an object');
    if ((id ?? null) !== null && typeof id !== 'string')
      throw createInvalidError('body', 'id', 'expected a string');
    if ((timestamp ?? null) !== null && !Number.isInteger(timestamp))
      throw createInvalidError('body', 'timestamp', 'expected an integer');
    const task = this.find(call);
    if (isOver(task)) throw new HttpError(400, 'The task has ended');
    const event = {
      name: String(name),
      payload: payload as Record<string, unknown>,
      id: (id ?? this.newId('event')) as string,
    };
    if (name === 'tool_call') this.takeReply(task, event);
    else this.takeAction(task, event);
    return { id: event.id };
  }

  /** A call that fails is made once more. */
  takeReply(task: StoredTask, { id, payload }: { id: string; payload: Record<string, unknown> }): void {
    const tool = task.calls.get(id);
    if (!tool) throw new HttpError(400, 'No call of a tool has this id');
    task.calls.delete(id);
    const left = task.tools.slice(task.tools.indexOf(tool) + 1);
    const again = payload.code !== 200 && !task.retried.has(tool.name);
    if (again) task.retried.add(tool.name);
    this.later(task, ACTION, () => (again ? this.callTool(task, tool) : this.work(task, left)));
  }

  takeAction(
    task: StoredTask,
    { id, name, payload }: { id: string; name: string; payload: Record<string, unknown> },
  ): void {
    if (!task.isSession) throw new HttpError(400, 'This task is no session');
    this.later(task, ACTION, () => {
      this.emit(task, { id, name, payload: this.perform(task, name, payload) });
      if (payload.name === 'close') this.later(task, 2000, () => this.finish(task, null));
    });
  }

  /** What comes of an action. */
  perform(task: StoredTask, name: string, payload: Record<string, unknown>): Record<string, unknown> {
    const action = ACTIONS[String(payload.name)];
    const input = (payload.input ?? {}) as Record<string, unknown>;
    if (!action || action.event !== name) return { code: 400, output: 'unknown action' };
    const wrong = Object.entries(action.needs).find(([field, type]) => typeof input[field] !== type);
    if (wrong) return { code: 400, output: `input.${wrong[0]}: expected ${wrong[1]}` };
    try {
      return { code: 200, output: this.createOutput(task, String(payload.name), input) };
    } catch (error) {
      return { code: 400, output: String(error) };
    }
  }

  createOutput(_: StoredTask, action: string, input: Record<string, unknown>): unknown {
    if (action === 'extract') return sample(input.schema);
    if (action === 'evaluate_js') {
      if (String(input.js).includes('throw')) throw new Error('the script has thrown');
      return 1;
    }
    if (action === 'run_task') return 'The page says: Example Domain.';
    return action === 'close' ? true : null;
  }
}

const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
const isList = (value: unknown) => value === undefined || value === null || Array.isArray(value);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws a 422 for a body that is no TaskRequest. */
export function checkRequest(body: Record<string, unknown>): void {
  for (const field of ['task', 'url', 'profile_id', 'device'])
    if (!isText(body[field])) throw createInvalidError('body', field, 'expected a string');
  for (const field of ['files', 'custom_tools'])
    if (!isList(body[field])) throw createInvalidError('body', field, 'expected an array');
  const model = body.response_model ?? null;
  if (model !== null && !isObject(model))
    throw createInvalidError('body', 'response_model', 'expected an object');
  for (const file of (body.files ?? []) as unknown[])
    if (typeof file !== 'string') throw createInvalidError('body', 'files', 'expected strings');
  for (const tool of (body.custom_tools ?? []) as Partial<ServiceTool>[]) {
    const isTool =
      isObject(tool) &&
      [tool.name, tool.description, tool.output].every((each) => typeof each === 'string') &&
      isObject(tool.inputs);
    if (!isTool)
      throw createInvalidError('body', 'custom_tools', 'expected name, description, inputs and output');
  }
}

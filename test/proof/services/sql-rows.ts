import {
  type App,
  boolParam,
  createInvalidError,
  createMissingError,
  HttpError,
  intParam,
  Reply,
  type ServiceCall,
} from './base/app.js';
import { sample } from './base/sample.js';
import { createService } from './base/service.js';
import { checkRequest, type ServiceTool } from './base/tasks.js';

interface TaskRow {
  id: number;
  org: string;
  kind: 'task' | 'session';
  state: string;
  result: string | null;
  tools: string;
  model: string;
  tool_index: number;
  visible: 0 | 1;
}

interface EventRow {
  task_id: number;
  event_id: string;
  kind: string;
  body: string;
  ts: number;
}

/** Tables and selects; JSON in text columns. */
class Database {
  tasks: TaskRow[] = [];
  events: EventRow[] = [];
  jobs: { run_at: number; run: () => void }[] = [];

  selectTask(where: Partial<TaskRow>): TaskRow | undefined {
    return this.tasks.find((row) => matches(row, where));
  }

  selectTasks(where: Partial<TaskRow>): TaskRow[] {
    return this.tasks.filter((row) => matches(row, where)).sort((one, other) => other.id - one.id);
  }

  selectEvents(task_id: number, ts: number): EventRow[] {
    return this.events.filter((row) => row.task_id === task_id && row.ts > ts);
  }

  runJobs(now: number) {
    const due = this.jobs.filter(({ run_at }) => run_at <= now);
    this.jobs = this.jobs.filter(({ run_at }) => run_at > now);
    for (const { run } of due) run();
  }
}

const matches = (row: TaskRow, where: Partial<TaskRow>) =>
  Object.entries(where).every(([column, value]) => row[column as keyof TaskRow] === value);

function routes(app: App, now: () => number): App {
  const db = new Database();
  let serial = 0;

  const idOf = ({ params }: ServiceCall) => Number(params.id?.replace(/^t-/, ''));
  function own(call: ServiceCall): TaskRow {
    db.runJobs(now());
    const row = db.selectTask({ id: idOf(call), org: call.org });
    if (!row) throw createMissingError('Task');
    return row;
  }
  const isEnded = ({ state }: TaskRow) => state !== 'running';
  const job = (ms: number, run: () => void) => void db.jobs.push({ run_at: now() + ms, run });
  function insertEvent(row: TaskRow, event_id: string, kind: string, body: unknown) {
    const last = db.selectEvents(row.id, 0).at(-1)?.ts ?? 0;
    db.events.push({
      task_id: row.id,
      event_id,
      kind,
      body: JSON.stringify(body),
      ts: Math.max(now(), last + 1),
    });
  }
  const toJson = (row: TaskRow) => ({
    id: `t-${row.id}`,
    status: row.state,
    output: row.result === null ? null : JSON.parse(row.result),
    live_url: isEnded(row) ? null : `https://live.example/t-${row.id}`,
    recording_url: isEnded(row) ? `https://rec.example/t-${row.id}` : null,
    credits_used: isEnded(row) ? 5 : null,
  });
  function advance(row: TaskRow) {
    if (isEnded(row)) return;
    const tool = (JSON.parse(row.tools) as ServiceTool[])[row.tool_index];
    if (tool) {
      row.tool_index += 1;
      insertEvent(row, `call-${++serial}`, 'tool_call', { name: tool.name, input: sample(tool.inputs) });
    } else {
      const model = JSON.parse(row.model);
      row.result = JSON.stringify(model ? sample(model) : 'Looked at it.');
      row.state = 'done';
    }
  }

  return app
    .on('POST /task', ({ org, body }) => {
      checkRequest(body);
      const row: TaskRow = {
        id: ++serial,
        org,
        kind: (body.task ?? null) === null ? 'session' : 'task',
        state: 'running',
        result: null,
        tools: JSON.stringify(body.custom_tools ?? []),
        model: JSON.stringify(body.response_model ?? null),
        tool_index: 0,
        visible: 0,
      };
      db.tasks.push(row);
      if (row.kind === 'task') job(900, () => advance(row));
      return toJson(row);
    })
    .on('GET /task', ({ org, query }) => {
      db.runJobs(now());
      intParam(query, 'l', 32, 1, 128);
      intParam(query, 't', 0);
      return db.selectTasks({ org }).map(toJson);
    })
    .on('GET /task/:id', (call) => {
      const ts = intParam(call.query, 'event_t', 0);
      if (boolParam(call.query, 'downloads', false)) throw new Error('no such column: downloads');
      db.runJobs(now());
      const row = db.selectTask({ id: idOf(call) });
      if (!row) throw createMissingError('Task');
      const events = db.selectEvents(row.id, ts).map(({ event_id, kind, body, ts }) => ({
        id: event_id,
        name: kind,
        payload: JSON.parse(body),
        timestamp: String(ts),
      }));
      return new Reply(isEnded(row) ? 200 : 202, { r: { ...toJson(row), events } });
    })
    .on('DELETE /task/:id', (call) => {
      const row = own(call);
      if (!isEnded(row)) row.state = 'cancelled';
      return true;
    })
    .on('PUT /task/:id', (call) => own(call) && true)
    .on('GET /task/:id/visibility', (call) => own(call).visible === 1)
    .on('POST /task/:id/visibility', (call) => {
      const visible = boolParam(call.query, 'visibility');
      own(call).visible = visible ? 1 : 0;
      return true;
    })
    .on('DELETE /task/:id/data', (call) => {
      const row = own(call);
      if (!isEnded(row)) throw new HttpError(400, 'running');
      db.tasks = db.tasks.filter((each) => each !== row);
      return true;
    })
    .on('POST /task/:id/event', (call) => {
      const { name, payload, timestamp } = call.body;
      const id = call.body.id ?? `event-${++serial}`;
      if (!['tool_call', 'browser_action', 'session_action'].includes(name as string))
        throw createInvalidError('body', 'name', 'kind');
      if (!(payload instanceof Object) || Array.isArray(payload))
        throw createInvalidError('body', 'payload', 'object');
      if (typeof id !== 'string') throw createInvalidError('body', 'id', 'string');
      if (timestamp != null && !Number.isInteger(timestamp))
        throw createInvalidError('body', 'timestamp', 'integer');
      const row = own(call);
      if (isEnded(row)) throw new HttpError(400, 'the task has ended');
      if (name === 'tool_call') {
        const asked = db.events.some(
          (each) => each.task_id === row.id && each.event_id === id && each.kind === name,
        );
        if (!asked) throw new HttpError(400, 'no such call');
        job(300, () => advance(row));
      } else if (row.kind === 'task') throw new HttpError(400, 'no session');
      else job(300, () => act(row, id, name as string, payload as Record<string, unknown>));
      return { id };
    });

  function act(row: TaskRow, id: string, kind: string, { name, input }: Record<string, unknown>) {
    if (isEnded(row)) return;
    insertEvent(row, id, kind, createResult(kind, String(name), (input ?? {}) as Record<string, unknown>));
    if (name === 'close') job(1200, () => isEnded(row) || Object.assign(row, { state: 'done' }));
  }
}

const CHECKS: Record<string, (input: Record<string, unknown>) => boolean> = {
  'browser_action/goto': ({ url }) => typeof url === 'string',
  'browser_action/extract': ({ schema }) => schema instanceof Object,
  'browser_action/evaluate_js': ({ js }) => typeof js === 'string' && !js.includes('throw'),
  'session_action/run_task': ({ task }) => typeof task === 'string',
  'session_action/close': () => true,
};

function createResult(kind: string, name: string, input: Record<string, unknown>) {
  if (!CHECKS[`${kind}/${name}`]?.(input)) return { code: 400, output: `${name} cannot be done` };
  return {
    code: 200,
    output: name === 'extract' ? JSON.stringify(sample(input.schema)) : name === 'goto' ? null : 'ok',
  };
}

export default createService((now) => ({ routes: (app) => routes(app, now) }));

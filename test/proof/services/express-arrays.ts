import {
  type App,
  boolParam,
  createInvalidError,
  createMissingError,
  HttpError,
  intParam,
  Reply,
} from './base/app.js';
import { sample } from './base/sample.js';
import { createService } from './base/service.js';
import { checkRequest } from './base/tasks.js';

// Everything in arrays, and handlers in one long list.

const ACTIONS = ['goto', 'extract', 'evaluate_js', 'run_task', 'close'];
const DONE = ['done', 'failed', 'cancelled'];

// biome-ignore lint/suspicious/noExplicitAny: this author does not write types
type UntypedRow = any;

function routes(app: App, now: () => number): App {
  const tasks: UntypedRow[] = [];
  const timers: { at: number; fn: () => void }[] = [];
  let n = 0;

  function after(ms: number, fn: () => void) {
    timers.push({ at: now() + ms, fn });
  }
  function tick() {
    for (;;) {
      const i = timers.findIndex((t) => t.at <= now());
      if (i === -1) return;
      timers.splice(i, 1)[0]!.fn();
    }
  }
  function get(org: string, id: string): UntypedRow {
    tick();
    return tasks.find((t) => t.id === id && t.org === org);
  }
  function push(t: UntypedRow, id: string, name: string, payload: UntypedRow) {
    const last = t.events[t.events.length - 1];
    t.events.push({ id, name, payload, timestamp: last ? Math.max(last.timestamp + 1, now()) : now() });
  }
  function step(t: UntypedRow) {
    if (DONE.includes(t.status)) return;
    const tool = t.tools[t.next++];
    if (tool) {
      t.call = `c${++n}`;
      push(t, t.call, 'tool_call', { name: tool.name, input: sample(tool.inputs) });
    } else {
      t.status = 'done';
      t.output = t.model ? sample(t.model) : 'I read the page.';
    }
  }
  function json(t: UntypedRow) {
    const end = DONE.includes(t.status);
    return {
      id: t.id,
      status: t.status,
      output: t.output,
      live_url: end ? null : `https://view.example/${t.id}`,
      recordingUrl: end ? `https://video.example/${t.id}` : null,
      credits_used: end ? 2 : null,
    };
  }

  app.on('POST /task', ({ org, body }) => {
    checkRequest(body);
    const session = body.task === null || body.task === undefined;
    const t: UntypedRow = {
      id: `t${++n}`,
      org,
      session,
      status: 'running',
      output: null,
      events: [],
      next: 0,
    };
    t.tools = body.custom_tools ?? [];
    t.model = body.response_model;
    t.visible = false;
    tasks.push(t);
    if (!session) after(700, () => step(t));
    return json(t);
  });

  app.on('GET /task', ({ org, query }) => {
    tick();
    const l = intParam(query, 'l', 32, 1);
    intParam(query, 't', 0);
    const mine = tasks.filter((t) => t.org === org);
    return mine.reverse().slice(0, l).map(json);
  });

  app.on('GET /task/:id', ({ org, params, query }) => {
    const since = intParam(query, 'event_t', 0);
    boolParam(query, 'downloads', false);
    const t = get(org, params.id!);
    if (!t) return new Reply(404, { error: `no task ${params.id}` });
    return { ...json(t), events: t.events.filter((e: UntypedRow) => e.timestamp >= since) };
  });

  app.on('DELETE /task/:id', ({ org, params }) => {
    const t = get(org, params.id!);
    if (!t) throw createMissingError('task');
    if (!DONE.includes(t.status)) t.status = 'cancelled';
    return true;
  });

  app.on('PUT /task/:id', ({ org, params }) => {
    if (!get(org, params.id!)) throw createMissingError('task');
    return true;
  });

  app.on('GET /task/:id/visibility', ({ org, params }) => {
    const t = get(org, params.id!);
    if (!t) throw createMissingError('task');
    return t.visible;
  });

  app.on('POST /task/:id/visibility', ({ org, params, query }) => {
    const visible = boolParam(query, 'visibility');
    const t = get(org, params.id!);
    if (!t) throw createMissingError('task');
    t.visible = visible;
    return true;
  });

  app.on('DELETE /task/:id/data', ({ org, params }) => {
    const t = get(org, params.id!);
    if (!t) throw createMissingError('task');
    tasks.splice(tasks.indexOf(t), 1);
    return true;
  });

  app.on('POST /task/:id/event', ({ org, params, body }) => {
    const { name, payload, timestamp }: UntypedRow = body;
    const id: UntypedRow = body.id ?? `e${++n}`;
    if (name !== 'tool_call' && name !== 'browser_action' && name !== 'session_action')
      throw createInvalidError('body', 'name', 'unknown');
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
      throw createInvalidError('body', 'payload', 'object');
    if (typeof id !== 'string') throw createInvalidError('body', 'id', 'string');
    if (timestamp != null && !Number.isInteger(timestamp))
      throw createInvalidError('body', 'timestamp', 'integer');
    const t = get(org, params.id!);
    if (!t) throw createMissingError('task');
    if (DONE.includes(t.status)) throw new HttpError(400, 'task is over');
    if (name === 'tool_call') {
      if (t.call !== id) throw new HttpError(400, 'no such call');
      t.call = null;
      after(200, () => step(t));
      return { id };
    }
    if (!t.session) throw new HttpError(400, 'not a session');
    after(300, () => {
      if (DONE.includes(t.status)) return;
      const kind =
        payload.name === 'close' || payload.name === 'run_task' ? 'session_action' : 'browser_action';
      push(
        t,
        id,
        name,
        !ACTIONS.includes(payload.name) || kind !== name ? { code: 400, output: 'bad action' } : run(payload),
      );
      if (payload.name === 'close')
        after(1500, () => DONE.includes(t.status) || Object.assign(t, { status: 'done' }));
    });
    return { id };
  });
  return app;
}

function run({ name, input = {} }: UntypedRow) {
  const field = ({ goto: 'url', extract: 'schema', evaluate_js: 'js', run_task: 'task' } as UntypedRow)[name];
  const type = name === 'extract' ? 'object' : 'string';
  if (field && typeof input[field] !== type) return { code: 400, output: `${field} is wrong` };
  if (name === 'evaluate_js' && input.js.includes('throw'))
    return { code: 400, output: 'the script has thrown' };
  if (name === 'goto') return { code: 200, output: null };
  return { code: 200, output: name === 'extract' ? sample(input.schema) : 'ok' };
}

export default createService((now) => ({ routes: (app) => routes(app, now) }));

import { randomUUID } from 'node:crypto';
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

/** All that has ever happened. A task is what its part of the log adds up to. */
type TaskFact = { task: string; at: number } & (
  | { type: 'created'; org: string; request: Record<string, unknown> }
  | { type: 'called'; tool: ServiceTool; call: string }
  | { type: 'replied'; call: string }
  | { type: 'acted'; id: string; name: string; payload: Record<string, unknown> }
  | { type: 'finished'; output: unknown }
  | { type: 'cancelled' }
  | { type: 'shown'; visible: boolean }
  | { type: 'erased' }
);

function routes(app: App, now: () => number): App {
  const log: TaskFact[] = [];
  const planned: { at: number; run: () => void }[] = [];
  let count = 0;

  const plan = (ms: number, run: () => void) => void planned.push({ at: now() + ms, run });
  const catchUp = () => {
    for (const each of planned.splice(0)) {
      if (each.at <= now()) each.run();
      else planned.push(each);
    }
  };
  // biome-ignore lint/suspicious/noExplicitAny: facts differ
  const add = (task: string, fact: any) => {
    const last = log.filter((each) => each.task === task).at(-1)?.at ?? 0;
    log.push({ ...fact, task, at: Math.max(now(), last + 1) });
  };

  /** Adds up the facts about a task. */
  function fold(id: string) {
    const state = {
      id,
      org: '',
      request: {} as Record<string, unknown>,
      status: 'running',
      output: null as unknown,
      visible: false,
      left: [] as ServiceTool[],
      open: '',
    };
    for (const fact of log.filter(({ task }) => task === id)) {
      if (fact.type === 'created')
        Object.assign(state, {
          org: fact.org,
          request: fact.request,
          left: [...((fact.request.custom_tools ?? []) as ServiceTool[])],
        });
      if (fact.type === 'called') Object.assign(state, { open: fact.call, left: state.left.slice(1) });
      if (fact.type === 'replied') state.open = '';
      if (fact.type === 'finished') Object.assign(state, { status: 'done', output: fact.output });
      if (fact.type === 'cancelled') state.status = 'cancelled';
      if (fact.type === 'shown') state.visible = fact.visible;
      if (fact.type === 'erased') return undefined;
    }
    return state.org ? state : undefined;
  }

  function load({ org, params }: ServiceCall) {
    catchUp();
    const state = fold(params.id!);
    if (state?.org !== org) throw createMissingError('Task');
    return state;
  }

  function project(state: NonNullable<ReturnType<typeof fold>>) {
    const over = state.status !== 'running';
    return {
      id: state.id,
      status: state.status,
      output: state.output,
      live_url: over ? null : `https://live.example/${state.id}`,
      recording_url: over ? `https://rec.example/${state.id}` : null,
      credits_used: over ? 4 : null,
    };
  }

  /** Newest first, as in the log viewer. */
  function listEvents(id: string, after: number) {
    return log
      .filter((fact) => fact.task === id && fact.at > after)
      .flatMap((fact) => {
        if (fact.type === 'called')
          return [
            {
              id: randomUUID(),
              name: 'tool_call',
              payload: { name: fact.tool.name, input: sample(fact.tool.inputs) },
              timestamp: fact.at,
            },
          ];
        if (fact.type === 'acted')
          return [{ id: fact.id, name: fact.name, payload: fact.payload, timestamp: fact.at }];
        return [];
      })
      .reverse();
  }

  function think(id: string) {
    const state = fold(id);
    if (state?.status !== 'running') return;
    const [tool] = state.left;
    if (tool) add(id, { type: 'called', tool, call: randomUUID() });
    else
      add(id, {
        type: 'finished',
        output: state.request.response_model ? sample(state.request.response_model) : 'All read.',
      });
  }

  return app
    .on('POST /task', ({ org, body }) => {
      checkRequest(body);
      const id = `task_${++count}`;
      add(id, { type: 'created', org, request: body });
      if ((body.task ?? null) !== null) plan(500, () => think(id));
      return project(fold(id)!);
    })
    .on('GET /task', ({ org, query }) => {
      catchUp();
      const limit = intParam(query, 'l', 32, 1, 128);
      intParam(query, 't', 0);
      const ids = [...new Set(log.map(({ task }) => task))].toReversed();
      const items = ids
        .map(fold)
        .filter((state) => state?.org === org)
        .slice(0, limit);
      return { items: items.map((state) => project(state!)), next: null };
    })
    .on('GET /task/:id', (call) => {
      const after = intParam(call.query, 'event_t', 0);
      boolParam(call.query, 'downloads', false);
      const state = load(call);
      const r = { ...project(state), events: listEvents(state.id, after) };
      return new Reply(state.status === 'running' ? 202 : 200, { r });
    })
    .on('DELETE /task/:id', (call) => {
      const { id, status } = load(call);
      if (status === 'running') add(id, { type: 'cancelled' });
      return true;
    })
    .on('PUT /task/:id', (call) => load(call) && true)
    .on('GET /task/:id/visibility', (call) => load(call).visible)
    .on('POST /task/:id/visibility', (call) => {
      const visible = boolParam(call.query, 'visibility');
      add(load(call).id, { type: 'shown', visible });
      return true;
    })
    .on('DELETE /task/:id/data', (call) => {
      const { id, status } = load(call);
      if (status === 'running') throw new HttpError(400, 'running');
      add(id, { type: 'erased' });
      return true;
    })
    .on('POST /task/:id/event', (call) => {
      const { name, payload, timestamp } = call.body;
      const eventId = call.body.id ?? randomUUID();
      const { id, status, open, request } = load(call);
      if (!['tool_call', 'browser_action', 'session_action'].includes(name as string))
        throw createInvalidError('body', 'name', 'kind');
      if (!(payload instanceof Object) || Array.isArray(payload))
        throw createInvalidError('body', 'payload', 'object');
      if (typeof eventId !== 'string') throw createInvalidError('body', 'id', 'string');
      if (timestamp != null && !Number.isInteger(timestamp))
        throw createInvalidError('body', 'timestamp', 'integer');
      if (status !== 'running') throw new HttpError(400, 'over');
      if (name === 'tool_call') {
        // The ids that clients see are made when they look: any id is the open call's.
        if (!open) throw new HttpError(400, 'no open call');
        add(id, { type: 'replied', call: open });
        plan(300, () => think(id));
      } else {
        if ((request.task ?? null) !== null) throw new HttpError(400, 'no session');
        plan(250, () => act(id, eventId, name as string, payload as Record<string, unknown>));
      }
      return { id: eventId };
    });

  function act(id: string, event: string, name: string, payload: Record<string, unknown>) {
    if (fold(id)?.status !== 'running') return;
    const input = (payload.input ?? {}) as Record<string, unknown>;
    const known: Record<string, [string, unknown, unknown]> = {
      goto: ['browser_action', typeof input.url === 'string', undefined],
      extract: ['browser_action', input.schema instanceof Object, sample(input.schema)],
      evaluate_js: ['browser_action', typeof input.js === 'string' && !input.js.includes('throw'), 1],
      run_task: ['session_action', typeof input.task === 'string', 'Done so.'],
      close: ['session_action', true, true],
    };
    const [kind, isFine, output] = known[String(payload.name)] ?? [];
    // JSON leaves out what is undefined: goto has nothing to say.
    const result =
      kind === name && isFine ? { code: 200, output } : { code: 422, output: 'this cannot be done' };
    add(id, { type: 'acted', id: event, name, payload: result });
    if (payload.name === 'close')
      plan(1000, () => fold(id)?.status === 'running' && add(id, { type: 'finished', output: null }));
  }
}

export default createService((now) => ({ routes: (app) => routes(app, now) }));

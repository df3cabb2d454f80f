import {
  answer,
  invalid,
  Refusal,
  route,
  type SteadyExchange,
  type SteadyRoute,
  unknown,
} from './exchange.js';
import type { SteadyTask, SteadyTool } from './state.js';
import type { SteadyStore } from './store.js';
import { isObject, type Json, type JsonObject } from './values.js';
import { isAddress } from './work.js';

const EVENT_NAMES = ['browser_action', 'session_action', 'tool_call'];
const liveUrl = (id: string) => `https://live.steady.example/watch/${encodeURIComponent(id)}`;

function readTools(value: Json): SteadyTool[] {
  if (!Array.isArray(value)) throw invalid('custom_tools', 'is no list');
  const names = new Set<string>();
  return value.map((tool, at) => {
    const place = `custom_tools.${at}`;
    if (!isObject(tool)) throw invalid(place, 'is no object');
    const { name, description, inputs, output } = tool;
    if (typeof name !== 'string' || name === '') throw invalid(`${place}.name`, 'is no name');
    if (typeof description !== 'string') throw invalid(`${place}.description`, 'is no text');
    if (!isObject(inputs)) throw invalid(`${place}.inputs`, 'is no JSON Schema');
    if (typeof output !== 'string') throw invalid(`${place}.output`, 'is no text');
    if (names.has(name)) throw invalid(`${place}.name`, 'is not unique');
    names.add(name);
    return { name, description, inputs, output };
  });
}

export function buildTaskRoutes(store: SteadyStore): SteadyRoute[] {
  const { choices, work } = store;
  const { fault, varies } = choices;

  function findTask(exchange: SteadyExchange, openToAll = false): SteadyTask {
    const task = store.tasks.get(exchange.path.task_id ?? '');
    if (task === undefined || (task.org !== exchange.org && !openToAll))
      throw fault('unknown-task-400') ? new Refusal(400, 'There is no such task') : unknown('task');
    work.advance(task);
    return task;
  }

  function describe(task: SteadyTask): JsonObject {
    const running = task.status === 'running';
    const record: JsonObject = {
      created: task.created,
      output: task.output,
      status: task.status,
      id: task.id,
    };
    if (running && fault('output-while-running')) record.output = '';
    if (running || varies('live-url-stays')) record.live_url = liveUrl(task.id);
    if (!running && (task.status === 'done' || !varies('credits-only-done'))) {
      record.credits_used = task.credits;
      if (!fault('no-recording') && !task.wiped)
        record.recording_url = `https://recordings.steady.example/${encodeURIComponent(task.id)}.webm`;
    }
    return record;
  }

  function checkReferences(org: string, profile: Json, files: Json[]): void {
    const { profiles, files: known } = store.organisations.get(org)!;
    const status = varies('unknown-reference-404') ? 404 : 400;
    if (typeof profile === 'string') {
      if (!profiles.has(profile) && varies('profile-made-on-use'))
        profiles.set(profile, { id: profile, created: choices.now(), used: true });
      const found = profiles.get(profile);
      if (found === undefined) throw new Refusal(status, 'There is no profile with this profile_id');
      found.used = true;
    }
    for (const file of files)
      if (!known.has(String(file))) throw new Refusal(status, `There is no file ${String(file)}`);
  }

  async function createTask(exchange: SteadyExchange): Promise<Response> {
    const body = await exchange.body();
    if (body.task === undefined && !varies('missing-task-opens-session'))
      throw invalid('task', 'is required');
    const given = body.task ?? null;
    if (given !== null && typeof given !== 'string') throw invalid('task', 'is neither a text nor null');
    const { url = null, device = null, profile_id = null, response_model = null } = body;
    if (url !== null && !isAddress(url)) throw invalid('url', 'is no address');
    if (device !== null && typeof device !== 'string') throw invalid('device', 'is no text');
    if (device !== null && varies('devices-listed') && !['desktop', 'mobile'].includes(String(device)))
      throw invalid('device', 'is neither desktop nor mobile');
    if (profile_id !== null && typeof profile_id !== 'string') throw invalid('profile_id', 'is no text');
    if (response_model !== null && !isObject(response_model))
      throw invalid('response_model', 'is no JSON Schema');
    const tools = readTools(body.custom_tools ?? []);
    const files = body.files ?? [];
    if (!Array.isArray(files) || files.some((file) => typeof file !== 'string'))
      throw invalid('files', 'is no list of ids');
    checkReferences(exchange.org, profile_id, files);
    checkCredits(store, exchange.org);
    const text = given === '' && fault('empty-task-is-session') ? null : given;
    const now = choices.now();
    const task: SteadyTask = {
      id: store.newId('Tk'),
      org: exchange.org,
      text,
      model: response_model,
      tools,
      created: now,
      status: 'running',
      output: null,
      credits: 0,
      visible: false,
      visibilitySet: false,
      lastUse: now,
      freeAt: now,
      url: url ?? 'about:blank',
      moved: false,
      refused: false,
      closing: false,
      polledAfterEnd: false,
      askedFrom: 0,
      shown: new Set(),
      seen: new Set(),
      events: [],
      calls: [],
      queue: [],
      wiped: false,
    };
    if (fault('tools-of-last-task'))
      for (const { org, run } of store.tasks.values())
        if (org === exchange.org && run !== undefined && run.plan.length > 0)
          run.plan = tools.slice(0, 1).map((tool) => ({ tool, attempt: 1 }));
    if (text !== null) task.run = work.startRun(task, text, response_model, now);
    store.tasks.set(task.id, task);
    const { output: _, ...record } = describe(task);
    if (fault('created-waiting')) record.status = 'waiting';
    if (fault('created-without-live-url')) delete record.live_url;
    return exchange.created({ r: { ...record, output: null } });
  }

  function listTasks(exchange: SteadyExchange): Response {
    const t = exchange.optionalInteger('t');
    const most = fault('l-128-refused') ? 127 : 128;
    const asked = exchange.optionalInteger('l', { least: fault('l-0-accepted') ? 0 : 1, most }) || 32;
    const length = t !== undefined && fault('l-ignored-with-t') ? 32 : asked;
    const own = [...store.tasks.values()].filter(({ org }) => org === exchange.org);
    const chosen = own.filter(({ created }) => {
      if (t === undefined || t === 0) return true;
      return varies('t-is-after') ? created > t : created < t;
    });
    for (const task of chosen) work.advance(task);
    const listed = chosen.slice(-length);
    if (varies('newest-first')) listed.reverse();
    const withEvents = (task: SteadyTask) => ({ ...describe(task), events: showEvents(task, 0) });
    return answer({ r: listed.map(varies('list-with-events') ? withEvents : describe) });
  }

  function showEvents(task: SteadyTask, after: number): Json[] {
    const least = fault('event-t-inclusive') && after > 0 ? after - 1 : after;
    const kept = fault('newest-25-events') ? task.events.slice(-25) : task.events;
    const shown = kept.filter(({ timestamp }) => timestamp > least || after === 0);
    return shown.map((event) => ({
      timestamp: event.timestamp,
      payload: event.payload,
      name: event.name,
      id: event.id,
    }));
  }

  async function pollTask(exchange: SteadyExchange): Promise<Response> {
    const after = exchange.optionalInteger('event_t') ?? 0;
    const downloads = exchange.optionalBoolean('downloads') ?? false;
    const task = findTask(exchange);
    limitPolls(store, exchange.org, task.id);
    task.lastUse = choices.now();
    task.askedFrom = after;
    await Promise.resolve();
    let events = showEvents(task, fault('polls-share-event-t') ? task.askedFrom : after);
    if (fault('events-given-once')) {
      const key = (event: Json) => JSON.stringify(event);
      events = events.filter((event) => !task.shown.has(key(event)));
      for (const event of events) task.shown.add(key(event));
    }
    if (fault('downloads-hides-events') && downloads && after > 0) events = [];
    const record: JsonObject = { ...describe(task), events };
    if (downloads)
      record.downloads_url = `https://downloads.steady.example/${encodeURIComponent(task.id)}.tar`;
    const ended = task.status !== 'running';
    if (ended && task.polledAfterEnd && fault('output-given-once')) record.output = null;
    task.polledAfterEnd = ended;
    if (ended) return answer({ r: record }, fault('ended-answers-202') ? 202 : 200);
    return answer({ r: record }, fault('running-answers-200') ? 200 : 202);
  }

  function stopTask(exchange: SteadyExchange): Response {
    const task = findTask(exchange, fault('foreign-stop'));
    if (task.status === 'running') work.stop(task);
    else if (varies('ended-delete-refused')) throw new Refusal(400, 'The task has ended');
    else if (fault('stop-after-end')) task.status = 'cancelled';
    return exchange.plain();
  }

  async function updateTask(exchange: SteadyExchange): Promise<Response> {
    await exchange.body();
    return answer({ r: findTask(exchange).status === 'running' });
  }

  function setVisibility(exchange: SteadyExchange): Response {
    const text = exchange.query.get('visibility');
    const asked = exchange.boolean('visibility');
    const visible = fault('visibility-false-is-true') ? Boolean(text) : asked;
    const task = findTask(exchange);
    if (!task.visibilitySet || !fault('visibility-set-once')) task.visible = visible;
    task.visibilitySet = true;
    return answer({ r: varies('visibility-answers-value') ? task.visible : true });
  }

  function deleteData(exchange: SteadyExchange): Response {
    const task = findTask(exchange);
    if (task.status === 'running') {
      if (!varies('data-of-running-deleted')) throw new Refusal(400, 'The task is at work: stop it first');
      work.stop(task);
    }
    if (fault('data-stays')) return answer({ r: true });
    if (!varies('data-deletion-keeps-record')) store.tasks.delete(task.id);
    Object.assign(task, { events: [], calls: [], output: null, wiped: true });
    return answer({ r: true });
  }

  async function sendEvent(exchange: SteadyExchange): Promise<Response> {
    try {
      return takeEvent(exchange, await exchange.body());
    } catch (error) {
      const task = store.tasks.get(exchange.path.task_id ?? '');
      if (task !== undefined) task.refused = true;
      throw error;
    }
  }

  function takeEvent(exchange: SteadyExchange, body: JsonObject): Response {
    const { id, name, payload, timestamp = null } = body;
    if (typeof name !== 'string' || !EVENT_NAMES.includes(name))
      throw invalid('name', 'is no name of an event');
    if (typeof id !== 'string' || id === '') throw invalid('id', 'is no id');
    if (!isObject(payload)) throw invalid('payload', 'is no object');
    if (timestamp === null ? varies('event-time-needed') : !Number.isInteger(timestamp))
      throw invalid('timestamp', 'is no integer');
    const { code, output = null } = payload;
    const codes = fault('code-400-refused') ? [200, 500] : [200, 400, 500];
    if (name === 'tool_call' && !codes.includes(code as number))
      throw invalid('payload.code', 'is not 200, 400 or 500');
    const task = findTask(exchange, name === 'tool_call' && fault('foreign-reply'));
    task.lastUse = choices.now();
    if (name === 'tool_call') reply(task, id, Number(code), output);
    else acceptAction(task, id, name, payload);
    work.advance(task);
    return answer(fault('event-answer-bare') ? { id } : { r: { id } });
  }

  function reply(task: SteadyTask, id: string, code: number, output: Json): void {
    const call = task.calls.findLast((one) => one.id === id);
    if (call === undefined)
      throw varies('unknown-call-400')
        ? new Refusal(400, 'There is no such tool call')
        : unknown('tool call');
    if (task.status !== 'running') {
      if (fault('late-reply-revives')) task.status = 'done';
      else if (!varies('late-reply-accepted')) throw new Refusal(400, 'The task has ended');
      return;
    }
    if (call.reply !== undefined) {
      if (varies('second-reply-refused')) throw new Refusal(400, 'The tool call has its reply');
      return;
    }
    if (fault('null-reply-lost') && output === null) return;
    call.reply = { code, output, at: choices.now() };
  }

  function acceptAction(task: SteadyTask, id: string, name: string, payload: JsonObject): void {
    if (task.text !== null) throw new Refusal(400, 'Only a session takes actions');
    if (task.status !== 'running' || task.closing) throw new Refusal(400, 'The session is closed');
    if (task.seen.has(id) || task.calls.some((call) => call.id === id)) {
      if (varies('reused-id-refused')) throw new Refusal(400, 'The id has been used');
      return;
    }
    task.seen.add(id);
    work.act(task, id, name, payload);
  }

  return [
    route('POST /task', createTask),
    route('GET /task', listTasks),
    route('GET /task/{task_id}', pollTask),
    route('DELETE /task/{task_id}', stopTask),
    route('PUT /task/{task_id}', updateTask),
    route('GET /task/{task_id}/visibility', (exchange) => answer({ r: findTask(exchange).visible })),
    route('POST /task/{task_id}/visibility', setVisibility),
    route('DELETE /task/{task_id}/data', deleteData),
    route('POST /task/{task_id}/event', sendEvent),
  ];
}

export function checkCredits(store: SteadyStore, org: string): void {
  if (store.organisations.get(org)!.credits <= 0)
    throw new Refusal(429, 'Your API credits are exhausted. Please upgrade your plan.');
}

function limitPolls(store: SteadyStore, org: string, id: string): void {
  const { polls } = store.organisations.get(org)!;
  const window = Math.floor(store.choices.now() / 1000);
  const last = polls.get(id);
  const count = last?.window === window ? last.count + 1 : 1;
  polls.set(id, { window, count });
  if (count > (store.choices.varies('tight-rate') ? 40 : 250))
    throw new Refusal(429, 'Too many requests: poll less often');
}

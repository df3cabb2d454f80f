import { readableUntil, stopTask } from './agent.js';
import { isPageAddress } from './browser.js';
import { takeEvent } from './events.js';
import {
  type Answer,
  bodyFields,
  type Call,
  extras,
  findTask,
  inR,
  inRCreated,
  invalid,
  noBody,
  notFound,
  queryBoolean,
  queryInteger,
  Refusal,
  type Route,
  refuseWithoutCredits,
  requiredBoolean,
  sortList,
} from './http.js';
import type { Fields, Json, TaskEventOut, TaskState } from './ledger.js';
import { isFields } from './schema.js';

const known = ['task', 'url', 'device', 'custom_tools', 'profile_id', 'response_model', 'files'];

function viewTask(call: Call, task: TaskState): Fields {
  const { choices } = call.house;
  const running = task.status === 'running';
  const queued =
    choices.varies('queued-first') && running && call.now > task.created && call.now < task.created + 300;
  const partial = choices.fault('partial-output') && running && task.calls.some((one) => one.reply);
  const live = { live_url: `https://live.example.net/view?of=${encodeURIComponent(task.id)}` };
  const credits = choices.fault('credits-fraction') ? 1.5 : task.credits;
  return {
    id: task.id,
    status: queued ? 'waiting' : task.status,
    output: partial ? 'so far' : task.output,
    ...(running || choices.varies('live-url-kept') ? live : {}),
    ...(running
      ? {}
      : { recording_url: `https://rec.example.net/${task.serial}.webm`, credits_used: credits }),
    ...(running && choices.varies('credits-early') ? { credits_used: 0 } : {}),
    ...extras(call, { made_at: task.created, x_serial: `${task.serial}` }),
  };
}

function checkTools(value: Json | undefined, most: number): void {
  if (value === undefined || value === null) return;
  if (!Array.isArray(value)) throw invalid('body', 'custom_tools', 'is not a list');
  if (value.length > most) throw invalid('body', 'custom_tools', `holds more than ${most}`);
  const names = new Set<Json | undefined>();
  for (const tool of value) {
    if (!isFields(tool)) throw invalid('body', 'custom_tools', 'holds something else than objects');
    for (const field of ['name', 'description', 'output']) {
      if (typeof tool[field] !== 'string') throw invalid('body', 'custom_tools', `needs ${field}`);
    }
    if (tool['name'] === '' || names.has(tool['name']))
      throw invalid('body', 'custom_tools', 'names are unique');
    if (!isFields(tool['inputs']) || tool['inputs']['type'] !== 'object') {
      throw invalid('body', 'custom_tools', 'inputs is a schema of type object');
    }
    names.add(tool['name']);
  }
}

function checkRequest(call: Call, body: Fields): void {
  const { choices } = call.house;
  const { task, url, device, response_model, profile_id, files } = body;
  if (task !== null && (typeof task !== 'string' || task === ''))
    throw invalid('body', 'task', 'is a text or null');
  if (url !== undefined && url !== null && !isPageAddress(url))
    throw invalid('body', 'url', 'is not a page address');
  if (task === null && !url && !choices.varies('start-page-optional'))
    throw invalid('body', 'url', 'is needed by a session');
  const optional = choices.varies('device-optional') && (device === undefined || device === null);
  if (!optional && device !== 'desktop' && device !== 'mobile')
    throw invalid('body', 'device', 'is desktop or mobile');
  checkTools(body['custom_tools'], choices.varies('many-tools') ? 100 : choices.varies('one-tool') ? 1 : 3);
  if (response_model !== undefined && response_model !== null && !isFields(response_model)) {
    throw invalid('body', 'response_model', 'is a schema');
  }
  if (profile_id !== undefined && profile_id !== null && typeof profile_id !== 'string') {
    throw invalid('body', 'profile_id', 'is a text');
  }
  if (
    files !== undefined &&
    files !== null &&
    !(Array.isArray(files) && files.every((one) => typeof one === 'string'))
  ) {
    throw invalid('body', 'files', 'is a list of ids');
  }
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown && choices.varies('strict-fields')) throw invalid('body', unknown, 'is not known');
}

function checkReferences(call: Call, body: Fields): void {
  const { choices, ledgers } = call.house;
  const profile = body['profile_id'];
  if (typeof profile === 'string' && !call.ledger.shelf('profiles').has(profile)) {
    if (!choices.varies('profile-on-demand')) throw notFound('profile');
    call.ledger.put(call.now, 'profiles', profile, { id: profile });
  }
  const owners = choices.fault('foreign-file-passed') ? ledgers : [call.ledger];
  for (const file of Array.isArray(body['files']) ? body['files'] : []) {
    if (!owners.some((one) => one.shelf('files').has(String(file)))) throw notFound('file');
  }
}

function createTask(call: Call): Answer {
  const { choices, makeId } = call.house;
  const body = bodyFields(call);
  checkRequest(call, body);
  refuseWithoutCredits(call);
  checkReferences(call, body);
  const misread = choices.fault('profile-makes-one-shot') && typeof body['profile_id'] === 'string';
  const session = body['task'] === null && !misread;
  const first = call.ledger.state.tasks.keys().next().value;
  const id = choices.fault('second-task-same-id') && first !== undefined ? first : makeId('task');
  call.ledger.append({ kind: 'task', at: call.now, task: id, request: body, session });
  const view = viewTask(call, call.ledger.state.tasks.get(id)!);
  if (choices.fault('no-live-url')) delete view['live_url'];
  if (choices.fault('starts-as-waiting')) view['status'] = 'waiting';
  if (choices.varies('events-on-creation')) view['events'] = [];
  return choices.fault('bare-task') ? { body: view } : inRCreated(call, view);
}

function listTasks(call: Call): Answer {
  const { choices } = call.house;
  const t = queryInteger(call, 't');
  let l = queryInteger(call, 'l') ?? 32;
  const least = choices.fault('l-0-accepted') ? 0 : 1;
  const most = choices.fault('l-128-refused') ? 127 : 128;
  if (l < least || l > most) throw invalid('query', 'l', 'is from 1 to 128');
  if (choices.fault('t-disables-l') && t !== undefined) l = 128;
  const upper = choices.varies('t-is-upper-bound');
  const all = [...call.ledger.state.tasks.values()].filter(
    ({ created }) => t === undefined || (upper ? created < t : created > t),
  );
  return inR(sortList(call, all.slice(Math.max(0, all.length - l))).map((task) => viewTask(call, task)));
}

function checkRate(call: Call, task: TaskState): void {
  const { choices, pollTimes } = call.house;
  const key = `${call.ledger.key} ${task.id}`;
  const recent = (pollTimes.get(key) ?? []).filter((time) => time > call.now - 1000);
  pollTimes.set(key, recent);
  if (recent.length >= (choices.varies('tight-rate') ? 4 : 30)) {
    throw new Refusal(429, 'Rate limit exceeded: poll this task less often.', { 'retry-after': '1' });
  }
  recent.push(call.now);
}

/** Whether this is the first time something is seen: faults of a second request rest on it. */
function isFirst(call: Call, what: string): boolean {
  const before = call.house.seenOnce.size;
  return call.house.seenOnce.add(what).size > before;
}

function viewEvents(call: Call, task: TaskState): Json[] {
  const { choices } = call.house;
  let after = queryInteger(call, 'event_t') ?? 0;
  const until = readableUntil(task, call.now, choices);
  if (choices.fault('zero-event-t-empty') && call.query.get('event_t') === '0') after = call.now;
  if (choices.fault('event-t-in-32-bits')) after |= 0;
  if (choices.fault('event-t-inclusive') && after > 0) after -= 1;
  if (choices.fault('downloads-resets-event-t') && call.query.get('downloads') === 'true') after = 0;
  let events = task.events.filter(({ timestamp }) => timestamp > after && timestamp <= until);
  if (choices.fault('only-25-events')) events = events.slice(-25);
  if (choices.fault('events-backwards')) events = events.toReversed();
  if (choices.fault('polls-share-events') && call.sharedPoll) events = [];
  if (choices.fault('events-once')) events = events.filter(({ id }) => isFirst(call, `${task.id} ${id}`));
  return events.map((event) => viewEvent(call, event));
}

function viewEvent(call: Call, event: TaskEventOut): Fields {
  const { fault } = call.house.choices;
  let { id, name, payload, timestamp } = event;
  const result = name !== 'tool_call';
  if (fault('timestamp-in-seconds')) timestamp = Math.floor(timestamp / 1000);
  if (result && fault('result-with-own-id')) id = `result of ${id}`;
  if (result && fault('result-named-session')) name = 'session_action';
  if (result && fault('result-without-code')) payload = { value: (payload as Fields)['output']! };
  if (result && fault('id-escaped')) id = encodeURIComponent(id);
  if (result && fault('long-id-cut')) id = id.slice(0, 64);
  return { id, name, payload, timestamp, ...extras(call, { source: result ? 'browser' : 'agent' }) };
}

function findReadable(call: Call): TaskState {
  const { choices, ledgers } = call.house;
  const id = call.params[0]!;
  const own = call.ledger.state.tasks.get(id);
  if (own) return own;
  const foreign = ledgers.map((one) => one.state.tasks.get(id)).find((one) => one !== undefined);
  const shown = choices.varies('visible-to-others') && foreign?.visible;
  if (foreign && (shown || choices.fault('foreign-task-read'))) return foreign;
  throw notFound('task');
}

function pollTask(call: Call): Answer {
  const { choices } = call.house;
  const downloads = queryBoolean(call, 'downloads') ?? false;
  queryInteger(call, 'event_t');
  const task = findReadable(call);
  checkRate(call, task);
  const view: Fields = { ...viewTask(call, task), events: viewEvents(call, task) };
  if (downloads) view['downloads'] = [];
  const running = task.status === 'running';
  let status = running && !choices.fault('poll-always-200') ? 202 : 200;
  if (!running && isFirst(call, `end of ${task.id}`)) {
    if (choices.fault('done-202-at-first')) status = 202;
    if (choices.fault('recording-later')) delete view['recording_url'];
  } else if (task.status === 'cancelled' && choices.fault('cancelled-turns-failed'))
    view['status'] = 'failed';
  return { status, body: { r: view } };
}

function stop(call: Call): Answer {
  const { choices } = call.house;
  const task = findTask(call);
  if (task.status === 'running') stopTask(call.ledger, task, call.now, choices);
  else if (task.status === 'done' && choices.fault('stop-changes-done')) {
    const { output, credits } = task;
    call.ledger.append({ kind: 'ended', at: call.now, task: task.id, status: 'cancelled', output, credits });
  } else if (!choices.varies('stop-twice-allowed'))
    throw new Refusal(400, 'Only a running task can be stopped.');
  return noBody(call);
}

function updateTask(call: Call): Answer {
  bodyFields(call);
  findTask(call);
  return inR(true);
}

function setVisibility(call: Call): Answer {
  const { choices } = call.house;
  const asked = requiredBoolean(call, 'visibility');
  const task = findTask(call);
  const value = choices.fault('visible-false-is-true') ? true : asked;
  call.ledger.append({ kind: 'visible', at: call.now, task: task.id, value });
  return inR(choices.varies('visibility-tells-success') ? true : value);
}

function erase(call: Call): Answer {
  const { choices } = call.house;
  const task = findTask(call);
  if (task.status === 'running') {
    if (!choices.varies('erase-while-running'))
      throw new Refusal(400, 'Stop the task before its data is deleted.');
    stopTask(call.ledger, task, call.now, choices);
  }
  if (!choices.fault('erased-still-served')) {
    call.ledger.append({
      kind: 'erased',
      at: call.now,
      task: task.id,
      whole: !choices.varies('erased-shell-stays'),
    });
  }
  return inR(true);
}

export const taskRoutes: Route[] = [
  { method: 'POST', path: '/task', reads: 'json', run: createTask },
  { method: 'GET', path: '/task', run: listTasks },
  { method: 'GET', path: '/task/*', run: pollTask },
  { method: 'DELETE', path: '/task/*', run: stop },
  { method: 'PUT', path: '/task/*', reads: 'json', run: updateTask },
  { method: 'GET', path: '/task/*/visibility', run: (call) => inR(findTask(call).visible) },
  { method: 'POST', path: '/task/*/visibility', run: setVisibility },
  { method: 'DELETE', path: '/task/*/data', run: erase },
  { method: 'POST', path: '/task/*/event', reads: 'json', run: takeEvent },
];

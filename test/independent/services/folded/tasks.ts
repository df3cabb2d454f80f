import { isClosing, isPageAddress, performAction, readableUntil, stopTask } from './agent.js';
import {
  type Answer,
  bodyFields,
  type Call,
  extras,
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
import { isFields } from './values.js';

const known = ['task', 'url', 'device', 'custom_tools', 'profile_id', 'response_model', 'files'];

function findTask(call: Call): TaskState {
  const { choices, ledgers } = call.house;
  const id = call.params[0]!;
  const task = call.ledger.state.tasks.get(id);
  if (task) return task;
  if (choices.fault('foreign-event-taken')) {
    const owner = ledgers.find((one) => one.state.tasks.has(id));
    if (owner && call.body !== undefined) {
      call.ledger = owner;
      return owner.state.tasks.get(id)!;
    }
  }
  throw notFound('task');
}

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
  const id = choices.fault('second-task-null-id') && first !== undefined ? first : makeId('task');
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

interface EventIn {
  name: string;
  id: string;
  payload: Fields;
}

function readEvent(call: Call): EventIn {
  const { name, payload, id, timestamp } = bodyFields(call);
  if (name !== 'browser_action' && name !== 'session_action' && name !== 'tool_call') {
    throw invalid('body', 'name', 'is not one of the three kinds');
  }
  if (!isFields(payload)) throw invalid('body', 'payload', 'is not an object');
  if (typeof id !== 'string' || id === '') throw invalid('body', 'id', 'is not a text');
  if (!Number.isInteger(timestamp) || (timestamp as number) < 0)
    throw invalid('body', 'timestamp', 'is not a Unix time');
  return { name, payload, id };
}

function confirmEvent(call: Call, id: string): Answer {
  if (call.house.choices.fault('confirmation-true')) return inR(true);
  return inR({ id, ...extras(call, { taken_at: call.now }) });
}

function checkReply(call: Call, task: TaskState, { id, payload }: EventIn): { code: number; output: Json } {
  const { choices, refusedReplies } = call.house;
  const { code, output } = payload;
  const codes = choices.fault('reply-500-refused') ? [200, 400] : [200, 400, 500];
  const nothing = output === undefined || (output === null && choices.fault('reply-null-refused'));
  if (nothing || !codes.includes(code as number)) {
    refusedReplies.add(`${task.id} ${id}`);
    throw invalid('body', 'payload', 'a reply is {code, output} with code 200, 400 or 500');
  }
  if (choices.fault('refused-reply-answers') && refusedReplies.has(`${task.id} ${id}`)) {
    throw new Refusal(400, 'This call was answered.');
  }
  return { code: code as number, output: output! };
}

function takeReply(call: Call, task: TaskState, event: EventIn): Answer {
  const { choices } = call.house;
  const outcome = checkReply(call, task, event);
  const open = task.calls.some((one) => one.id === event.id && !one.reply);
  const late = open && task.status !== 'running';
  if (late && choices.fault('late-reply-revives'))
    call.ledger.append({ kind: 'revived', at: call.now, task: task.id });
  else if ((!open || late) && choices.varies('stray-reply-accepted')) return confirmEvent(call, event.id);
  else if (!open || late) throw new Refusal(400, 'No tool call with this id is open.');
  call.ledger.append({ kind: 'reply', at: call.now, task: task.id, id: event.id, outcome });
  return confirmEvent(call, event.id);
}

/** Results take 100 to 600 ms before they go out with the next burst. */
function dueTime(call: Call, task: TaskState): number {
  const delay = 100 + ((task.usedIds.size * 337 + task.serial * 71) % 501);
  const before = call.house.choices.varies('results-in-order') ? task.atWork.map(({ due }) => due + 1) : [];
  return Math.max(call.now + delay, ...before);
}

function isUsedId(task: TaskState, id: string): boolean {
  return task.usedIds.has(id) || task.calls.some((one) => one.id === id);
}

function takeEvent(call: Call): Answer {
  const { choices } = call.house;
  const event = readEvent(call);
  const task = findTask(call);
  if (event.name === 'tool_call') return takeReply(call, task, event);
  if (!task.session) throw new Refusal(400, 'Actions are for sessions.');
  const closed = isClosing(task) && !(task.closed !== undefined && choices.fault('close-leaves-open'));
  if (task.status !== 'running' || closed) throw new Refusal(400, 'The session is closed.');
  if (isUsedId(task, event.id)) {
    if (choices.varies('repeated-id-ignored')) return confirmEvent(call, event.id);
    if (!choices.varies('repeated-id-performed')) throw new Refusal(400, 'This event id was used before.');
  }
  const { outcome, page } = performAction(event.name, event.payload, task.page, choices);
  if (outcome?.code === 400 && choices.varies('actions-checked-first')) {
    throw invalid('body', 'payload', String(outcome.output));
  }
  const elsewhere = [...call.ledger.state.tasks.values()].some(
    (one) => one !== task && one.usedIds.has(event.id),
  );
  const lost =
    (choices.fault('third-action-lost') && task.atWork.length >= 2) ||
    (choices.fault('id-known-elsewhere') && elsewhere);
  if (!lost) {
    const action = { ...event, sent: call.now, due: dueTime(call, task), ...(outcome ? { outcome } : {}) };
    call.ledger.append({
      kind: 'action',
      at: call.now,
      task: task.id,
      action,
      ...(page === undefined ? {} : { page }),
    });
  }
  return confirmEvent(call, event.id);
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

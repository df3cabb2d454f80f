import type { TaskEvent } from '../../../spec/vocabulary.js';
import { isSameJson, isUrl, readField, show } from '../../conversation/json.js';
import { RECORDED_WITHIN_MS } from '../../rules/service/outputs.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import {
  createEventKey,
  describeMismatch,
  readStatus,
  readTaskId,
  type TaskHandle,
} from '../test-case/read-task.js';
import {
  awaitToolCall,
  createWeatherTask,
  expectCompletion,
  expectResult,
  expectTask,
  LONG_MS,
  openSession,
  readTask,
  sendReply,
  WEATHER,
} from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** Reads of a terminal task. */
const AFTERWARDS = [{ event_t: 0 }, {}, { event_t: 0 }, { downloads: true }, {}] as const;

const toTheEnd: TestCase = {
  id: 'polling/to-the-end-and-after',
  title: 'A one-shot task ends, and its result does not change when it is read again',
  covers: [
    'SERVICE-01',
    'SERVICE-02',
    'ENV-01',
    'POLL-02',
    'POLL-08',
    'TASK-01',
    'TASK-02',
    'TASK-03',
    'TASK-05',
    'TASK-06',
    'TASK-07',
    'TASK-08',
    'TASK-09',
    'TASK-10',
    'TASK-12',
    'TASK-14',
    'TASK-16',
  ],
  operations: ['createTask', 'getTask'],
  tasks: 1,
  async run(t) {
    const task = await expectTask(t, { task: t.text('one-shot') }, 'TASK-10');
    if (!(await expectCompletion(t, task))) return;
    const end = task.last;
    const output = readField(end.r, 'output');
    for (const query of AFTERWARDS) {
      await t.sleep(t.settings.pollIntervalMs);
      const { response } = await readTask(t, task, query);
      const request = `a poll with ${show(query)} after the end`;
      const status = readStatus(response);
      const stays = `${request}: expected status ${task.status} as before, got ${summarize(response)}`;
      t.expect('POLL-08', status === task.status, stays, end, response);
      const same = isSameJson(readField(response.r, 'output'), output);
      const changed = `${request}: expected the output ${show(output)} as before, got ${summarize(response)}`;
      t.expect('SERVICE-01', same, changed, end, response);
      const named = `${request}: expected the task ${show(task.id)}, got ${summarize(response)}`;
      t.expect('TASK-01', readTaskId(response) === task.id, named, task.created, response);
      const failed = `${request}: expected a success, got ${summarize(response)}`;
      t.expect('TASK-16', response.ok, failed, response);
    }
    if (task.status === 'done') await expectRecording(t, task);
  },
};

/** The recording has an address, possibly with a delay. */
async function expectRecording(t: TestContext, task: TaskHandle): Promise<void> {
  const until = t.now() + RECORDED_WITHIN_MS;
  const isLate = (response: ApiResponse) => response.ok && readField(response.r, 'recording_url') === null;
  let { response } = await readTask(t, task, {});
  while (isLate(response) && t.now() < until) {
    await t.sleep(4 * t.settings.pollIntervalMs);
    ({ response } = await readTask(t, task, {}));
  }
  const url = readField(response.r, 'recording_url');
  // Without a recording there is no address.
  if (!response.ok || url === '') return;
  const message = `the task is done: expected recording_url to be a URL, at the latest ${RECORDED_WITHIN_MS / 1000} s after the end, ${task.compare('recording_url', response)}`;
  t.expect('TASK-07', isUrl(url), message, task.last, response);
}

/** Age at which a full read may omit events, ms: the retention time is not stated. */
const KEPT_MS = 2500;

const cursor: TestCase = {
  id: 'polling/event-cursor',
  title: 'event_t omits all earlier events, and no others',
  covers: ['POLL-03', 'POLL-04', 'TASK-09', 'TASK-16', 'EVENT-01', 'EVENT-09', 'EVENT-10'],
  parts: ['tools'],
  operations: ['createTask', 'getTask', 'sendTaskEvent'],
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t, 'tool-calls');
    // Until the call gets its reply, the agent waits and all reads are comparable.
    const began = t.now();
    const seenAt = new Map<string, number>();
    for (let round = 0; round < 3; round++) {
      const call = round === 0 ? await awaitToolCall(t, task) : await t.nextToolCall(task);
      if (!call) break;
      seenAt.set(createEventKey(call), t.now());
      if (round === 0 || t.now() - began < LONG_MS) await readAround(t, task, call);
      if (!(await sendReply(t, task, call, WEATHER))) return;
    }
    if (await t.pollUntilEnd(task)) await compareIncrements(t, task, seenAt);
  },
};

/** Reads with various values of `event_t` around an event that was just read. */
export async function readAround(t: TestContext, task: TaskHandle, event: TaskEvent): Promise<void> {
  const shown = task.last;
  const full = await readTask(t, task, { event_t: 0 });
  const reads = [
    { how: 'event_t=0', ...full },
    { how: 'event_t=0 once more', ...(await readTask(t, task, { event_t: 0 })) },
    { how: 'no event_t', ...(await readTask(t, task, {})) },
  ];
  for (const { how, response, events } of reads) {
    const missing = findMissing(events, [event, ...full.events]);
    const message = `a poll with ${how}: expected all events, ${missing && describeMissing(missing, events)}`;
    t.expect('POLL-04', missing === undefined, message, shown, response);
    const carries = `a poll with ${how}: expected an array of events, got ${response.text.slice(0, 200)}`;
    t.expect('TASK-09', events.length > 0, carries, response);
  }
  const { timestamp } = event;
  if (!Number.isSafeInteger(timestamp)) return;

  const before = await readTask(t, task, { event_t: timestamp - 1 });
  const lost = `event_t=${timestamp - 1}: expected the event ${show(event.id)} of ${timestamp}, ${describeMismatch(before.events, event) ?? `got ${show(before.events.map(({ id }) => id))}`}`;
  t.expect('POLL-03', findMissing(before.events, [event]) === undefined, lost, shown, before.response);

  const after = await readTask(t, task, { event_t: timestamp });
  const old = after.events.find((each) => !(each.timestamp > timestamp));
  const again = `event_t=${timestamp}: expected later events only, got ${show(old?.id)} of ${show(old?.timestamp)}`;
  t.expect('POLL-03', old === undefined, again, shown, after.response);

  const future = timestamp + 3_600_000;
  const none = await readTask(t, task, { event_t: future });
  const quiet = `event_t=${future}, an hour later than the last event: expected no events with ${shown.status}, got ${none.response.text.slice(0, 200)}`;
  t.expect('POLL-03', none.response.ok && none.events.length === 0, quiet, shown, none.response);
}

const increments: TestCase = {
  id: 'polling/increments-add-up',
  title: 'Incremental polls show every event once, in order, and none is lost',
  covers: ['POLL-03', 'POLL-04', 'TASK-09', 'EVENT-01', 'EVENT-02', 'EVENT-10'],
  parts: ['sessions'],
  operations: ['createTask', 'getTask', 'sendTaskEvent'],
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    const seenAt = new Map<string, number>();
    for (let round = 0; round < 6; round++) {
      // Two concurrent actions: their results may arrive close together.
      const actions = [];
      for (const js of [`return ${round}`, 'return document.title']) {
        const { id, response } = await t.act(session, 'evaluate_js', { js });
        if (!response.ok) t.inconclusive(`the response to evaluate_js was ${response.status}`);
        actions.push({ id, what: `evaluate_js ${js}`, name: 'evaluate_js', sent: response });
      }
      for (const action of actions) {
        const result = await expectResult(t, session, action, 'SESSION-08');
        if (!result) return;
        for (const event of session.events) {
          if (!seenAt.has(createEventKey(event))) seenAt.set(createEventKey(event), t.now());
        }
      }
    }
    await compareIncrements(t, session, seenAt);
  },
};

/** Compares the increments with a full read. */
async function compareIncrements(
  t: TestContext,
  task: TaskHandle,
  seenAt: ReadonlyMap<string, number>,
): Promise<void> {
  // Events after the last increment are not missing yet.
  await t.poll(task);
  const { last } = task;
  const full = await readTask(t, task, { event_t: 0 });
  const isRecent = (event: TaskEvent) => t.now() - (seenAt.get(createEventKey(event)) ?? 0) < KEPT_MS;
  const gone = findMissing(full.events, task.events.filter(isRecent));
  const missing = `expected a poll with event_t=0 to list all events, ${gone && describeMissing(gone, full.events)}`;
  t.expect('POLL-04', gone === undefined, missing, last, full.response);
  const unseen = findMissing(task.events, full.events);
  const other = unseen && describeMismatch(task.events, unseen);
  const never = `never showed ${show(unseen?.id)} of ${show(unseen?.timestamp)}, which is there with event_t=0`;
  const skipped = `polls with the event_t of the last event ${never}${other ? `: ${other}` : ''}`;
  t.expect(['POLL-03', 'POLL-04'], unseen === undefined, skipped, last, full.response);
  const ascending = full.events.every(
    ({ timestamp }, i) => i === 0 || timestamp >= full.events[i - 1]!.timestamp,
  );
  const order = `expected events in the order of their timestamps, since the next poll continues from the last one; got ${show(full.events.map(({ timestamp }) => timestamp))}`;
  t.expect(['POLL-03', 'POLL-04'], ascending, order, full.response);
}

function describeMissing(event: TaskEvent, there: readonly TaskEvent[]): string {
  return describeMismatch(there, event) ?? `${show(event.id)} is not among them`;
}

/** The first expected event that is missing; a service may list thousands. */
function findMissing(there: readonly TaskEvent[], wanted: readonly TaskEvent[]): TaskEvent | undefined {
  const keys = new Set(there.map(createEventKey));
  return wanted.find((event) => !keys.has(createEventKey(event)));
}

export const pollingCases: readonly TestCase[] = [toTheEnd, cursor, increments];

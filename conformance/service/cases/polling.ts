import type { TaskEvent } from '../../../spec/vocabulary.js';
import { CURSORS } from '../../common/interesting-values.js';
import { readField, show } from '../../conversation/json.js';
import { RECORDED_WITHIN_MS } from '../../rules/service/outputs.js';
import { summarize } from '../http-client/response.js';
import { awaitToolCall, expectResult, expectSeen, readTask } from '../test-case/await-events.js';
import { createEventKey, type TaskHandle } from '../test-case/read-task.js';
import {
  createWeather,
  createWeatherTask,
  expectCompletion,
  expectNoStall,
  expectTask,
  LONG_MS,
  openSession,
  pollForMany,
  SCRIPT,
  sendReply,
} from '../test-case/task-steps.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** What these cases read is judged by the rules on tasks and on the reading of events. */

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
    for (const query of AFTERWARDS) {
      await t.sleep(t.settings.pollIntervalMs);
      const { response } = await readTask(t, task, query);
      const message = `a poll with ${show(query)} after the end: expected a success, got ${summarize(response)}`;
      t.expect('TASK-16', response.ok, message, response);
    }
    if (task.status === 'done') await awaitRecording(t, task);
  },
};

/** The recording may have its address with a delay. */
async function awaitRecording(t: TestContext, task: TaskHandle): Promise<void> {
  const until = t.now() + RECORDED_WITHIN_MS;
  const isLate = async () => {
    const { response } = await readTask(t, task, {});
    return response.ok && readField(response.r, 'recording_url') === null;
  };
  while ((await isLate()) && t.now() < until) await t.sleep(4 * t.settings.pollIntervalMs);
}

const HOUR_MS = 3_600_000;

const cursor: TestCase = {
  id: 'polling/event-cursor',
  title: 'event_t omits all earlier events, and no others',
  covers: ['POLL-03', 'POLL-04', 'TASK-09', 'TASK-16', 'TOOL-09', 'EVENT-01', 'EVENT-09', 'EVENT-10'],
  parts: ['tools'],
  operations: ['createTask', 'getTask', 'sendTaskEvent'],
  tasks: 1,
  async run(t) {
    const task = await createWeatherTask(t, 'tool-calls');
    // Until the call gets its reply, the agent waits and all reads are comparable.
    const began = t.now();
    for (let round = 0; round < 3; round++) {
      const call = round === 0 ? await awaitToolCall(t, task) : await t.nextToolCall(task);
      if (!call) {
        await expectNoStall(t, task);
        break;
      }
      if (round === 0 || t.now() - began < LONG_MS) await readAround(t, task, call);
      if (!(await sendReply(t, task, call, createWeather(t)))) return;
    }
    if (await t.pollUntilEnd(task)) await compareIncrements(t, task);
  },
};

/** Reads with various values of `event_t` around an event that was just read. */
async function readAround(t: TestContext, task: TaskHandle, { timestamp }: TaskEvent): Promise<void> {
  // Two reads at once must not share the events among them.
  await Promise.all([{ event_t: 0 }, { event_t: 0 }].map((query) => readTask(t, task, query)));
  await readTask(t, task, {});
  if (!Number.isSafeInteger(timestamp)) return;
  const cursors = [timestamp - 1, timestamp, timestamp + HOUR_MS, ...CURSORS.map((values) => t.pick(values))];
  for (const event_t of cursors) await readTask(t, task, { event_t });
  // Each read has its own cursor, whatever else it requests and whatever is read at the same time.
  for (const event_t of [timestamp - 1, timestamp]) {
    await readTask(t, task, { event_t, downloads: true });
    await Promise.all([event_t, 0, timestamp + HOUR_MS].map((each) => readTask(t, task, { event_t: each })));
  }
}

/** Compares the increments with a full read. Events after the last increment are not missing yet. */
async function compareIncrements(t: TestContext, task: TaskHandle): ReturnType<typeof readTask> {
  await t.poll(task);
  const full = await readTask(t, task, { event_t: 0 });
  const seen = new Set(task.events.map(createEventKey));
  const unseen = full.events.find((event) => !seen.has(createEventKey(event)));
  expectSeen(t, unseen, task.last, full.response);
  return full;
}

/** Sends scripts without a poll between them, and awaits their results. False if one has none. */
async function runScripts(t: TestContext, session: TaskHandle, scripts: readonly string[]): Promise<boolean> {
  const actions = [];
  for (const [at, js] of scripts.entries()) {
    const { id, response } = await t.act(session, 'evaluate_js', { js });
    if (!response.ok) t.inconclusive(`the response to evaluate_js was ${response.status}`);
    actions.push({ id, what: `evaluate_js ${js}, ${at + 1} of ${scripts.length}`, sent: response });
  }
  await pollForMany(t, session, actions.length);
  for (const action of actions) if (!(await expectResult(t, session, action, 'SESSION-08'))) return false;
  return true;
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
    for (let round = 0; round < 6; round++) {
      // Two concurrent actions: their results may arrive close together.
      if (!(await runScripts(t, session, [`return ${round}`, 'return document.title']))) return;
    }
    const { response, events } = await compareIncrements(t, session);
    const times = events.map(({ timestamp }) => timestamp);
    const isAscending = times.every((time, i) => i === 0 || time >= times[i - 1]!);
    const message = `expected events in the order of their timestamps, since the next poll continues from the last one; got ${show(times)}`;
    t.expect(['POLL-03', 'POLL-04'], isAscending, message, response);
  },
};

/** More events than services often keep or list at once. */
const BURST = 104;

const burst: TestCase = {
  id: 'polling/many-events-at-once',
  title: 'Many results that come without a poll between them are all listed',
  covers: ['EVENT-08', 'POLL-04', 'SESSION-08'],
  parts: ['sessions'],
  operations: ['createTask', 'getTask', 'sendTaskEvent'],
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    if (await runScripts(t, session, Array<string>(BURST).fill(SCRIPT.js)))
      await compareIncrements(t, session);
  },
};

export const pollingCases: readonly TestCase[] = [toTheEnd, cursor, increments, burst];

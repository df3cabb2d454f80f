import { readField, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { readCredits, readTopUpSettings } from '../../test-case/account.js';
import { readTask } from '../../test-case/await-events.js';
import { collectLeaves } from '../../test-case/read-record.js';
import type { TaskHandle } from '../../test-case/read-task.js';
import { readUntil, readUntilSettled, sendAndCheck } from '../../test-case/requests.js';
import { expectCompletion } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

const consumed: TestCase = {
  id: 'resources/credits',
  title: 'The cost of each task is taken from the balance of credits, once',
  covers: ['SERVICE-05'],
  operations: ['getUsage', 'getAutoTopUp', 'createTask', 'getTask'],
  tasks: 3,
  // The balance is that of all tasks.
  alone: true,
  async run(t) {
    const before = await sendAndCheck(t, 'ORG-04', 'getUsage');
    const was = listNumbers(before);
    if (was.length === 0)
      return t.inconclusive(`no balance that a task could change in ${summarize(before)}`);
    await requireNoAutoTopUp(t);
    const task = await t.createTask({ task: t.text('one-shot') });
    // The value read while the task was running must not be returned afterwards.
    await t.send('getUsage');
    if (!(await expectCompletion(t, task))) return;
    const cost = readCost(task);
    if (typeof cost !== 'number' || cost <= 0)
      return t.inconclusive(`the task reports ${show(cost)} as credits_used: it cost nothing`);
    const hasChanged = (response: ApiResponse) => String(listNumbers(response)) !== String(was);
    const readUsage = () => t.send('getUsage');
    const after = await readUntil(t, readUsage, (response) => !response.ok || hasChanged(response));
    if (!after.ok) return t.inconclusive(`the response to GET /usage was ${summarize(after)}`);
    const message = `a task reports that it cost ${cost} credits: expected the balance in GET /usage to be less than before, got ${summarize(after)} before and afterwards`;
    if (!t.expect('SERVICE-05', hasChanged(after), message, before, task.last, after)) return;
    await expectFreeReads(t, task);
    // Where a single task shows that the balance counts what tasks report, several tasks have to.
    const had = readCredits(before);
    if (had !== undefined && had - cost === readCredits(after)) await expectSum(t);
  },
};

async function requireNoAutoTopUp(t: TestContext): Promise<void> {
  if (readTopUpSettings(await t.send('getAutoTopUp'))?.active)
    t.inconclusive('the automatic top-up is active: it may make up for what a task costs');
}

/** Numbers in the record of the usage, by path; the name of the balance is open (`record.usage`). */
function listNumbers({ r }: ApiResponse): string[] {
  return collectLeaves(r).flatMap(({ path, value }) => (typeof value === 'number' ? `${path}=${value}` : []));
}

export function readCost(task: TaskHandle): unknown {
  return readField(task.last.r, 'credits_used');
}

const READS = [{ event_t: 0 }, {}, { downloads: true }] as const;
/** Rounds in which reads have to lower the balance: once it may be something else, such as a cost that is taken late. */
const ROUNDS = 3;

/** A task that is over consumes nothing more, however often it is read. */
async function expectFreeReads(t: TestContext, task: TaskHandle): Promise<void> {
  const read = async () => readCredits(await t.send('getUsage'));
  for (let round = 1; round <= ROUNDS; round++) {
    const before = await read();
    await t.sleep(t.settings.pollIntervalMs);
    const idle = await read();
    for (const query of READS) await readTask(t, task, query);
    const response = await t.send('getUsage');
    const after = readCredits(response);
    const isLess = idle !== undefined && after !== undefined && idle === before && after < idle;
    const message = `the task is over: expected the balance to stay ${idle} when it is read, as it does in between; got ${after} after ${READS.length} reads, and less each of ${ROUNDS} times`;
    if (!isLess || round === ROUNDS) t.expect('SERVICE-05', !isLess, message, task.last, response);
    if (!isLess) return;
  }
}

/** Two tasks at the same time cost what both of them report. */
async function expectSum(t: TestContext): Promise<void> {
  // Twice, since someone else may have bought credits meanwhile.
  for (const isLast of [false, true]) {
    const before = await t.send('getUsage');
    const had = readCredits(before);
    const pair = [await t.createTask({ task: t.text('one-shot') })];
    pair.push(await t.createTask({ task: t.text('one-shot') }));
    for (const task of pair) if (!(await expectCompletion(t, task))) return;
    const costs = pair.map(readCost).filter((cost) => typeof cost === 'number');
    const sum = costs.reduce((total, cost) => total + cost, 0);
    if (had === undefined || costs.length < pair.length || costs.some((cost) => cost < 0) || sum > had)
      return;
    const isTaken = (response: ApiResponse) => (readCredits(response) ?? 0) <= had - sum;
    const after = await readUntilSettled(t, () => t.send('getUsage'), isTaken);
    const has = readCredits(after);
    if (has === undefined || has > had) return;
    const message = `two tasks at the same time report that they cost ${costs.join(' and ')} credits, and a task before them was taken from the balance as it reported: expected ${had - sum} of ${had}, got ${has}`;
    if (has <= had - sum || isLast)
      return void t.expect(
        'SERVICE-05',
        has <= had - sum,
        message,
        before,
        ...pair.map(({ last }) => last),
        after,
      );
  }
}

const kept: TestCase = {
  id: 'resources/credits-of-deleted-task',
  title: 'The deletion of the data of a task gives no credits back',
  covers: ['SERVICE-05'],
  operations: ['getUsage', 'getAutoTopUp', 'createTask', 'getTask', 'deleteTaskData'],
  tasks: 2,
  alone: true,
  async run(t) {
    await requireNoAutoTopUp(t);
    // Twice, since someone else may have bought credits meanwhile.
    if (!(await expectNoRefund(t, false))) await expectNoRefund(t, true);
  },
};

/** False if the balance has grown, which shows a refund if this is the last of several rounds. */
async function expectNoRefund(t: TestContext, isLast: boolean): Promise<boolean> {
  const readUsage = () => t.send('getUsage');
  const had = readCredits(await readUsage());
  const task = await t.createTask({ task: t.text('one-shot') });
  if (!(await expectCompletion(t, task))) return true;
  const cost = readCost(task);
  if (had === undefined || typeof cost !== 'number' || cost <= 0)
    return t.inconclusive(`no balance or no cost to be compared: ${show(had)} and ${show(cost)}`);
  const left = had - cost;
  const before = await readUntil(t, readUsage, (response) => readCredits(response) === left);
  // A balance that is settled late may grow at the time of the deletion.
  if (readCredits(before) !== left)
    return t.inconclusive(`the balance was not settled before the deletion: ${summarize(before)}`);
  const deleted = await t.send('deleteTaskData', { path: { task_id: task.id }, mayBeRefused: true });
  if (!deleted.ok || deleted.r === false)
    return t.inconclusive(`the data of the task are not deleted: ${summarize(deleted)}`);
  const after = await readUntil(t, readUsage, (response) => (readCredits(response) ?? left) > left);
  const has = readCredits(after);
  if (has === undefined) return t.inconclusive(`the response to GET /usage was ${summarize(after)}`);
  const isKept = has <= left;
  const message = `GET /usage after the data of a task that cost ${cost} were deleted, twice: expected at most ${left} credits, as before, got ${summarize(after)}`;
  if (isKept || isLast) t.expect('SERVICE-05', isKept, message, before, deleted, after);
  return isKept;
}

export const creditCases: readonly TestCase[] = [consumed, kept];

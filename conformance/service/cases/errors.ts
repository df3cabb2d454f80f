import { readField } from '../../conversation/json.js';
import { type ApiResponse, isTransient, summarize } from '../http-client/response.js';
import { attempt, createRequest } from '../operations/requests.js';
import { readCredits } from '../test-case/account.js';
import { readTaskId } from '../test-case/read-task.js';
import { describeRequest, readUntil, sendAndCheck } from '../test-case/requests.js';
import type { KeyName, TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';

/** GET /usage with another key. Ends the case if it is refused. */
export async function readUsage(t: TestContext, key: 'free' | 'exhausted'): Promise<ApiResponse> {
  const usage = await t.send('getUsage', { key });
  if (!usage.ok)
    t.inconclusive(`the key "${key}" is not usable: the response to GET /usage was ${summarize(usage)}`);
  return usage;
}

function hasDetail({ body }: ApiResponse): boolean {
  return typeof readField(body, 'detail') === 'string';
}

/** Features that may need a paid plan. */
const FEATURES = ['createProfile', 'openBrowserSession'] as const;

const premium: TestCase = {
  id: 'errors/premium-feature',
  title: 'Features of other plans are refused to the free plan with 403',
  covers: ['ERROR-04'],
  operations: ['getUsage', 'createProfile', 'openBrowserSession'],
  keys: ['free'],
  tasks: 2,
  async run(t) {
    await readUsage(t, 'free');
    for (const feature of FEATURES) {
      const sendAs = (key: KeyName) => attempt(t, feature, { ...createRequest(t, feature, {}), key });
      const [paid, free] = [await sendAs('main'), await sendAs('free')];
      if (!paid.ok || free.ok || free.status === 429) continue;
      const message = `${describeRequest(feature)} on the free plan, which another plan allows: expected 403 with a text in detail, got ${summarize(free)}`;
      t.expect('ERROR-04', free.status === 403 && hasDetail(free), message, paid, free);
      return;
    }
    t.inconclusive('creating profiles and opening browsers is free: which features need a paid plan is open');
  },
};

const exhausted: TestCase = {
  id: 'errors/no-credits',
  title: 'A task of an organisation without credits is refused with 429',
  covers: ['ERROR-06'],
  operations: ['getUsage', 'createTask', 'listTasks', 'deleteTask'],
  keys: ['exhausted'],
  tasks: 2,
  async run(t) {
    const usage = await readUsage(t, 'exhausted');
    const credits = readCredits(usage);
    if (credits !== undefined && credits > 0)
      t.inconclusive(`the key "exhausted" has ${credits} credits left`);
    const body = { task: t.text('one-shot') };
    const task = await t.createTask(body);
    const before = await t.send('listTasks', { key: 'exhausted' });
    const refused = await t.send('createTask', { body, key: 'exhausted', takes: [429] });
    const id = readTaskId(refused);
    if (id !== undefined) t.adoptTask(refused, id, 'exhausted');
    const message = `POST /task without credits, which is accepted with credits: expected 429 with a text in detail, got ${summarize(refused)}`;
    t.expect('ERROR-06', refused.status === 429 && hasDetail(refused), message, usage, task.created, refused);
    const invalid = { ...body, custom_tools: [{ name: 'nameless' }] };
    const other = await t.send('createTask', { body: invalid, key: 'exhausted', mayBeRefused: true });
    const made = readTaskId(other);
    if (made !== undefined) t.adoptTask(other, made, 'exhausted');
    const after = await t.send('listTasks', { key: 'exhausted' });
    const listed = `GET /task after POST /task was refused, once for lack of credits and once for an invalid tool: expected no new task, got ${summarize(after)}`;
    const known = collectTaskIds(before);
    const isListed =
      !refused.ok && !other.ok && before.ok && collectTaskIds(after).some((each) => !known.includes(each));
    if (isListed) t.fail('ERROR-06', listed, before, refused, other, after);
    await t.cancel(task);
  },
};

function collectTaskIds({ r }: ApiResponse): unknown[] {
  return Array.isArray(r) ? r.map((each) => readField(each, 'id')) : [];
}

/** Concurrent requests to reach a rate limit, if it is low enough. */
const BURST = 40;
/** Minimum share of them that a limit refuses: a few may get 503 for other reasons. */
const LIMITED = 0.25;

const rate: TestCase = {
  id: 'errors/rate-limit',
  title: 'Requests beyond the rate limit are refused with 429, later ones are accepted',
  covers: ['ERROR-05'],
  operations: ['getUsage'],
  async run(t) {
    // Other clients may have reached the limit just before.
    const waitForSuccess = () =>
      readUntil(
        t,
        () => t.send('getUsage'),
        ({ ok }) => ok,
      );
    await waitForSuccess();
    const first = await sendAndCheck(t, 'ORG-04', 'getUsage');
    const requestUsage = () => t.send('getUsage', { takes: [429, 503] });
    const responses = await Promise.all(Array.from({ length: BURST }, requestUsage));
    const unavailable = responses.filter((each) => each.status === 503 && isTransient(each));
    const refused =
      responses.find(({ status }) => status >= 400 && status < 500) ??
      (unavailable.length >= BURST * LIMITED ? unavailable[0] : undefined);
    if (!refused)
      return t.inconclusive(`${BURST} concurrent requests reached no limit: the figures are open`);
    const again = await waitForSuccess();
    if (!again.ok)
      t.inconclusive(`the target does not recover from ${BURST} concurrent requests: ${summarize(again)}`);
    const message = `GET /usage ${BURST} times concurrently, where a single one gets ${first.status}: expected 429 with a text in detail for requests over the limit, got ${summarize(refused)}`;
    t.expect('ERROR-05', refused.status === 429 && hasDetail(refused), message, first, refused, again);
  },
};

export const errorCases: readonly TestCase[] = [premium, exhausted, rate];

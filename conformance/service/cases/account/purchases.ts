import { readField, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { attempt, createRequest } from '../../operations/requests.js';
import { readCredits, readPlan, restoreLater } from '../../test-case/account.js';
import { readTaskId } from '../../test-case/read-task.js';
import { describeRequest, readUntil, readUntilSettled } from '../../test-case/requests.js';
import { expectCompletion } from '../../test-case/task-steps.js';
import type { KeyName, TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { readUsage } from '../errors.js';
import { readCost } from './credits.js';

/** Features that may need a paid plan. */
const FEATURES = ['createProfile', 'openBrowserSession', 'uploadExtension'] as const;

const upgrade: TestCase = {
  id: 'errors/premium-after-upgrade',
  title: 'A feature that the free plan lacks is available once the plan has changed to one that has it',
  covers: ['ERROR-04'],
  operations: ['getUsage', 'setPlan', ...FEATURES],
  allow: 'billing',
  keys: ['free'],
  tasks: 4,
  alone: true,
  async run(t) {
    const plan = readPlan(await t.send('getUsage'));
    const old = readPlan(await readUsage(t, 'free'));
    if (plan === undefined || old === undefined || plan === old)
      return t.inconclusive(`no plans to be exchanged: ${show(plan)} and ${show(old)}`);
    const { sendAs, what, refused } = await findPremiumFeature(t);
    await changeFreePlan(t, old, plan);
    const again = await readUntilSettled(
      t,
      () => sendAs('free'),
      ({ status }) => status !== 403,
    );
    if (!again.ok && !isSameRefusal(refused, again))
      return t.inconclusive(`the response to ${what} was ${summarize(again)}`);
    const message = `${what} after the plan ${show(old)} was changed to ${show(plan)}, which allows it: expected a success, got ${summarize(again)}`;
    t.expect('ERROR-04', again.ok, message, refused, again);
  },
};

/** A request that is accepted with the main key and refused to the free plan. */
async function findPremiumFeature(t: TestContext) {
  for (const feature of FEATURES) {
    const sendAs = (key: KeyName) => attempt(t, feature, { ...createRequest(t, feature, {}), key });
    const [paid, refused] = [await sendAs('main'), await sendAs('free')];
    const isPremium = /plan|premium|upgrade|tier|paid|subscri/i.test(readDetail(refused));
    if (paid.ok && refused.status === 403 && isPremium)
      return { sendAs, what: describeRequest(feature), refused };
  }
  return t.inconclusive(
    `none of ${FEATURES.join(', ')} is refused to the free plan with 403: which features need a paid plan is open`,
  );
}

/** Changes the plan until the case ends. Ends the case if GET /usage does not show the new one: it may have to be paid first. */
async function changeFreePlan(t: TestContext, old: string, plan: string): Promise<void> {
  const setPlan = (name: string) => t.send('setPlan', { query: { plan: name }, key: 'free' });
  const setting = restoreLater(t, `the plan ${show(old)} of the key "free"`, () => setPlan(old));
  setting.isRestored = false;
  const changed = await setPlan(plan);
  setting.isRestored = !changed.ok;
  const isShown = (response: ApiResponse) => readPlan(response) === plan;
  const usage = changed.ok ? await readUntil(t, () => readUsage(t, 'free'), isShown) : changed;
  if (typeof changed.r === 'string' || !isShown(usage))
    t.inconclusive(`the plan is not changed to ${show(plan)}: ${summarize(changed)}, ${summarize(usage)}`);
}

/** If the credits for one task are not enough, at least so many and those for so many tasks are bought. */
const MORE = { credits: 100, tasks: 10 };
/** Tasks that may be needed to spend what was bought for one. */
const MOST_TASKS = 3;

const topUp: TestCase = {
  id: 'errors/credits-after-top-up',
  title: 'An organisation without credits may create tasks once it has bought some',
  covers: ['ERROR-06'],
  operations: ['getUsage', 'topUp', 'createTask', 'getTask', 'deleteTask'],
  allow: 'billing',
  keys: ['exhausted'],
  tasks: 1 + MOST_TASKS,
  alone: true,
  async run(t) {
    const had = readCredits(await readUsage(t, 'exhausted'));
    if (had === undefined || had > 0) return t.inconclusive(`the key "exhausted" has ${had} credits`);
    const body = { task: t.text('one-shot') };
    const task = await t.createTask(body);
    if (!(await expectCompletion(t, task))) return;
    const cost = readCost(task);
    if (typeof cost !== 'number' || cost <= 0)
      return t.inconclusive(`the task reports ${show(cost)} as credits_used: it cost nothing`);
    const start = () => t.send('createTask', { body, key: 'exhausted', takes: [429] });
    const refused = await start();
    let again = refused;
    let usage: ApiResponse = refused;
    // A service may require more credits than a task costs.
    for (const amount of [cost, Math.max(MORE.credits, cost * MORE.tasks)]) {
      if (again.status !== 429) break;
      usage = await buy(t, amount);
      again = await readUntilSettled(t, start, ({ status }) => status !== 429);
    }
    if (again.ok) await spend(t, again, start);
    if (refused.status !== 429 || !(again.ok || isSameRefusal(refused, again)))
      return t.inconclusive(`the responses to POST /task were ${summarize(refused)} and ${summarize(again)}`);
    const message = `POST /task after credits were bought, ${readCredits(usage)} by now: expected a task, got ${summarize(again)}`;
    t.expect('ERROR-06', again.ok, message, refused, usage, again);
  },
};

/** Returns the usage. Ends the case if that does not show the credits: they may have to be paid first. */
async function buy(t: TestContext, amount: number): Promise<ApiResponse> {
  const bought = await t.send('topUp', { query: { amount }, key: 'exhausted' });
  const isShown = (response: ApiResponse) => (readCredits(response) ?? 0) >= amount;
  const usage = bought.r === true ? await readUntil(t, () => readUsage(t, 'exhausted'), isShown) : bought;
  if (!isShown(usage)) t.inconclusive(`the balance does not grow to ${amount} credits: ${summarize(usage)}`);
  return usage;
}

/** Creates tasks until one is refused, so that the organisation is left without credits, as it was. */
async function spend(t: TestContext, first: ApiResponse, start: () => Promise<ApiResponse>): Promise<void> {
  let created = first;
  for (let tasks = 1; ; tasks++) {
    const id = readTaskId(created);
    if (id === undefined) return;
    await t.pollUntilEnd(t.adoptTask(created, id, 'exhausted'));
    const left = readCredits(await t.send('getUsage', { key: 'exhausted' })) ?? 0;
    if (tasks === MOST_TASKS || left <= 0) return;
    created = await start();
  }
}

function readDetail({ body }: ApiResponse): string {
  return String(readField(body, 'detail'));
}

/** The same status may have another reason, such as a rate limit. */
function isSameRefusal(one: ApiResponse, other: ApiResponse): boolean {
  const [first, second] = [one, other].map((response) => readDetail(response).replace(/\d+/g, '0'));
  return other.status === one.status && first === second;
}

export const purchaseCases: readonly TestCase[] = [upgrade, topUp];

import { show } from '../../../conversation/json.js';
import { type ApiRequest, type ApiResponse, summarize } from '../../http-client/response.js';
import {
  changeAndRestore,
  readCredits,
  readPlan,
  readTopUpSettings,
  type TopUpSettings,
} from '../../test-case/account.js';
import { containsText } from '../../test-case/read-record.js';
import { describeRequest, readUntil, requireSuccess, sendAndCheck } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

/** Credits to buy. A small amount could be spent by a running task, so that the balance would show nothing. */
const AMOUNT = 100;
/** Usual names of plans. None is part of another one, which could be another name of the same plan. */
const PLANS = ['growth', 'starter', 'pro', 'basic', 'team', 'business', 'enterprise'];

/** A refused payment is no finding about the service. */
function allowRefusal(
  t: TestContext,
  requirement: 'ORG-06' | 'ORG-08' | 'ORG-09',
  response: ApiResponse,
  what: string,
): void {
  if ([400, 402, 409, 422].includes(response.status))
    t.inconclusive(`${what} is refused: ${summarize(response)}`);
  requireSuccess(t, requirement, response, what);
}

const topUp: TestCase = {
  id: 'resources/top-up',
  title: 'Credits are bought twice, and the balance grows by them each time',
  covers: ['ORG-04', 'ORG-06'],
  operations: ['getUsage', 'topUp'],
  allow: 'billing',
  async run(t) {
    // A service that does not sell credits breaks ORG-06; a balance that shows only some purchases breaks ORG-04.
    if (await buyCredits(t, 'ORG-06')) await buyCredits(t, 'ORG-04');
  },
};

/** True if the balance grew. */
async function buyCredits(t: TestContext, requirement: 'ORG-04' | 'ORG-06'): Promise<boolean> {
  const before = await sendAndCheck(t, 'ORG-04', 'getUsage');
  const bought = await t.send('topUp', { query: { amount: AMOUNT } });
  allowRefusal(t, 'ORG-06', bought, `POST /topup?amount=${AMOUNT}`);
  // A text is the address of a payment page; false means that nothing was bought.
  if (bought.r !== true) return false;
  const was = readCredits(before);
  if (was === undefined) t.inconclusive(`no balance of credits to be compared in ${summarize(before)}`);
  const hasGrown = (response: ApiResponse) => (readCredits(response) ?? was) > was;
  const after = await readUntil(t, () => t.send('getUsage'), hasGrown);
  const now = readCredits(after);
  if (now === undefined || now < was) return false;
  const message = `GET /usage after ${AMOUNT} credits were bought with success: expected more than ${was}, got ${now}`;
  t.expect(requirement, now > was, message, before, bought, after);
  return now > was;
}

const autoTopUp: TestCase = {
  id: 'resources/auto-top-up',
  title: 'The automatic top-up is set, kept, defaults to 0 for omitted values, and is restored',
  covers: ['ORG-07', 'ORG-08'],
  operations: ['getAutoTopUp', 'setAutoTopUp'],
  allow: 'billing',
  async run(t) {
    const before = await sendAndCheck(t, 'ORG-07', 'getAutoTopUp');
    const old = readTopUpSettings(before);
    if (!old)
      return t.inconclusive(
        `no active, amount and threshold to restore in ${summarize(before)}, so they are not changed`,
      );
    const off: TopUpSettings = { active: false, amount: 0, threshold: 0 };
    const toRequest = (value: TopUpSettings): ApiRequest => ({
      query: value === off ? { active: false } : { ...value },
    });
    await changeAndRestore(t, {
      what: 'the automatic top-up',
      requirement: 'ORG-07',
      old,
      // A threshold that no balance is below: nothing is bought.
      values: [{ active: true, amount: AMOUNT + 37, threshold: old.threshold === 1 ? 2 : 1 }, off],
      set: (value) => t.send('setAutoTopUp', toRequest(value)),
      async judge(changed, value) {
        const what = describeRequest('setAutoTopUp', toRequest(value));
        if (changed.status === 422 && value === off) {
          const message = `${what}: expected it to be taken as with 0 for the others, got ${summarize(changed)}`;
          if ((await t.send('setAutoTopUp', { query: { ...off } })).ok) t.fail('ORG-08', message, changed);
        }
        allowRefusal(t, 'ORG-08', changed, what);
        const message = `${what}: expected ${show(value)} in r, got ${summarize(changed)}`;
        return t.expect('ORG-08', isSame(readTopUpSettings(changed), value), message, changed);
      },
      read: () => t.send('getAutoTopUp'),
      shows: (response, value) => isSame(readTopUpSettings(response), value),
      // The other parameters are valid: none of them may be applied alone.
      sendInvalid: () =>
        t.send('setAutoTopUp', { query: { active: 'perhaps', amount: 7 }, mayBeRefused: true }),
    });
  },
};

function isSame(one: TopUpSettings | undefined, other: TopUpSettings): boolean {
  return one?.active === other.active && one.amount === other.amount && one.threshold === other.threshold;
}

const plan: TestCase = {
  id: 'resources/plan',
  title: 'The plan is changed, kept, and restored',
  covers: ['ORG-09'],
  operations: ['getUsage', 'setPlan'],
  allow: 'billing',
  async run(t) {
    const before = await sendAndCheck(t, 'ORG-04', 'getUsage');
    const old = readPlan(before);
    if (old === undefined)
      return t.inconclusive(
        `no plan to restore in ${summarize(before)} (searched for plan, tier, subscription), so it is not changed`,
      );
    const setPlan = (name: string) => t.send('setPlan', { query: { plan: name } });
    const others = (await listPlans(t)).filter((name) => name.toLowerCase() !== old.toLowerCase());
    const same = await setPlan(old);
    allowRefusal(t, 'ORG-09', same, `POST /plan?plan=${old}, which is the plan there is`);
    await changeAndRestore(t, {
      what: `the plan ${show(old)}`,
      requirement: 'ORG-09',
      old,
      values: others,
      set: setPlan,
      judge(changed, value) {
        // The plan may not exist.
        if (!changed.ok) return value !== old && 'refused';
        // One change is enough.
        others.length = 0;
        // A text is the address of a payment page; a record with both plans may be that of a change at a later time.
        const hasBoth = [old, value].every((name) => containsText(changed.r, name));
        return value === old || (typeof changed.r !== 'string' && !hasBoth);
      },
      read: () => t.send('getUsage'),
      shows: (response, value) => isPlan(readPlan(response), value, old),
      // Some services accept any name (`billing.plan-names`).
      sendInvalid: () => t.send('setPlan', { query: { plan: t.unique() }, mayBeRefused: true }),
    });
  },
};

/** Plans of other accounts, as the service shows them, and usual ones. A plan for free could remove what the account has. */
async function listPlans(t: TestContext): Promise<string[]> {
  const keys = (['other', 'exhausted'] as const).filter((key) => t.has(key));
  const usages = await Promise.all(keys.map((key) => t.send('getUsage', { key })));
  const shown = usages.flatMap((usage) => readPlan(usage) ?? []);
  return [...new Set([...shown, ...PLANS])].filter((name) => !/free/i.test(name));
}

/** A plan may be shown by a longer name than that it is set with. */
function isPlan(shown: string | undefined, name: string, old: string): boolean {
  if (name === old || shown === undefined || shown === old) return shown === name;
  return shown.toLowerCase().includes(name.toLowerCase());
}

export const billingCases: readonly TestCase[] = [topUp, autoTopUp, plan];

import { asFields, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { leavesOf, mentions } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { mustSucceed, putBackLater, readUntil } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

/** Credits that are bought. One credit is little, and fewer than a running task may spend meanwhile show nothing. */
const AMOUNT = 100;
const PLANS = ['growth', 'starter', 'enterprise'];

/** The balance of API credits in the response to GET /usage; how it is called is open (`record.usage`). */
export function creditsIn({ r }: ApiResponse): number | undefined {
  const amounts = leavesOf(r).filter(({ value }) => typeof value === 'number');
  return amounts.find(({ path }) => /credit|balance/i.test(path) && !/session|browser|used/i.test(path))
    ?.value as number | undefined;
}

/** What a request about money was refused for says nothing of the service. */
function mayBeRefused(
  t: TestContext,
  requirement: 'ORG-06' | 'ORG-08' | 'ORG-09',
  response: ApiResponse,
  what: string,
): void {
  if ([400, 402, 409, 422].includes(response.status))
    t.inconclusive(`${what} is refused: ${summarize(response)}`);
  mustSucceed(t, requirement, response, what);
}

const topUp: TestCase = {
  id: 'resources/top-up',
  title: 'Credits are bought, and the balance has grown by them',
  covers: ['ORG-06'],
  operations: ['getUsage', 'topUp'],
  allow: 'billing',
  async run(t: TestContext) {
    const before = await t.send('getUsage');
    mustSucceed(t, 'ORG-04', before, 'GET /usage');
    const bought = await t.send('topUp', { query: { amount: AMOUNT } });
    mayBeRefused(t, 'ORG-06', bought, `POST /topup?amount=${AMOUNT}`);
    const was = creditsIn(before);
    // A text leads to where it is paid, and false says that nothing was bought.
    if (bought.r !== true) {
      t.expect(
        'ORG-06',
        bought.r === false || typeof bought.r === 'string',
        `POST /topup: expected true, false or a text in r, got ${summarize(bought)}`,
        bought,
      );
      return;
    }
    if (was === undefined) t.inconclusive(`no balance of credits to be compared in ${summarize(before)}`);
    const grew = (response: ApiResponse) => (creditsIn(response) ?? was) > was;
    const after = await readUntil(t, () => t.send('getUsage'), grew);
    const now = creditsIn(after);
    if (now === undefined || now < was) return;
    t.expect(
      'ORG-06',
      now > was,
      `GET /usage after ${AMOUNT} credits were bought with success: expected more than ${was}, got ${now}`,
      before,
      bought,
      after,
    );
  },
};

interface Settings {
  active: boolean;
  amount: number;
  threshold: number;
}

const autoTopUp: TestCase = {
  id: 'resources/auto-top-up',
  title: 'The automatic top-up is set, remembered, takes 0 for what is left out, and is set back',
  covers: ['ORG-07', 'ORG-08'],
  operations: ['getAutoTopUp', 'setAutoTopUp'],
  allow: 'billing',
  async run(t: TestContext) {
    const read = () => t.send('getAutoTopUp');
    const before = await read();
    mustSucceed(t, 'ORG-07', before, 'GET /topup/auto');
    const old = settingsIn(before);
    if (!old)
      t.inconclusive(
        `no active, amount and threshold to put back in ${summarize(before)}, so that they are not changed`,
      );
    const set = (settings: Partial<Settings>) => t.send('setAutoTopUp', { query: { ...settings } });
    const setting = putBackLater(t, 'settings of the automatic top-up', () => set(old));
    // A threshold that no balance is below: nothing is bought.
    const wanted: Settings = { active: true, amount: AMOUNT + 37, threshold: old.threshold === 1 ? 2 : 1 };
    for (const [sent, expected] of [
      [wanted, wanted],
      [{ active: false }, { active: false, amount: 0, threshold: 0 }],
      [old, old],
    ] as const) {
      const changed = await set(sent);
      if (changed.ok) setting.isBack = expected === old;
      if (changed.status === 422 && sent !== expected && (await set(expected)).ok) {
        const message = `POST /topup/auto with ${JSON.stringify(sent)} alone: expected it to be taken as with 0 for the others, got ${summarize(changed)}`;
        t.fail('ORG-08', message, changed);
      }
      mayBeRefused(t, 'ORG-08', changed, `POST /topup/auto with ${JSON.stringify(sent)}`);
      const now = await readUntil(t, read, (response) => isSame(settingsIn(response), expected));
      t.expect(
        'ORG-08',
        isSame(settingsIn(changed), expected),
        `POST /topup/auto with ${JSON.stringify(sent)}: expected ${JSON.stringify(expected)} in r, got ${summarize(changed)}`,
        changed,
      );
      t.expect(
        'ORG-07',
        isSame(settingsIn(now), expected),
        `GET /topup/auto after ${JSON.stringify(sent)} was set: expected ${JSON.stringify(expected)}, got ${summarize(now)}`,
        changed,
        now,
      );
    }
  },
};

/** The settings, by the names of the parameters that set them or by names that tell of them. */
function settingsIn({ r }: ApiResponse): Settings | undefined {
  const leaves = leavesOf(r);
  const active = leaves.find(
    ({ name, value }) => typeof value === 'boolean' && /activ|enabl|^on$|auto/i.test(name),
  )?.value;
  // Settings that are off may have no numbers.
  const number = (name: RegExp) => {
    const found = leaves.find((leaf) => name.test(leaf.name));
    return found && (found.value === null ? 0 : found.value);
  };
  const [amount, threshold] = [number(/amount/i), number(/threshold/i)];
  if (typeof active !== 'boolean' || typeof amount !== 'number' || typeof threshold !== 'number')
    return undefined;
  return { active, amount, threshold };
}

function isSame(one: Settings | undefined, other: Settings): boolean {
  return one?.active === other.active && one.amount === other.amount && one.threshold === other.threshold;
}

const plan: TestCase = {
  id: 'resources/plan',
  title: 'The plan is changed, remembered, and changed back',
  covers: ['ORG-09'],
  operations: ['getUsage', 'setPlan'],
  allow: 'billing',
  async run(t: TestContext) {
    const before = await t.send('getUsage');
    mustSucceed(t, 'ORG-04', before, 'GET /usage');
    const old = planIn(before);
    if (old === undefined)
      t.inconclusive(
        `no plan to put back in ${summarize(before)} (looked for plan, tier, subscription), so that it is not changed`,
      );
    const set = (name: string) => t.send('setPlan', { query: { plan: name } });
    const same = await set(old);
    const told =
      same.status === 422 ? await t.send('setPlan', { query: { plan: old, group: 'zero' } }) : undefined;
    if (told?.ok)
      t.fail(
        'ORG-09',
        `POST /plan without a group: expected it to be taken as with "zero", got ${summarize(same)}`,
        told,
        same,
      );
    mayBeRefused(t, 'ORG-09', same, `POST /plan?plan=${old}, which is the plan there is`);
    t.expect(
      'ORG-09',
      isPlan(same),
      `POST /plan: expected the record of a plan or a text in r, got ${summarize(same)}`,
      same,
    );
    const other = PLANS.find((name) => name !== old.toLowerCase())!;
    const setting = putBackLater(t, `plan ${show(old)}`, () => set(old));
    const changed = await set(other);
    setting.isBack = !changed.ok;
    // There need not be a plan of that name; a text leads to where it is paid.
    if (!changed.ok || typeof changed.r === 'string') return;
    t.expect(
      'ORG-09',
      isPlan(changed),
      `POST /plan: expected the record of a plan or a text in r, got ${summarize(changed)}`,
      changed,
    );
    const shows = (name: string) => (response: ApiResponse) => mentions(response.r, name);
    const after = await readUntil(t, () => t.send('getUsage'), shows(other));
    t.expect(
      'ORG-09',
      shows(other)(after),
      `GET /usage after the plan was changed to ${other}: expected to find it, got ${summarize(after)}`,
      before,
      changed,
      after,
    );
    const back = await set(old);
    setting.isBack = back.ok;
    if (!back.ok) return;
    const restored = await readUntil(t, () => t.send('getUsage'), shows(old));
    t.expect(
      'ORG-09',
      shows(old)(restored),
      `GET /usage: expected the plan ${old} again, got ${summarize(restored)}`,
      back,
      restored,
    );
  },
};

/** The plan in the response to GET /usage; how it is called is open (`record.usage`). */
export function planIn({ r }: ApiResponse): string | undefined {
  const plan = leavesOf(r).find(
    ({ path, value }) =>
      typeof value === 'string' && /plan|tier|subscription/i.test(path) && !/id$/i.test(path),
  )?.value as string | undefined;
  return plan === '' ? undefined : plan;
}

function isPlan({ r }: ApiResponse): boolean {
  return typeof r === 'string' || asFields(r) !== undefined;
}

export const billingCases: readonly TestCase[] = [topUp, autoTopUp, plan];

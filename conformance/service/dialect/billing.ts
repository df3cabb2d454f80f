import { asFields, show } from '../../conversation/json.js';
import { planIn } from '../cases/account/billing.js';
import type { ApiResponse } from '../http-client/response.js';
import { summarize } from '../test-case/read-task.js';
import { mustSucceed } from '../test-case/requests.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import { observe, recordOf } from './observe.js';

/** The plans of open point `billing.plan-names`. */
const FOUR = ['free', 'starter', 'growth', 'enterprise'];

/** `billing.top-up-answer`, `record.plan`, `billing.plan-names`. */
export const billing: TestCase = {
  id: 'resources/point-billing',
  title: 'How a top-up and a change of the plan are answered, and whether any text is a plan',
  covers: ['ORG-04'],
  operations: ['getUsage', 'topUp', 'setPlan'],
  allow: 'billing',
  async run(t) {
    const usage = await t.send('getUsage');
    mustSucceed(t, 'ORG-04', usage, 'GET /usage');
    t.expect(
      'ORG-04',
      Object.keys(asFields(usage.r) ?? {}).length > 0,
      `GET /usage: expected a record, got ${summarize(usage)}`,
      usage,
    );
    const bought = await t.send('topUp', { query: { amount: 1 } });
    if (bought.ok && bought.r === true) observe(t, 'billing.top-up-answer', 'boolean', bought);
    if (bought.ok && typeof bought.r === 'string') observe(t, 'billing.top-up-answer', 'url', bought);
    const plan = planIn(usage);
    if (plan !== undefined) await lookAtPlans(t, plan);
  },
};

/** The plan is set to what it is; any other that is taken is changed back. */
async function lookAtPlans(t: TestContext, plan: string): Promise<void> {
  const set = (name: string) => t.send('setPlan', { query: { plan: name } });
  const same = await set(plan);
  if (!same.ok) return;
  observe(t, 'record.plan', kindOf(same), same);
  let isBack = true;
  t.cleanup(`plan ${show(plan)}`, async () => {
    if (isBack) return;
    const answer = await set(plan);
    if (!answer.ok) throw new Error(summarize(answer));
  });
  const unknown = await set(t.unique());
  if (!unknown.ok) {
    const isRefused = [400, 404, 422].includes(unknown.status);
    if (isRefused && FOUR.includes(plan)) observe(t, 'billing.plan-names', 'four-plans', same, unknown);
    return;
  }
  isBack = false;
  observe(t, 'billing.plan-names', 'any-text', unknown);
  isBack = (await set(plan)).ok;
}

function kindOf(answer: ApiResponse): 'as-described' | 'url' | undefined {
  if (typeof answer.r === 'string') return 'url';
  return recordOf(answer) === undefined ? undefined : 'as-described';
}

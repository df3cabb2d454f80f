import { show } from '../../conversation/json.js';
import { attempt } from '../operations/requests.js';
import { readPlan, restoreLater } from '../test-case/account.js';
import { findListed } from '../test-case/read-task.js';
import { removeLater } from '../test-case/requests.js';
import type { TestContext } from '../test-case/test-context.js';
import { type Observation, observeStatus, readRecord, readText } from './observe.js';

/** The plans of open point `billing.plan-names`. */
const FOUR_PLANS = ['free', 'starter', 'growth', 'enterprise'];

export const billing: Observation = {
  id: 'resources/point-billing',
  title: 'The responses to a top-up and to a change of the plan, and which texts are plans',
  operations: ['getUsage', 'topUp', 'setPlan'],
  allow: 'billing',
  async run(t) {
    const usage = await t.send('getUsage');
    const bought = await t.send('topUp', { query: { amount: 1 } });
    if (bought.ok && bought.r === true) t.observe('billing.top-up-answer', 'boolean');
    if (bought.ok && typeof bought.r === 'string') t.observe('billing.top-up-answer', 'url');
    const plan = usage.ok ? readPlan(usage) : undefined;
    if (plan !== undefined) await observePlans(t, plan);
  },
};

/** Sets the plan to its current value; any other plan that is accepted is changed back. */
async function observePlans(t: TestContext, plan: string): Promise<void> {
  const setPlan = (name: string) => t.send('setPlan', { query: { plan: name } });
  const same = await setPlan(plan);
  if (!same.ok) return;
  const record = readRecord(same) === undefined ? undefined : 'as-described';
  t.observe('record.plan', typeof same.r === 'string' ? 'url' : record);
  const setting = restoreLater(t, `plan ${show(plan)}`, () => setPlan(plan));
  const unknown = await setPlan(t.unique());
  setting.isRestored = !unknown.ok;
  if (unknown.ok) t.observe('billing.plan-names', 'any-text');
  else if ([400, 404, 422].includes(unknown.status) && FOUR_PLANS.includes(plan))
    t.observe('billing.plan-names', 'four-plans');
}

export const invitations: Observation = {
  id: 'resources/point-invitations',
  title: 'Whether a text that is no address can be invited',
  operations: ['inviteUser'],
  allow: 'organisation',
  async run(t) {
    const invited = await t.send('inviteUser', { query: { email: `${t.unique()}@example.com` } });
    if (invited.ok) await observeStatus(t, 'org.invite-address');
  },
};

export const profiles: Observation = {
  id: 'resources/point-profiles',
  title: 'The responses for profiles that exist, have no id, or do not exist',
  operations: ['createProfile', 'listProfiles', 'deleteProfile', 'createTask'],
  tasks: 1,
  async run(t) {
    const id = t.unique();
    const created = await attempt(t, 'createProfile', { body: { id }, mayBeRefused: true });
    if (!created.ok) return;
    await observeStatus(t, 'profile.duplicate', { id }, (again) => readText(again, 'id') === id);
    await observeStatus(t, 'profile.empty-id', {}, (empty) => readText(empty, 'id') !== undefined);

    const unknown = t.unique();
    const task = await observeStatus(t, 'profile.unknown-in-task', { id: unknown });
    if (!task.ok) return;
    const list = await t.send('listProfiles');
    if (findListed(list, unknown) === undefined) return;
    removeLater(t, `profile ${unknown}`, 'deleteProfile', { path: { profile_id: unknown } });
    t.observe('profile.unknown-in-task', 'made');
  },
};

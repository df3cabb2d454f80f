import { readField, show } from '../../conversation/json.js';
import { readPlan, restoreLater } from '../test-case/account.js';
import type { TestContext } from '../test-case/test-context.js';
import { type Observation, observeResponse, readList, readRecord, readText, sendSession } from './observe.js';

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
    const name = t.unique();
    const invited = await t.send('inviteUser', { query: { email: `${name}@example.com` } });
    if (!invited.ok) return;
    const text = await t.send('inviteUser', { query: { email: name } });
    observeResponse(t, 'org.invite-address', text, [400, 422]);
  },
};

export const profiles: Observation = {
  id: 'resources/point-profiles',
  title: 'The responses for profiles that exist, have no id, or do not exist',
  operations: ['createProfile', 'listProfiles', 'deleteProfile', 'createTask'],
  tasks: 1,
  async run(t) {
    const createProfile = async (id: string) => {
      const response = await t.send('createProfile', { body: { id }, mayBeRefused: true });
      const profile_id = readText(response, 'id');
      if (response.ok) removeProfile(t, profile_id ?? id);
      return { response, profile_id };
    };
    const id = t.unique();
    const created = await createProfile(id);
    if (!created.response.ok) return;
    const again = await createProfile(id);
    if (!again.response.ok || again.profile_id === id)
      observeResponse(t, 'profile.duplicate', again.response);
    const empty = await createProfile('');
    if (!empty.response.ok || empty.profile_id !== undefined)
      observeResponse(t, 'profile.empty-id', empty.response, [400, 422]);

    const unknown = t.unique();
    const task = await sendSession(t, { profile_id: unknown });
    observeResponse(t, 'profile.unknown-in-task', task);
    if (!task.ok) return;
    const list = await t.send('listProfiles');
    if (!readList(list).some((each) => readField(each, 'id') === unknown)) return;
    removeProfile(t, unknown);
    t.observe('profile.unknown-in-task', 'made');
  },
};

function removeProfile(t: TestContext, profile_id: string): void {
  if (profile_id !== '')
    t.cleanup(`profile ${profile_id}`, () => t.send('deleteProfile', { path: { profile_id } }));
}

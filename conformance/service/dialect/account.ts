import { asFields, field, show } from '../../conversation/json.js';
import { planIn } from '../cases/account/billing.js';
import { summarize } from '../test-case/read-task.js';
import { mustSucceed } from '../test-case/requests.js';
import { putBackLater } from '../test-case/settings.js';
import type { TestCase } from '../test-case/test-case.js';
import type { TestContext } from '../test-case/test-context.js';
import {
  isRefused,
  listIn,
  observeResponse,
  observeStatus,
  recordOf,
  sendSession,
  textIn,
} from './observe.js';

/** `auth.missing-key`, `auth.invalid-key`. */
export const keys: TestCase = {
  id: 'auth/point-keys',
  title: 'What answers a request without a key, and one with a key that is not valid',
  covers: ['AUTH-05', 'AUTH-06'],
  operations: ['listTasks'],
  async run(t) {
    const query = { l: 1 };
    const known = await t.send('listTasks', { query });
    if (!known.ok) t.inconclusive(`GET /task with the key: expected a list, got ${known.status}`);
    for (const [point, requirement, key, what] of [
      ['auth.missing-key', 'AUTH-05', null, 'without a key'],
      ['auth.invalid-key', 'AUTH-06', { value: `invalid-${t.unique()}` }, 'with a made-up key'],
    ] as const) {
      const response = await t.send('listTasks', { query, key });
      observeStatus(t, point, response);
      const message = `GET /task ${what}: expected a refusal, got ${response.status}`;
      if (response.ok || isRefused(response))
        t.expect(requirement, isRefused(response), message, known, response);
    }
  },
};

/** The plans of open point `billing.plan-names`. */
const FOUR_PLANS = ['free', 'starter', 'growth', 'enterprise'];

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
    const isRecord = Object.keys(asFields(usage.r) ?? {}).length > 0;
    t.expect('ORG-04', isRecord, `GET /usage: expected a record, got ${summarize(usage)}`, usage);
    const bought = await t.send('topUp', { query: { amount: 1 } });
    if (bought.ok && bought.r === true) t.observe('billing.top-up-answer', 'boolean');
    if (bought.ok && typeof bought.r === 'string') t.observe('billing.top-up-answer', 'url');
    const plan = planIn(usage);
    if (plan !== undefined) await observePlans(t, plan);
  },
};

/** Sets the plan to what it is; any other that is accepted is changed back. */
async function observePlans(t: TestContext, plan: string): Promise<void> {
  const set = (name: string) => t.send('setPlan', { query: { plan: name } });
  const same = await set(plan);
  if (!same.ok) return;
  const record = recordOf(same) === undefined ? undefined : 'as-described';
  t.observe('record.plan', typeof same.r === 'string' ? 'url' : record);
  const setting = putBackLater(t, `plan ${show(plan)}`, () => set(plan));
  const unknown = await set(t.unique());
  if (unknown.ok) {
    setting.isBack = false;
    t.observe('billing.plan-names', 'any-text');
    setting.isBack = (await set(plan)).ok;
  } else if ([400, 404, 422].includes(unknown.status) && FOUR_PLANS.includes(plan))
    t.observe('billing.plan-names', 'four-plans');
}

/** `org.invite-address`. */
export const invitations: TestCase = {
  id: 'resources/point-invitations',
  title: 'Whether a text that is no address can be invited',
  covers: ['ORG-01'],
  operations: ['inviteUser'],
  allow: 'organisation',
  async run(t) {
    const name = t.unique();
    const invited = await t.send('inviteUser', { query: { email: `${name}@example.com` } });
    mustSucceed(t, 'ORG-01', invited, 'POST /org/user');
    const counts = Object.values(asFields(invited.r) ?? {});
    const message = `POST /org/user: expected a map to integers in r, got ${summarize(invited)}`;
    if (counts.length > 0) t.expect('ORG-01', counts.every(Number.isInteger), message, invited);
    const text = await t.send('inviteUser', { query: { email: name } });
    observeResponse(t, 'org.invite-address', text, { ok: 'any-text', invalid: 'checked' });
  },
};

/** `profile.duplicate`, `profile.empty-id`, `profile.unknown-in-task`. */
export const profiles: TestCase = {
  id: 'resources/point-profiles',
  title:
    'What becomes of a profile made twice or with an empty id, and of a task that names one that there is not',
  covers: ['PROFILE-02'],
  operations: ['createProfile', 'listProfiles', 'deleteProfile', 'createTask'],
  tasks: 1,
  async run(t) {
    const createProfile = async (id: string) => {
      const response = await t.send('createProfile', { body: { id } });
      const profile_id = textIn(response, 'id');
      const created = profile_id ?? (response.ok ? id : '');
      if (created !== '') removeProfile(t, created);
      return { response, profile_id };
    };
    const id = t.unique();
    const { response: created, profile_id } = await createProfile(id);
    if (created.status === 403) t.skip('the plan of this key has no profiles (403)');
    if (!created.ok) t.inconclusive(`POST /profile: expected a success, got ${summarize(created)}`);
    const message = `POST /profile: expected a profile with the id ${id}, got ${summarize(created)}`;
    t.expect('PROFILE-02', profile_id === id, message, created);
    const again = await createProfile(id);
    if (!again.response.ok || again.profile_id === id) observeStatus(t, 'profile.duplicate', again.response);
    const empty = await createProfile('');
    if (!empty.response.ok || empty.profile_id !== undefined)
      observeResponse(t, 'profile.empty-id', empty.response, { ok: 'generated', invalid: 'refused' });

    const unknown = t.unique();
    const { response: task } = await sendSession(t, { profile_id: unknown });
    observeResponse(t, 'profile.unknown-in-task', task, { 404: '404' });
    if (!task.ok) return;
    const list = await t.send('listProfiles');
    if (!listIn(list).some((each) => field(each, 'id') === unknown)) return;
    removeProfile(t, unknown);
    t.observe('profile.unknown-in-task', 'made');
  },
};

function removeProfile(t: TestContext, profile_id: string): void {
  t.cleanup(`profile ${profile_id}`, () => t.send('deleteProfile', { path: { profile_id } }));
}

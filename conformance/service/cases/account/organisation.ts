import { asFields, show } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { leavesOf, mentions } from '../../test-case/read-record.js';
import { summarize } from '../../test-case/read-task.js';
import { mustSucceed, putBackLater, readUntil } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';

/** Fields that may hold the name of the organisation (open point `record.organisation`). */
const NAMES = ['name', 'organisation_name', 'organization_name', 'org_name', 'display_name', 'title'];

const read: TestCase = {
  id: 'resources/organisation',
  title: 'The organisation, its balances, its plan, its top-up and its billing portal are read',
  covers: ['ORG-02', 'ORG-04', 'ORG-05', 'ORG-07'],
  operations: ['getOrganisation', 'getUsage', 'getBillingPortal', 'getAutoTopUp'],
  async run(t: TestContext) {
    const organisation = await t.send('getOrganisation');
    mustSucceed(t, 'ORG-02', organisation, 'GET /org');
    t.expect(
      'ORG-02',
      leavesOf(organisation.r).length > 0 && asFields(organisation.r) !== undefined,
      `GET /org: expected the record of the organisation in r, got ${summarize(organisation)}`,
      organisation,
    );
    const usage = await t.send('getUsage');
    mustSucceed(t, 'ORG-04', usage, 'GET /usage');
    t.expect(
      'ORG-04',
      missingIn(usage).length === 0,
      `GET /usage: expected ${missingIn(usage).join(', ')} too, got ${summarize(usage)}`,
      usage,
    );
    const settings = await t.send('getAutoTopUp');
    mustSucceed(t, 'ORG-07', settings, 'GET /topup/auto');
    t.expect(
      'ORG-07',
      leavesOf(settings.r).length > 0 && asFields(settings.r) !== undefined,
      `GET /topup/auto: expected the settings in r, got ${summarize(settings)}`,
      settings,
    );
    const portal = await t.send('getBillingPortal');
    mustSucceed(t, 'ORG-05', portal, 'GET /org/billing');
    t.expect(
      'ORG-05',
      typeof portal.r === 'string' && /^(https?:\/\/\S+|\/\S*)$/.test(portal.r),
      `GET /org/billing: expected the address of the billing portal in r, got ${summarize(portal)}`,
      portal,
    );
  },
};

/** What is not in the record of the usage: two balances, which may be unlimited and so null, and the name of a plan. */
function missingIn({ r }: ApiResponse): string[] {
  const leaves = leavesOf(r);
  const amounts = leaves.filter(
    ({ value }) => value === null || !Number.isNaN(Number.parseFloat(String(value))),
  );
  const names = leaves.filter(
    ({ value, name }) => typeof value === 'string' && !/^\d|id$|_at$/i.test(value + name),
  );
  const missing = [];
  if (asFields(r) === undefined) return ['a record in r'];
  if (amounts.length < 2) missing.push('the balances of API credits and of browser sessions');
  if (names.length < 1 && leaves.length < 3) missing.push('the name of the plan');
  if (names.length < 1 && leaves.length >= 3 && !leaves.some(({ value }) => value === null))
    missing.push('the name of the plan');
  return missing;
}

/** The name of the organisation and the field it stands in. */
export function nameIn(organisation: unknown): string | undefined {
  for (const name of NAMES) {
    const value = leavesOf(organisation).find((leaf) => leaf.name === name)?.value;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

const rename: TestCase = {
  id: 'resources/organisation-name',
  title: 'The organisation is renamed, remembers it, is nobody else’s, and gets its name back',
  covers: ['ORG-03'],
  operations: ['getOrganisation', 'updateOrganisation'],
  allow: 'organisation',
  async run(t: TestContext) {
    const before = await t.send('getOrganisation');
    mustSucceed(t, 'ORG-02', before, 'GET /org');
    const old = nameIn(before.r);
    if (old === undefined)
      t.inconclusive(
        `no name to put back in ${summarize(before)} (looked for ${NAMES.join(', ')}), so that it is not changed`,
      );
    const set = (name: string) => t.send('updateOrganisation', { query: { name } });
    const name = t.unique();
    const setting = putBackLater(t, `name of the organisation, ${show(old)}`, () => set(old));
    setting.isBack = false;
    const renamed = await set(name);
    if (!renamed.ok) setting.isBack = true;
    mustSucceed(t, 'ORG-03', renamed, `POST /org?name=${name}`);
    const shows = (value: string) => (response: ApiResponse) => nameIn(response.r) === value;
    const after = await readUntil(t, () => t.send('getOrganisation'), shows(name));
    t.expect(
      'ORG-03',
      shows(name)(after),
      `GET /org after it was renamed: expected the name "${name}", got ${summarize(after)}`,
      before,
      renamed,
      after,
    );
    if (t.has('other')) {
      const others = await t.send('getOrganisation', { key: 'other' });
      if (mentions(others.r, name))
        t.fail(
          'SERVICE-04',
          `the organisation of another key got the name too: ${summarize(others)}`,
          renamed,
          others,
        );
    }
    const back = await set(old);
    mustSucceed(t, 'ORG-03', back, 'POST /org with the name that it had');
    setting.isBack = true;
    const restored = await readUntil(t, () => t.send('getOrganisation'), shows(old));
    t.expect(
      'ORG-03',
      shows(old)(restored),
      `GET /org: expected the name ${show(old)} again, got ${summarize(restored)}`,
      back,
      restored,
    );
  },
};

const invite: TestCase = {
  id: 'resources/invitation',
  title: 'Somebody is invited to the organisation',
  covers: ['ORG-01'],
  operations: ['inviteUser'],
  allow: 'organisation',
  async run(t: TestContext) {
    const email = `${t.unique()}@example.com`;
    const invited = await t.send('inviteUser', { query: { email } });
    mustSucceed(t, 'ORG-01', invited, 'POST /org/user');
    const map = asFields(invited.r);
    const holds = map !== undefined && Object.values(map).every((value) => Number.isInteger(value));
    if (holds && Object.keys(map).length === 0)
      t.inconclusive('POST /org/user answers with a map that is empty');
    t.expect(
      'ORG-01',
      holds,
      `POST /org/user: expected a map from text to integers in r, got ${summarize(invited)}`,
      invited,
    );
  },
};

export const organisationCases: readonly TestCase[] = [read, rename, invite];

import { LOCAL_PART_ENDS, NAME_END } from '../../../common/interesting-values.js';
import { readField, show, toFields } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import {
  changeAndRestore,
  ORGANISATION_NAMES,
  PROXY_IDS,
  readOrganisationName,
  readProxy,
} from '../../test-case/account.js';
import {
  collectLeaves,
  collectMembers,
  containsText,
  findRecord,
  readId,
  readPayload,
} from '../../test-case/read-record.js';
import { describeRequest, requireFollowUp, requireSuccess, sendAndCheck } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';

const isFilledRecord = ({ r }: ApiResponse) => toFields(r) !== undefined && collectLeaves(r).length > 0;

/** Reads of the account, and their required content. */
const READS = [
  ['getOrganisation', 'ORG-02', 'GET /org: expected the record of the organisation in r', isFilledRecord],
  ['getAutoTopUp', 'ORG-07', 'GET /topup/auto: expected the settings in r', isFilledRecord],
  [
    'getBillingPortal',
    'ORG-05',
    'GET /org/billing: expected the address of the billing portal in r',
    ({ r }: ApiResponse) => typeof r === 'string' && /^(https?:\/\/\S+|\/\S*)$/.test(r),
  ],
] as const;

const read: TestCase = {
  id: 'resources/organisation',
  title: 'The organisation, its balances, its plan, its top-up and its billing portal are read',
  covers: ['ORG-02', 'ORG-04', 'ORG-05', 'ORG-07'],
  operations: ['getOrganisation', 'getUsage', 'getBillingPortal', 'getAutoTopUp'],
  async run(t) {
    const usage = await sendAndCheck(t, 'ORG-04', 'getUsage');
    const missing = listMissing(usage);
    const message = `GET /usage: expected ${missing.join(', ')} too, got ${summarize(usage)}`;
    t.expect('ORG-04', missing.length === 0, message, usage);
    for (const [operation, requirement, expected, holds] of READS) {
      const response = await sendAndCheck(t, requirement, operation);
      t.expect(requirement, holds(response), `${expected}, got ${summarize(response)}`, response);
    }
  },
};

/** Missing parts of the usage record: two balances (null if unlimited), and the name of a plan. */
function listMissing({ r }: ApiResponse): string[] {
  if (toFields(r) === undefined) return ['a record in r'];
  const leaves = collectLeaves(r);
  const amounts = leaves.filter(
    ({ value }) => value === null || !Number.isNaN(Number.parseFloat(String(value))),
  );
  const isNamed = leaves.some(
    ({ value, name }) => typeof value === 'string' && !/^\d|id$|_at$/i.test(value + name),
  );
  // With three fields or more, a null may be the missing plan.
  const isWithout = leaves.length >= 3 && leaves.some(({ value }) => value === null);
  return [
    ...(amounts.length < 2 ? ['the balances of API credits and of browser sessions'] : []),
    ...(isNamed || isWithout ? [] : ['the name of the plan']),
  ];
}

const rename: TestCase = {
  id: 'resources/organisation-name',
  title: 'The organisation is renamed, keeps the name, no other one gets it, and the old name is restored',
  covers: ['ORG-03'],
  operations: ['getOrganisation', 'updateOrganisation'],
  allow: 'organisation',
  async run(t) {
    const before = await sendAndCheck(t, 'ORG-02', 'getOrganisation');
    const old = readOrganisationName(before);
    if (old === undefined)
      return t.inconclusive(
        `no name to restore in ${summarize(before)} (searched for ${ORGANISATION_NAMES.join(', ')}), so it is not changed`,
      );
    await changeAndRestore(t, {
      what: `the name of the organisation, ${show(old)},`,
      requirement: 'ORG-03',
      old,
      values: [t.unique(), t.unique() + NAME_END],
      set: (name) =>
        t.send('updateOrganisation', { query: { name }, ...(isUnusual(name) && { mayBeRefused: true }) }),
      async judge(changed, name) {
        // The bounds of names are not stated.
        if (isUnusual(name) && !changed.ok && changed.status !== 500) return 'refused';
        requireSuccess(t, 'ORG-03', changed, `POST /org?name=${name}`);
        if (name === old || !t.has('other')) return true;
        const others = await t.send('getOrganisation', { key: 'other' });
        const message = `the organisation of another key got the name too: ${summarize(others)}`;
        if (containsText(others.r, name)) t.fail('SERVICE-04', message, changed, others);
        return true;
      },
      read: () => t.send('getOrganisation'),
      shows: (response, name) => readOrganisationName(response) === name,
      sendInvalid: () => t.send('updateOrganisation', { mayBeRefused: true }),
    });
  },
};

const isUnusual = (name: string) => name.endsWith(NAME_END);

const invitation: TestCase = {
  id: 'resources/invitation',
  title: 'A service that responds to an invitation with its address does so whatever address that is',
  covers: ['ORG-01'],
  operations: ['inviteUser'],
  allow: 'organisation',
  async run(t) {
    const invite = async (end: string) => {
      const email = `${t.unique()}${end}@example.com`;
      const invited = await t.send('inviteUser', { query: { email }, ...(end && { mayBeRefused: true }) });
      const addresses = Object.keys(toFields(invited.r) ?? {}).map((each) => each.toLowerCase());
      return { email, invited, isShown: addresses.includes(email.toLowerCase()) };
    };
    const plain = await invite('');
    requireSuccess(t, 'ORG-01', plain.invited, 'POST /org/user');
    // What the map contains is not stated.
    if (!plain.isShown)
      t.inconclusive(`${summarize(plain.invited)} does not have the address ${plain.email}`);
    for (const end of LOCAL_PART_ENDS) {
      const { email, invited, isShown } = await invite(end);
      const message = `POST /org/user with the email ${show(email)}: expected that address in r, as for ${plain.email}, got ${summarize(invited)}`;
      if (invited.ok) t.expect('ORG-01', isShown, message, plain.invited, invited);
    }
  },
};

const listProxyIds = (response: ApiResponse) =>
  collectMembers(readPayload(response)).flatMap((row) => readId(row, PROXY_IDS) ?? []);

const renewal: TestCase = {
  id: 'resources/proxy-renewal',
  title: 'The renewal of a proxy is switched, kept and switched back, and that of another one stays',
  covers: ['PROXY-02'],
  operations: ['listProxies', 'updateProxy'],
  allow: 'billing',
  async run(t) {
    const before = await sendAndCheck(t, 'PROXY-01', 'listProxies');
    const proxy = readProxy(before);
    if (proxy === undefined)
      return t.inconclusive(
        `no proxy with an id and auto_renew is assigned: GET /proxy gave ${summarize(before)}`,
      );
    const { proxy_id, auto_renew: old } = proxy;
    const toRequest = (auto_renew: boolean) => ({ path: { proxy_id }, query: { auto_renew } });
    const readRenewal = (response: ApiResponse, id: string) =>
      readField(findRecord(readPayload(response), PROXY_IDS, id), 'auto_renew');
    const other = listProxyIds(before).find((id) => id !== proxy_id);
    await changeAndRestore(t, {
      what: `the renewal of proxy ${proxy_id}`,
      requirement: 'PROXY-02',
      old,
      values: [!old],
      set: (value) => t.send('updateProxy', toRequest(value)),
      async judge(changed, value) {
        const what = describeRequest('updateProxy', toRequest(value));
        requireFollowUp(t, 'PROXY-02', changed, what);
        const message = `${what}: expected the proxy with that, got ${summarize(changed)}`;
        const isIt =
          findRecord(changed.r, PROXY_IDS, proxy_id) !== undefined &&
          readField(changed.r, 'auto_renew') === value;
        t.expect('PROXY-02', isIt, message, changed);
        if (other === undefined) return true;
        const listed = await t.send('listProxies');
        const untouched = `the renewal of proxy ${other} after that of ${proxy_id} was set: expected it as before, got ${summarize(listed)}`;
        const [was, is] = [before, listed].map((response) => readRenewal(response, other));
        if (is !== undefined && is !== was) t.fail('PROXY-02', untouched, before, changed, listed);
        return true;
      },
      read: () => t.send('listProxies'),
      shows: (response, value) => readRenewal(response, proxy_id) === value,
      sendInvalid: () => t.send('updateProxy', { path: { proxy_id }, mayBeRefused: true }),
    });
  },
};

export const organisationCases: readonly TestCase[] = [read, rename, invitation, renewal];

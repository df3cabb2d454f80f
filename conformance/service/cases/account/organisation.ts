import { asFields, field, show } from '../../../conversation/json.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import {
  changeAndPutBack,
  ORGANISATION_NAMES,
  organisationNameIn,
  PROXY_IDS,
  proxyIn,
} from '../../test-case/account.js';
import { leavesOf, mentions, payloadOf, recordOf } from '../../test-case/read-record.js';
import { carryOut, describeRequest, mustFollow, mustSucceed } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';

const isFilledRecord = ({ r }: ApiResponse) => asFields(r) !== undefined && leavesOf(r).length > 0;

/** What is read of the account, and what has to be in it. */
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
    const usage = await carryOut(t, 'ORG-04', 'getUsage');
    const missing = missingIn(usage);
    const message = `GET /usage: expected ${missing.join(', ')} too, got ${summarize(usage)}`;
    t.expect('ORG-04', missing.length === 0, message, usage);
    for (const [operation, requirement, expected, holds] of READS) {
      const response = await carryOut(t, requirement, operation);
      t.expect(requirement, holds(response), `${expected}, got ${summarize(response)}`, response);
    }
  },
};

/** What is not in the record of the usage: two balances, which may be unlimited and so null, and the name of a plan. */
function missingIn({ r }: ApiResponse): string[] {
  if (asFields(r) === undefined) return ['a record in r'];
  const leaves = leavesOf(r);
  const amounts = leaves.filter(
    ({ value }) => value === null || !Number.isNaN(Number.parseFloat(String(value))),
  );
  const isNamed = leaves.some(
    ({ value, name }) => typeof value === 'string' && !/^\d|id$|_at$/i.test(value + name),
  );
  // Of three fields or more one may be the plan that there is none of.
  const isWithout = leaves.length >= 3 && leaves.some(({ value }) => value === null);
  return [
    ...(amounts.length < 2 ? ['the balances of API credits and of browser sessions'] : []),
    ...(isNamed || isWithout ? [] : ['the name of the plan']),
  ];
}

const rename: TestCase = {
  id: 'resources/organisation-name',
  title: 'The organisation is renamed, remembers it, is nobody else’s, and gets its name back',
  covers: ['ORG-03'],
  operations: ['getOrganisation', 'updateOrganisation'],
  allow: 'organisation',
  async run(t) {
    const before = await carryOut(t, 'ORG-02', 'getOrganisation');
    const old = organisationNameIn(before);
    if (old === undefined)
      return t.inconclusive(
        `no name to put back in ${summarize(before)} (looked for ${ORGANISATION_NAMES.join(', ')}), so that it is not changed`,
      );
    await changeAndPutBack(t, {
      what: `the name of the organisation, ${show(old)},`,
      requirement: 'ORG-03',
      old,
      values: [t.unique()],
      set: (name) => t.send('updateOrganisation', { query: { name } }),
      async judge(changed, name) {
        mustSucceed(t, 'ORG-03', changed, `POST /org?name=${name}`);
        if (name === old || !t.has('other')) return true;
        const others = await t.send('getOrganisation', { key: 'other' });
        const message = `the organisation of another key got the name too: ${summarize(others)}`;
        if (mentions(others.r, name)) t.fail('SERVICE-04', message, changed, others);
        return true;
      },
      read: () => t.send('getOrganisation'),
      shows: (response, name) => organisationNameIn(response) === name,
    });
  },
};

const renewal: TestCase = {
  id: 'resources/proxy-renewal',
  title: 'The renewal of a proxy is switched, remembered and switched back',
  covers: ['PROXY-02'],
  operations: ['listProxies', 'updateProxy'],
  allow: 'billing',
  async run(t) {
    const before = await carryOut(t, 'PROXY-01', 'listProxies');
    const proxy = proxyIn(before);
    if (proxy === undefined)
      return t.inconclusive(
        `no proxy with an id and auto_renew is assigned: GET /proxy gave ${summarize(before)}`,
      );
    const { proxy_id, auto_renew: old } = proxy;
    const sending = (auto_renew: boolean) => ({ path: { proxy_id }, query: { auto_renew } });
    await changeAndPutBack(t, {
      what: `the renewal of proxy ${proxy_id}`,
      requirement: 'PROXY-02',
      old,
      values: [!old],
      set: (value) => t.send('updateProxy', sending(value)),
      judge(changed, value) {
        const what = describeRequest('updateProxy', sending(value));
        mustFollow(t, 'PROXY-02', changed, what);
        const message = `${what}: expected the proxy with that, got ${summarize(changed)}`;
        const isIt =
          recordOf(changed.r, PROXY_IDS, proxy_id) !== undefined && field(changed.r, 'auto_renew') === value;
        t.expect('PROXY-02', isIt, message, changed);
        return true;
      },
      read: () => t.send('listProxies'),
      shows: (response, value) =>
        field(recordOf(payloadOf(response), PROXY_IDS, proxy_id), 'auto_renew') === value,
    });
  },
};

export const organisationCases: readonly TestCase[] = [read, rename, renewal];

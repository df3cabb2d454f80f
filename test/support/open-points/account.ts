import { parseUrl } from '../../../spec/addresses.js';
import { listDescribedFields, listFields, type PointCases } from './case.js';
import type { PointClient } from './client.js';

const isAddress = (text: string) => text.startsWith('http') && parseUrl(text) !== undefined;
const fetchCredits = async (client: PointClient) => (await client.send('GET', '/usage')).r.credits;
const fetchPlan = async (client: PointClient) => (await client.send('GET', '/usage')).r.plan;

/** Billing, plans and users of an organisation. */
export const account: PointCases = {
  'record.plan': {
    async observe(client) {
      const seen = [];
      for (const plan of ['starter', 'free']) {
        const { r } = await client.send('POST', `/plan?plan=${plan}`);
        seen.push(typeof r === 'string' ? isAddress(r) : listFields(r), await fetchPlan(client));
      }
      return seen;
    },
    expected: {
      'as-described': [
        listDescribedFields('IBillingPlan'),
        'starter',
        listDescribedFields('IBillingPlan'),
        'free',
      ],
      url: [true, 'starter', true, 'free'],
    },
  },
  'billing.plan-names': {
    async observe(client) {
      const statuses = [];
      for (const plan of ['free', 'starter', 'growth', 'enterprise&group=any', 'gold'])
        statuses.push(await client.sendForStatus('POST', `/plan?plan=${plan}`));
      const last = await fetchPlan(client);
      return [...statuses, last, (await client.send('POST', '/plan?plan=free&group=mine')).r.group];
    },
    expected: {
      'four-plans': [200, 200, 200, 200, 400, 'enterprise', 'mine'],
      'any-text': [200, 200, 200, 200, 200, 'gold', 'mine'],
    },
  },
  'billing.top-up': {
    async observe(client) {
      const readCredits = async () => (await client.send('GET', '/usage')).r.credits;
      const before = await readCredits();
      const { r } = await client.send('POST', '/topup?amount=1');
      const refused = [];
      for (const amount of [0, -1])
        refused.push(await client.sendForStatus('POST', `/topup?amount=${amount}`));
      return [r, ...refused, (await readCredits()) - before];
    },
    expected: { positive: [true, 400, 400, 1] },
  },
  'billing.top-up-answer': {
    async observe(client) {
      const before = await fetchCredits(client);
      const { r } = await client.send('POST', '/topup?amount=5');
      return [r === true || isAddress(r), typeof r, (await fetchCredits(client)) - before];
    },
    expected: { boolean: [true, 'boolean', 5], url: [true, 'string', 5] },
  },
  'billing.auto-top-up-amounts': {
    async observe(client) {
      const statuses = [];
      for (const query of ['amount=0', 'amount=1000000000', 'amount=-1', 'threshold=-1', 'amount=1000000001'])
        statuses.push(await client.sendForStatus('POST', `/topup/auto?active=false&${query}`));
      return statuses;
    },
    expected: { bounded: [200, 200, 400, 400, 400] },
  },
  'billing.credits-per-plan': {
    async observe(client) {
      const balances = [];
      for (const plan of ['growth', 'starter', 'enterprise', 'free']) {
        await client.send('POST', `/plan?plan=${plan}`);
        const { credits, browser_sessions } = (await client.send('GET', '/usage')).r;
        balances.push([credits, browser_sessions]);
      }
      return balances;
    },
    expected: {
      none: [
        [100_000, 100],
        [100_000, 100],
        [100_000, 100],
        [100_000, 0],
      ],
    },
  },
  'org.invite-body': {
    async observe(client) {
      const invite = async (email: string) => (await client.send('POST', `/org/user?email=${email}`)).r;
      return [await invite('a@b.c'), await invite('a@b.c'), await invite('d@b.c')];
    },
    expected: { 'by-address': [{ 'a@b.c': 1 }, { 'a@b.c': 2 }, { 'd@b.c': 1 }] },
  },
  'org.invite-address': {
    async observe(client) {
      const statuses = [];
      for (const email of ['a@b', 'a.b@c.example', 'nobody', '@b', 'a@b@c', 'a%20b@c', ''])
        statuses.push(await client.sendForStatus('POST', `/org/user?email=${email}`));
      return statuses;
    },
    expected: {
      checked: [200, 200, 400, 400, 400, 400, 400],
      'any-text': [200, 200, 200, 200, 200, 200, 200],
    },
  },
  'org.empty-names': {
    async observe(client) {
      const headers = await client.createWorkspace();
      const tool = { name: '', description: '', inputs: {}, output: '' };
      return [
        await client.sendForStatus('POST', '/org?name='),
        await client.sendForStatus('POST', '/org?name=%20'),
        await client.sendForStatus('POST', '/automation', { name: '', task: '' }, { headers }),
        await client.sendForStatus('POST', '/sop', { title: '', content: '' }, { headers }),
        await client.sendForStatus('POST', '/task/zero', { task: '', title: '' }, { headers }),
        await client.sendForStatus('POST', '/task', { task: '', custom_tools: [tool] }),
      ];
    },
    expected: { 'all-but-organisation': [400, 400, 200, 200, 200, 200] },
  },
};

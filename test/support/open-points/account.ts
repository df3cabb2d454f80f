import { type Cases, described, fieldsOf } from './case.js';
import type { Client } from './client.js';

const isAddress = (text: string) => text.startsWith('http') && URL.canParse(text);
const creditsOf = async (client: Client) => (await client.send('GET', '/usage')).r.credits;
const planOf = async (client: Client) => (await client.send('GET', '/usage')).r.plan;

/** Money, plans and people of an organisation. */
export const account: Cases = {
  'record.plan': {
    async see(client) {
      const seen = [];
      for (const plan of ['starter', 'free']) {
        const { r } = await client.send('POST', `/plan?plan=${plan}`);
        seen.push(typeof r === 'string' ? isAddress(r) : fieldsOf(r), await planOf(client));
      }
      return seen;
    },
    seen: {
      'as-described': [described('IBillingPlan'), 'starter', described('IBillingPlan'), 'free'],
      url: [true, 'starter', true, 'free'],
    },
  },
  'billing.plan-names': {
    async see(client) {
      const statuses = [];
      for (const plan of ['free', 'starter', 'growth', 'enterprise&group=any', 'gold'])
        statuses.push(await client.status('POST', `/plan?plan=${plan}`));
      const last = await planOf(client);
      return [...statuses, last, (await client.send('POST', '/plan?plan=free&group=mine')).r.group];
    },
    seen: {
      'four-plans': [200, 200, 200, 200, 400, 'enterprise', 'mine'],
      'any-text': [200, 200, 200, 200, 200, 'gold', 'mine'],
    },
  },
  'billing.top-up': {
    async see(client) {
      const credits = async () => (await client.send('GET', '/usage')).r.credits;
      const before = await credits();
      const { r } = await client.send('POST', '/topup?amount=1');
      const refused = [];
      for (const amount of [0, -1]) refused.push(await client.status('POST', `/topup?amount=${amount}`));
      return [r, ...refused, (await credits()) - before];
    },
    seen: { positive: [true, 400, 400, 1] },
  },
  'billing.top-up-answer': {
    async see(client) {
      const before = await creditsOf(client);
      const { r } = await client.send('POST', '/topup?amount=5');
      return [r === true || isAddress(r), typeof r, (await creditsOf(client)) - before];
    },
    seen: { boolean: [true, 'boolean', 5], url: [true, 'string', 5] },
  },
  'billing.auto-top-up-amounts': {
    async see(client) {
      const statuses = [];
      for (const query of ['amount=0', 'amount=1000000000', 'amount=-1', 'threshold=-1', 'amount=1000000001'])
        statuses.push(await client.status('POST', `/topup/auto?active=false&${query}`));
      return statuses;
    },
    seen: { bounded: [200, 200, 400, 400, 400] },
  },
  'billing.credits-per-plan': {
    async see(client) {
      const balances = [];
      for (const plan of ['growth', 'starter', 'enterprise', 'free']) {
        await client.send('POST', `/plan?plan=${plan}`);
        const { credits, browser_sessions } = (await client.send('GET', '/usage')).r;
        balances.push([credits, browser_sessions]);
      }
      return balances;
    },
    seen: {
      none: [
        [100_000, 100],
        [100_000, 100],
        [100_000, 100],
        [100_000, 0],
      ],
    },
  },
  'org.invite-body': {
    async see(client) {
      const invite = async (email: string) => (await client.send('POST', `/org/user?email=${email}`)).r;
      return [await invite('a@b.c'), await invite('a@b.c'), await invite('d@b.c')];
    },
    seen: { 'by-address': [{ 'a@b.c': 1 }, { 'a@b.c': 2 }, { 'd@b.c': 1 }] },
  },
  'org.invite-address': {
    async see(client) {
      const statuses = [];
      for (const email of ['a@b', 'a.b@c.example', 'nobody', '@b', 'a@b@c', 'a%20b@c', ''])
        statuses.push(await client.status('POST', `/org/user?email=${email}`));
      return statuses;
    },
    seen: {
      checked: [200, 200, 400, 400, 400, 400, 400],
      'any-text': [200, 200, 200, 200, 200, 200, 200],
    },
  },
  'org.empty-names': {
    async see(client) {
      const headers = await client.workspace();
      const tool = { name: '', description: '', inputs: {}, output: '' };
      return [
        await client.status('POST', '/org?name='),
        await client.status('POST', '/org?name=%20'),
        await client.status('POST', '/automation', { name: '', task: '' }, { headers }),
        await client.status('POST', '/sop', { title: '', content: '' }, { headers }),
        await client.status('POST', '/task/zero', { task: '', title: '' }, { headers }),
        await client.status('POST', '/task', { task: '', custom_tools: [tool] }),
      ];
    },
    seen: { 'all-but-organisation': [400, 400, 200, 200, 200, 200] },
  },
};

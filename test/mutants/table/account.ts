import type { Mutant } from '../mutant.js';
import { undone } from '../operators/forget.js';
import { answers, errors, lists, mutant, requests } from '../operators/make.js';
import { refusal, Told } from '../operators/told.js';

/** The organisation, what it has and what it pays. */
export const accountMutants: readonly Mutant[] = [
  mutant(
    'invite-without-email-accepted',
    'ERROR-01',
    'An invitation without an email is accepted.',
    errors('inviteUser', (told) => (told.status === 422 ? new Told(200, { r: {} }) : undefined)),
  ),
  mutant(
    'invite-map-of-texts',
    'ORG-01',
    'The map in the answer to an invitation holds texts.',
    answers('inviteUser', (told) => {
      told.r = Object.fromEntries(Object.keys(told.record).map((name) => [name, 'https://invite.test/1']));
    }),
  ),
  mutant(
    'invite-a-link',
    'ORG-01',
    'An invitation is answered with a link.',
    answers('inviteUser', (told) => {
      told.r = 'https://invite.test/1';
    }),
  ),
  mutant(
    'organisation-a-text',
    'ORG-02',
    'GET /org is answered with the name of the organisation.',
    answers('getOrganisation', (told) => {
      told.r = told.record.name;
    }),
  ),
  mutant(
    'organisation-a-list',
    'ORG-02',
    'GET /org is answered with a list of organisations.',
    answers('getOrganisation', (told) => {
      told.r = [told.record];
    }),
  ),
  mutant(
    'organisation-500',
    'ORG-02',
    'GET /org is answered with 500.',
    requests('getOrganisation', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'credits-never-consumed',
    'SERVICE-05',
    'What tasks cost is not taken from the balance of credits.',
    () => {
      const accounts = new Map<string | undefined, { last: number; refunded: number }>();
      return async (asked, next) => {
        const told = await next(asked);
        const { credits } = told.record;
        if (!asked.is('getUsage') || typeof credits !== 'number') return told;
        const account = accounts.get(asked.key) ?? { last: credits, refunded: 0 };
        account.refunded += Math.max(0, account.last - credits);
        account.last = credits;
        accounts.set(asked.key, account);
        told.record.credits = credits + account.refunded;
        return told;
      };
    },
  ),
  mutant(
    'proxies-without-auto-renew',
    'PROXY-01',
    'A proxy does not tell whether it is renewed.',
    lists('listProxies', (list) => list.map(({ auto_renew: _, ...proxy }) => proxy)),
  ),
  mutant(
    'proxy-renewal-in-words',
    'PROXY-02',
    'A proxy that was changed tells its renewal in words.',
    answers('updateProxy', (told) => {
      told.record.auto_renew = told.record.auto_renew ? 'monthly' : 'off';
    }),
  ),
  mutant(
    'rename-forgotten',
    'ORG-03',
    'A new name of the organisation is accepted and forgotten.',
    requests('updateOrganisation', (asked) =>
      asked.query.get('name') && asked.key !== undefined ? new Told(200, { r: true }) : undefined,
    ),
  ),
  mutant(
    'rename-without-name',
    'ERROR-01',
    'A change of the organisation without a name is accepted.',
    errors('updateOrganisation', (told) => (told.status === 422 ? new Told(200, { r: true }) : undefined)),
  ),
  mutant(
    'usage-a-number',
    'ORG-04',
    'GET /usage is answered with a number.',
    answers('getUsage', (told) => {
      told.r = told.record.credits;
    }),
  ),
  mutant(
    'usage-without-plan',
    'ORG-04',
    'The usage does not tell the plan.',
    answers('getUsage', (told) => {
      const { plan: _, ...rest } = told.record;
      told.r = rest;
    }),
  ),
  mutant(
    'usage-without-balances',
    'ORG-04',
    'The usage does not tell the balances.',
    answers('getUsage', (told) => {
      told.r = { plan: told.record.plan };
    }),
  ),
  mutant(
    'usage-needs-input',
    'ORG-04',
    'GET /usage is refused without a month.',
    requests('getUsage', (asked) =>
      asked.query.has('month') ? undefined : refusal(422, 'month is required'),
    ),
  ),
  mutant(
    'portal-an-object',
    'ORG-05',
    'The address of the billing portal stands in an object.',
    answers('getBillingPortal', (told) => {
      told.r = { url: told.r };
    }),
  ),
  mutant(
    'portal-null',
    'ORG-05',
    'The address of the billing portal is null.',
    answers('getBillingPortal', (told) => {
      told.r = null;
    }),
  ),
  mutant(
    'topup-a-number',
    'ORG-06',
    'A top-up is answered with the new balance.',
    answers('topUp', (told) => {
      told.r = 1200;
    }),
  ),
  mutant(
    'topup-text-accepted',
    'ERROR-01',
    'A top-up of an amount that is no integer is accepted.',
    requests('topUp', (asked) => {
      const amount = asked.query.get('amount');
      return amount !== null && !/^-?\d+$/.test(amount) && asked.key ? new Told(200, { r: true }) : undefined;
    }),
  ),
  mutant(
    'auto-topup-a-boolean',
    'ORG-07',
    'GET /topup/auto is answered with a boolean.',
    answers('getAutoTopUp', (told) => {
      told.r = told.record.active;
    }),
  ),
  mutant(
    'auto-topup-null',
    'ORG-07',
    'GET /topup/auto is answered with null.',
    answers('getAutoTopUp', (told) => {
      told.r = null;
    }),
  ),
  mutant(
    'auto-topup-forgotten',
    'ORG-07',
    'The automatic top-up is set in words only.',
    undone('setAutoTopUp', (asked) => {
      asked.query.set('active', asked.query.get('active') === 'true' ? 'false' : 'true');
      asked.query.set('amount', '7');
      asked.query.set('threshold', '3');
    }),
  ),
  mutant(
    'auto-topup-amount-required',
    'ORG-08',
    'The automatic top-up is refused without an amount.',
    requests('setAutoTopUp', (asked) =>
      asked.query.has('amount') ? undefined : refusal(422, 'amount is required'),
    ),
  ),
  mutant(
    'auto-topup-without-active',
    'ERROR-01',
    'The automatic top-up can be set without active.',
    errors('setAutoTopUp', (told, asked) =>
      told.status === 422 && !asked.query.has('active')
        ? new Told(200, { r: { active: false, amount: 0, threshold: 0 } })
        : undefined,
    ),
  ),
  mutant(
    'auto-topup-answers-true',
    'ORG-08',
    'A change of the automatic top-up is answered with true.',
    answers('setAutoTopUp', (told) => {
      told.r = true;
    }),
  ),
  mutant(
    'plan-a-list',
    'ORG-09',
    'A change of plan is answered with a list.',
    answers('setPlan', (told) => {
      told.r = [told.record];
    }),
  ),
  mutant(
    'plan-without-plan',
    'ERROR-01',
    'A change of plan without a plan is accepted.',
    errors('setPlan', (told, asked) =>
      told.status === 422 && !asked.query.has('plan')
        ? new Told(200, { r: 'https://pay.test/1' })
        : undefined,
    ),
  ),
  mutant(
    'plan-group-required',
    'ORG-09',
    'A change of plan without a group is refused.',
    requests('setPlan', (asked) =>
      asked.query.has('group') ? undefined : refusal(422, 'group is required'),
    ),
  ),
  mutant(
    'proxies-an-object',
    'PROXY-01',
    'The list of proxies is an object.',
    answers('listProxies', (told) => {
      told.r = { proxies: told.r };
    }),
  ),
  mutant(
    'proxies-500',
    'PROXY-01',
    'The list of proxies is answered with 500.',
    requests('listProxies', () => refusal(500, 'Internal error.')),
  ),
  mutant(
    'proxy-renewal-forgotten',
    'PROXY-02',
    'The renewal of a proxy is set in words only.',
    undone('updateProxy', (asked) => {
      asked.query.set('auto_renew', asked.query.get('auto_renew') === 'true' ? 'false' : 'true');
    }),
  ),
  mutant(
    'proxy-renewal-not-shown',
    'PROXY-02',
    'The answer to a change of a proxy has no auto_renew.',
    answers('updateProxy', (told) => {
      delete told.record.auto_renew;
    }),
  ),
  mutant(
    'proxy-renewal-missing',
    'ERROR-01',
    'A change of a proxy without auto_renew is accepted.',
    errors('updateProxy', (told, asked) =>
      told.status === 422 && !asked.query.has('auto_renew')
        ? new Told(200, { r: { id: asked.path.get('proxy_id'), auto_renew: false } })
        : undefined,
    ),
  ),
  mutant(
    'proxy-answers-true',
    'PROXY-02',
    'A change of a proxy is answered with true.',
    answers('updateProxy', (told) => {
      told.r = true;
    }),
  ),
  mutant(
    'proxy-ids-numbers',
    'PROXY-02',
    'The ids of proxies are not those that the path accepts.',
    lists('listProxies', (list) => list.map((proxy) => ({ ...proxy, id: `${proxy.id}-x` }))),
  ),
];

import type { Mutant } from '../mutant.js';
import { undone } from '../operators/forget.js';
import { answers, lists, mutant, requests } from '../operators/make.js';
import { refusal, Told } from '../operators/told.js';

/** The organisation, what it has and what it pays. */
export const accountMutants: readonly Mutant[] = [
  mutant(
    'invite-map-of-texts',
    'ORG-01',
    'The map in the answer to an invitation holds texts.',
    answers('inviteUser', (told) => {
      told.r = Object.fromEntries(Object.keys(told.record).map((name) => [name, 'https://invite.test/1']));
    }),
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
    'plan-group-required',
    'ORG-09',
    'A change of plan without a group is refused.',
    requests('setPlan', (asked) =>
      asked.query.has('group') ? undefined : refusal(422, 'group is required'),
    ),
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
    'proxy-ids-numbers',
    'PROXY-02',
    'The ids of proxies are not those that the path accepts.',
    lists('listProxies', (list) => list.map((proxy) => ({ ...proxy, id: `${proxy.id}-x` }))),
  ),
];

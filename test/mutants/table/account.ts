import type { Mutant } from '../mutant.js';
import { undo } from '../operators/forget.js';
import { changeLists, changeRequests, changeResponses, mutant } from '../operators/make.js';
import { createRefusal, MutantResponse } from '../operators/mutant-response.js';

/** The organisation, what it has and what it pays. */
export const accountMutants: readonly Mutant[] = [
  mutant(
    'invite-map-of-texts',
    'ORG-01',
    'The map in the answer to an invitation holds texts.',
    changeResponses('inviteUser', (response) => {
      response.r = Object.fromEntries(
        Object.keys(response.record).map((name) => [name, 'https://invite.test/1']),
      );
    }),
  ),
  mutant(
    'credits-never-consumed',
    'SERVICE-05',
    'What tasks cost is not taken from the balance of credits.',
    () => {
      const accounts = new Map<string | undefined, { last: number; refunded: number }>();
      return async (request, next) => {
        const response = await next(request);
        const { credits } = response.record;
        if (!request.is('getUsage') || typeof credits !== 'number') return response;
        const account = accounts.get(request.key) ?? { last: credits, refunded: 0 };
        account.refunded += Math.max(0, account.last - credits);
        account.last = credits;
        accounts.set(request.key, account);
        response.record.credits = credits + account.refunded;
        return response;
      };
    },
  ),
  mutant(
    'proxies-without-auto-renew',
    'PROXY-01',
    'A proxy does not tell whether it is renewed.',
    changeLists('listProxies', (list) => list.map(({ auto_renew: _, ...proxy }) => proxy)),
  ),
  mutant(
    'proxy-renewal-in-words',
    'PROXY-02',
    'A proxy that was changed tells its renewal in words.',
    changeResponses('updateProxy', (response) => {
      response.record.auto_renew = response.record.auto_renew ? 'monthly' : 'off';
    }),
  ),
  mutant(
    'rename-forgotten',
    'ORG-03',
    'A new name of the organisation is accepted and forgotten.',
    changeRequests('updateOrganisation', (request) =>
      request.query.get('name') && request.key !== undefined
        ? new MutantResponse(200, { r: true })
        : undefined,
    ),
  ),
  mutant(
    'usage-without-plan',
    'ORG-04',
    'The usage does not tell the plan.',
    changeResponses('getUsage', (response) => {
      const { plan: _, ...rest } = response.record;
      response.r = rest;
    }),
  ),
  mutant(
    'usage-without-balances',
    'ORG-04',
    'The usage does not tell the balances.',
    changeResponses('getUsage', (response) => {
      response.r = { plan: response.record.plan };
    }),
  ),
  mutant(
    'usage-needs-input',
    'ORG-04',
    'GET /usage is refused without a month.',
    changeRequests('getUsage', (request) =>
      request.query.has('month') ? undefined : createRefusal(422, 'month is required'),
    ),
  ),
  mutant(
    'auto-topup-forgotten',
    'ORG-07',
    'The automatic top-up is set in words only.',
    undo('setAutoTopUp', (request) => {
      request.query.set('active', request.query.get('active') === 'true' ? 'false' : 'true');
      request.query.set('amount', '7');
      request.query.set('threshold', '3');
    }),
  ),
  mutant(
    'auto-topup-amount-required',
    'ORG-08',
    'The automatic top-up is refused without an amount.',
    changeRequests('setAutoTopUp', (request) =>
      request.query.has('amount') ? undefined : createRefusal(422, 'amount is required'),
    ),
  ),
  mutant(
    'plan-group-required',
    'ORG-09',
    'A change of plan without a group is refused.',
    changeRequests('setPlan', (request) =>
      request.query.has('group') ? undefined : createRefusal(422, 'group is required'),
    ),
  ),
  mutant(
    'proxy-renewal-forgotten',
    'PROXY-02',
    'The renewal of a proxy is set in words only.',
    undo('updateProxy', (request) => {
      request.query.set('auto_renew', request.query.get('auto_renew') === 'true' ? 'false' : 'true');
    }),
  ),
  mutant(
    'proxy-renewal-not-shown',
    'PROXY-02',
    'The answer to a change of a proxy has no auto_renew.',
    changeResponses('updateProxy', (response) => {
      delete response.record.auto_renew;
    }),
  ),
  mutant(
    'proxy-ids-numbers',
    'PROXY-02',
    'The ids of proxies are not those that the path accepts.',
    changeLists('listProxies', (list) => list.map((proxy) => ({ ...proxy, id: `${proxy.id}-x` }))),
  ),
];

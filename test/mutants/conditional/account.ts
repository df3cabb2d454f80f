import type { ConditionalMutant } from '../mutant.js';
import { conditional } from '../operators/conditional.js';
import { type MutantResponse, refusal } from '../operators/mutant-response.js';

/** The organisation, what it pays, its proxies, and telemetry. */
export const conditionalAccountMutants: readonly ConditionalMutant[] = [
  conditional(
    'invite-of-plus-422',
    'ORG-01',
    'value',
    'The invitation of an address with a plus is refused.',
    {
      of: 'inviteUser',
      when: ({ query }) => query.get('email')?.includes('+') === true,
      response: () => refusal(422, 'email: no address'),
    },
  ),
  conditional(
    'organisation-name-in-ascii',
    'ORG-03',
    'value',
    'What is not ASCII in a new name of the organisation is replaced by question marks.',
    {
      of: 'updateOrganisation',
      request: ({ query }) => {
        const name = query.get('name');
        if (name !== null) query.set('name', name.replace(/[^\x20-\x7e]/gu, '?'));
      },
    },
  ),
  conditional(
    'organisation-name-cut',
    'ORG-03',
    'bound',
    'A new name of the organisation ends after 40 characters.',
    {
      of: 'updateOrganisation',
      request: ({ query }) => {
        const name = query.get('name');
        if (name !== null) query.set('name', name.slice(0, 40));
      },
    },
  ),
  conditional(
    'organisation-read-stays-old',
    'ORG-03',
    'order',
    'The organisation is shown as it was read before for a minute.',
    {
      of: 'getOrganisation',
      response: (_, request, past) =>
        past
          .done(request, 'getOrganisation')
          .find(({ at }) => past.now() - at < 60_000)
          ?.response.copy(),
    },
  ),
  conditional(
    'second-top-up-not-shown',
    'ORG-04',
    'n-th request',
    'The balance of credits lacks what top-ups after the first have bought.',
    {
      of: 'getUsage',
      response: ({ record }, request, past) => {
        const later = past.done(request, 'topUp').slice(1);
        const bought = later.reduce((sum, each) => sum + Number(each.request.query.get('amount')), 0);
        if (typeof record.credits === 'number') record.credits -= bought;
      },
    },
  ),
  conditional(
    'usage-read-beside-task-stays',
    'SERVICE-05',
    'order',
    'The usage read while a task runs is shown for a minute more.',
    () => {
      const kept = new Map<unknown, { response: MutantResponse; until: number }>();
      return {
        of: 'getUsage',
        response: (response, request, past) => {
          const old = kept.get(request.key);
          if (old && past.now() < old.until) return old.response.copy();
          if (past.running(request).length > 0)
            kept.set(request.key, { response: response.copy(), until: past.now() + 60_000 });
          return undefined;
        },
      };
    },
  ),
  conditional(
    'threshold-left-out-kept',
    'ORG-08',
    'parameters together',
    'A threshold that is left out beside an amount stays as it was.',
    {
      of: 'setAutoTopUp',
      when: ({ query }) => query.has('amount') && !query.has('threshold'),
      request: (request, past) => {
        const { threshold } =
          past.done(request, 'setAutoTopUp', 'getAutoTopUp').at(-1)?.response.record ?? {};
        if (typeof threshold === 'number') request.query.set('threshold', String(threshold));
      },
    },
  ),
  conditional(
    'amount-of-inactive-0',
    'ORG-08',
    'parameters together',
    'The amount of an automatic top-up that is not active becomes 0.',
    {
      of: 'setAutoTopUp',
      when: ({ query }) => query.get('active') === 'false',
      request: ({ query }) => query.set('amount', '0'),
    },
  ),
  conditional(
    'first-auto-top-up-shown',
    'ORG-07',
    'n-th request',
    'The settings of the automatic top-up that are shown are those of its first change.',
    {
      of: 'getAutoTopUp',
      response: (_, request, past) => past.done(request, 'setAutoTopUp').at(0)?.response.copy(),
    },
  ),
  conditional(
    'plan-group-kept',
    'ORG-09',
    'parameters together',
    'A group that is left out is that of the last change of the plan.',
    {
      of: 'setPlan',
      when: ({ query }) => !query.has('group'),
      request: (request, past) => {
        const last = past.done(request, 'setPlan').findLast((each) => each.request.query.has('group'));
        if (last) request.query.set('group', last.request.query.get('group')!);
      },
    },
  ),
  conditional('same-plan-null', 'ORG-09', 'n-th request', 'A change to the plan that there is gets null.', {
    of: 'setPlan',
    when: (request, past) =>
      past.done(request, 'setPlan').at(-1)?.request.query.get('plan') === request.query.get('plan'),
    response: (response) => {
      response.r = null;
    },
  }),
  conditional(
    'usage-names-first-plan',
    'ORG-09',
    'n-th request',
    'The usage names the plan of the first change after a second one.',
    {
      of: 'getUsage',
      response: ({ record }, request, past) => {
        const first = past.done(request, 'setPlan').at(0);
        if (first) record.plan = first.request.query.get('plan');
      },
    },
  ),
  conditional(
    'billing-portal-again',
    'ORG-05',
    'n-th request',
    'The second address of the billing portal is null.',
    {
      of: 'getBillingPortal',
      when: (request, past) => past.done(request, 'getBillingPortal').length > 0,
      response: (response) => {
        response.r = null;
      },
    },
  ),
  conditional(
    'first-proxy-changed',
    'PROXY-02',
    'several things',
    'The change of a proxy is made to the first of the list.',
    {
      of: 'updateProxy',
      request: async (request, _, forward) => {
        const ids = (await forward(request.other('GET', '/proxy'))).list.map(({ id }) => String(id));
        if (
          !ids.includes(request.path.get('proxy_id')!) ||
          !/^(true|false)$/.test(request.query.get('auto_renew') ?? '')
        )
          return undefined;
        return forward(request.other('PATCH', `/proxy/${encodeURIComponent(ids[0]!)}?${request.query}`));
      },
    },
  ),
  conditional(
    'renewal-off-not-shown',
    'PROXY-01',
    'value',
    'A proxy that is not renewed has no auto_renew.',
    {
      of: 'listProxies',
      response: ({ list }) => {
        for (const proxy of list) if (proxy.auto_renew === false) delete proxy.auto_renew;
      },
    },
  ),
  conditional(
    'same-renewal-toggles',
    'PROXY-02',
    'n-th request',
    'Setting the renewal that a proxy was set to before sets the other one.',
    {
      of: 'updateProxy',
      when: (request, past) =>
        past.about(request, 'updateProxy').at(-1)?.request.query.get('auto_renew') ===
        request.query.get('auto_renew'),
      request: ({ query }) => query.set('auto_renew', String(query.get('auto_renew') !== 'true')),
    },
  ),
  conditional(
    'telemetry-twice-the-same-409',
    'TELEMETRY-01',
    'several things',
    'A batch of telemetry with two events of one name is refused.',
    {
      of: 'sendTelemetry',
      when: ({ json: { events } }) => {
        const names = Array.isArray(events) ? events.map((each) => each?.event) : [];
        return new Set(names).size < names.length;
      },
      response: () => refusal(409, 'The same event is there twice.'),
    },
  ),
  conditional(
    'telemetry-emoji-500',
    'TELEMETRY-01',
    'value',
    'Telemetry with a character beyond the basic plane gets 500.',
    {
      of: 'sendTelemetry',
      when: ({ json }) => /[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(json)),
      request: () => refusal(500),
    },
  ),
];

import type { ConditionalMutant } from '../mutant.js';
import { conditionalMutant } from '../operators/conditional.js';
import { createRefusal, type MutantResponse } from '../operators/mutant-response.js';

/** The organisation, what it pays, its proxies, and telemetry. */
export const conditionalAccountMutants: readonly ConditionalMutant[] = [
  conditionalMutant(
    'invite-of-plus-422',
    'ORG-01',
    'value',
    'The invitation of an address with a plus is refused.',
    {
      of: 'inviteUser',
      when: ({ query }) => query.get('email')?.includes('+') === true,
      response: () => createRefusal(422, 'email: no address'),
    },
  ),
  conditionalMutant(
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
  conditionalMutant(
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
  conditionalMutant(
    'organisation-read-stays-old',
    'ORG-03',
    'order',
    'The organisation is shown as it was read before for a minute.',
    {
      of: 'getOrganisation',
      response: (_, request, past) =>
        past
          .listSucceeded(request, 'getOrganisation')
          .find(({ at }) => past.now() - at < 60_000)
          ?.response.copy(),
    },
  ),
  conditionalMutant(
    'second-top-up-not-shown',
    'ORG-04',
    'n-th request',
    'The balance of credits lacks what top-ups after the first have bought.',
    {
      of: 'getUsage',
      response: ({ record }, request, past) => {
        const later = past.listSucceeded(request, 'topUp').slice(1);
        const bought = later.reduce((sum, each) => sum + Number(each.request.query.get('amount')), 0);
        if (typeof record.credits === 'number') record.credits -= bought;
      },
    },
  ),
  conditionalMutant(
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
          if (past.listRunning(request).length > 0)
            kept.set(request.key, { response: response.copy(), until: past.now() + 60_000 });
          return undefined;
        },
      };
    },
  ),
  conditionalMutant(
    'threshold-left-out-kept',
    'ORG-08',
    'parameters together',
    'A threshold that is left out beside an amount stays as it was.',
    {
      of: 'setAutoTopUp',
      when: ({ query }) => query.has('amount') && !query.has('threshold'),
      request: (request, past) => {
        const { threshold } =
          past.listSucceeded(request, 'setAutoTopUp', 'getAutoTopUp').at(-1)?.response.record ?? {};
        if (typeof threshold === 'number') request.query.set('threshold', String(threshold));
      },
    },
  ),
  conditionalMutant(
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
  conditionalMutant(
    'first-auto-top-up-shown',
    'ORG-07',
    'n-th request',
    'The settings of the automatic top-up that are shown are those of its first change.',
    {
      of: 'getAutoTopUp',
      response: (_, request, past) => past.listSucceeded(request, 'setAutoTopUp').at(0)?.response.copy(),
    },
  ),
  conditionalMutant(
    'plan-group-kept',
    'ORG-09',
    'parameters together',
    'A group that is left out is that of the last change of the plan.',
    {
      of: 'setPlan',
      when: ({ query }) => !query.has('group'),
      request: (request, past) => {
        const last = past
          .listSucceeded(request, 'setPlan')
          .findLast((each) => each.request.query.has('group'));
        if (last) request.query.set('group', last.request.query.get('group')!);
      },
    },
  ),
  conditionalMutant(
    'same-plan-null',
    'ORG-09',
    'n-th request',
    'A change to the plan that there is gets null.',
    {
      of: 'setPlan',
      when: (request, past) =>
        past.listSucceeded(request, 'setPlan').at(-1)?.request.query.get('plan') ===
        request.query.get('plan'),
      response: (response) => {
        response.r = null;
      },
    },
  ),
  conditionalMutant(
    'usage-names-first-plan',
    'ORG-09',
    'n-th request',
    'The usage names the plan of the first change after a second one.',
    {
      of: 'getUsage',
      response: ({ record }, request, past) => {
        const first = past.listSucceeded(request, 'setPlan').at(0);
        if (first) record.plan = first.request.query.get('plan');
      },
    },
  ),
  conditionalMutant(
    'billing-portal-again',
    'ORG-05',
    'n-th request',
    'The second address of the billing portal is null.',
    {
      of: 'getBillingPortal',
      when: (request, past) => past.listSucceeded(request, 'getBillingPortal').length > 0,
      response: (response) => {
        response.r = null;
      },
    },
  ),
  conditionalMutant(
    'first-proxy-changed',
    'PROXY-02',
    'several things',
    'The change of a proxy is made to the first of the list.',
    {
      of: 'updateProxy',
      request: async (request, _, forward) => {
        const ids = (await forward(request.derive('GET', '/proxy'))).list.map(({ id }) => String(id));
        if (
          !ids.includes(request.path.get('proxy_id')!) ||
          !/^(true|false)$/.test(request.query.get('auto_renew') ?? '')
        )
          return undefined;
        return forward(request.derive('PATCH', `/proxy/${encodeURIComponent(ids[0]!)}?${request.query}`));
      },
    },
  ),
  conditionalMutant(
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
  conditionalMutant(
    'same-renewal-toggles',
    'PROXY-02',
    'n-th request',
    'Setting the renewal that a proxy was set to before sets the other one.',
    {
      of: 'updateProxy',
      when: (request, past) =>
        past.listAbout(request, 'updateProxy').at(-1)?.request.query.get('auto_renew') ===
        request.query.get('auto_renew'),
      request: ({ query }) => query.set('auto_renew', String(query.get('auto_renew') !== 'true')),
    },
  ),
  conditionalMutant(
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
      response: () => createRefusal(409, 'The same event is there twice.'),
    },
  ),
  conditionalMutant(
    'telemetry-emoji-500',
    'TELEMETRY-01',
    'value',
    'Telemetry with a character beyond the basic plane gets 500.',
    {
      of: 'sendTelemetry',
      when: ({ json }) => /[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(json)),
      request: () => createRefusal(500),
    },
  ),
];

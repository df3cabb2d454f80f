import * as s from '../../spec/json-schema/build-schema.js';
import { quote } from '../../spec/show.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import type { RuleChangeInput } from '../control/mock-network.js';
import { AdminError, readBodyJson, readBodyText, toWire } from './admin-request.js';
import { type AdminCall, type AdminRoutes, KEY } from './route.js';

const CHANGE = s.fields(
  {
    enabled: s.optional(s.bool),
    rule: s.optional({ anyOf: [s.text, s.object], 'x-expected': 'a rule, as text or object' }),
    again: s.optional({ const: true, 'x-expected': 'true' }),
    before: s.optional(s.orNull(s.name())),
  },
  true,
) as s.SchemaOf<unknown> as s.SchemaOf<RuleChangeInput>;

/** The operations of the admin API on network rules. */
export const NETWORK_ROUTES = {
  'GET /network': {
    about:
      'The network rules, and how often each has fired; without a key also "for_all": what each new organisation starts with.',
    query: KEY,
    run: viewNetwork,
  },
  'PUT /network': {
    about:
      'Replaces the network rules: YAML or JSON in the form of a network file, or shorthand ("delay 200ms").',
    query: KEY,
    run: async (call) => {
      await call.target.network.set(readBodyText(call.request), call.key);
      return viewNetwork(call);
    },
  },
  'DELETE /network': {
    about: 'Removes all network rules, or one (?id=); held requests are released.',
    query: [...KEY, 'id'],
    run: (call) => {
      call.target.network.clear(call.key, call.query.id);
      return viewNetwork(call);
    },
  },
  'POST /network': {
    about:
      'Adds network rules to those that exist, in the same forms. ?count=together: "times" counts all organisations together; ?task=: only requests of this task.',
    query: [...KEY, 'task', 'count'],
    run: async (call) => {
      const { task, count } = call.query;
      if (count !== undefined && count !== 'together' && count !== 'each')
        throw new AdminError(422, `count: expected each or together, got ${quote(count)}.`);
      await call.target.network.add(readBodyText(call.request), call.key, {
        task,
        count: count === 'together' ? count : undefined,
      });
      return viewNetwork(call);
    },
  },
  'PATCH /network': {
    about:
      'Changes a rule (?id=): {"enabled": false} switches it off, {"rule": ...} puts another in its place, {"again": true} starts its counters at 0, {"before": "rule-2"} moves it (null: last).',
    query: [...KEY, 'id'],
    run: async (call) => {
      const { id } = call.query;
      if (id === undefined)
        throw new AdminError(422, 'id: give the id of the rule, as GET /network lists it.');
      await call.target.network.change(id, readBodyJson(call.request, CHANGE), call.key);
      return viewNetwork(call);
    },
  },
  'GET /network/why': {
    about:
      'Why each rule acted or did not, or one (?id=): the condition that the nearest request did not meet.',
    query: [...KEY, 'id'],
    run: ({ target, key, query }) => ({ rules: toWire(target.network.explain(key, query.id)) }),
  },
  'GET /network/verbs': {
    about: 'What network rules can do: each verb with its fields as JSON Schemas.',
    run: async () => (await import('./network-verbs.js')).describeVerbs(),
  },
} satisfies AdminRoutes<ControlledMock>;

function viewNetwork({ target, key }: AdminCall<ControlledMock>) {
  return {
    network: toWire(target.network.list(key)),
    ...(key === undefined && { for_all: target.network.forAll() }),
  };
}

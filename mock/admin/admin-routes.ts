import { anything, fields, list, name, object, optional } from '../../spec/json-schema/build-schema.js';
import type { ClockChange } from '../control/clock-change.js';
import type { MockState } from '../control/state.js';
import type { Mock } from '../mock.js';
import { describeProblem } from '../options/invalid-file.js';
import type { WireRequest } from '../pipeline/wire.js';
import { serviceOf } from '../service.js';
import { AdminError, bodyJson, bodyText, readCount } from './admin-request.js';
import { toWire } from './to-wire.js';

/** The parts of an admin request that all routes share. */
export interface AdminCall<T = Mock> {
  /** The mock or replay. */
  target: T;
  request: WireRequest;
  query: Readonly<Record<string, string>>;
  /** The values of `{…}` in the path. */
  values: readonly string[];
  /** From the query or the header `apikey`; undefined means all organisations. */
  key: string | undefined;
}

export interface AdminRoute<T = Mock> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/__admin`. */
  path: string;
  /** Description in one line. */
  about: string;
  query?: readonly string[];
  run: (call: AdminCall<T>) => unknown;
}

const KEY = ['key'] as const;
const names = list(name());

/** Every operation of the admin API, in the order in which they are listed. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/health',
    about: 'Health: the seed, and how many organisations, tasks and exchanges the mock holds.',
    run: ({ target }) => toWire(target.health()),
  },
  {
    method: 'POST',
    path: '/reset',
    about: 'Resets one organisation ({"key": "..."}, or ?key=), or the whole mock.',
    query: KEY,
    run: (call) => {
      const body = bodyJson(call.request, fields({ key: optional(name()) }, true), {}) as { key?: string };
      const key = body.key ?? call.key;
      call.target.reset(key);
      return { reset: key === undefined ? 'all' : 'one organisation' };
    },
  },
  {
    method: 'GET',
    path: '/clock',
    about: 'Time and mode of the clock of each organisation, and when the next event is due.',
    query: KEY,
    run: ({ target, key }) => ({ clocks: toWire(target.clock.view(key)) }),
  },
  {
    method: 'POST',
    path: '/clock',
    about:
      '{"advance": "5m"}, {"to": "next"} or {"to": ms}; "speed", "pause": true or false, "mode": real, manual or skipping.',
    query: KEY,
    run: async ({ target, request, key }) => {
      const change = bodyJson(request, object) as ClockChange;
      return { clocks: toWire(await target.clock.set(change, key)) };
    },
  },
  {
    method: 'GET',
    path: '/scenarios',
    about: 'Every scenario that a task can follow, your own first.',
    run: async ({ target }) => ({ scenarios: await target.scenarios.list() }),
  },
  {
    method: 'POST',
    path: '/scenarios',
    about:
      'Adds a scenario: YAML, or JSON (one object, or a list) in the form of a scenario file; ?name= names it.',
    query: ['name'],
    run: (call) => addScenarios(call),
  },
  {
    method: 'POST',
    path: '/scenarios/next',
    about: '{"name": "tool-calls/..."} or {"names": [...]}: the next tasks follow these scenarios, one each.',
    query: KEY,
    run: async ({ target, request, key }) => {
      const shape = fields({ name: optional(name()), names: optional(names) }, true);
      const body = bodyJson(request, shape) as { name?: string; names?: string[] };
      if ((body.name === undefined) === (body.names === undefined)) {
        throw new AdminError(422, 'The body does not fit: expected either name or names.');
      }
      return { queued: await target.scenarios.queue(body.name ?? body.names!, key) };
    },
  },
  {
    method: 'GET',
    path: '/network',
    about: 'The network rules, and how often each has fired.',
    query: KEY,
    run: ({ target, key }) => ({ network: toWire(target.network.list(key)) }),
  },
  {
    method: 'PUT',
    path: '/network',
    about:
      'Replaces the network rules: YAML or JSON in the form of a network file, or shorthand ("delay 200ms").',
    query: KEY,
    run: async ({ target, request, key }) => ({
      network: toWire(await target.network.set(bodyText(request), key)),
    }),
  },
  {
    method: 'DELETE',
    path: '/network',
    about: 'Removes all network rules, or one (?id=); held requests are released.',
    query: ['key', 'id'],
    run: ({ target, key, query }) => ({ network: toWire(target.network.clear(key, query.id)) }),
  },
  {
    method: 'GET',
    path: '/journal',
    about: 'Exchanges, oldest first: ?task=, ?kind= (create, poll, reply, ...), ?since= (seq), ?limit=.',
    query: ['key', 'task', 'kind', 'since', 'limit'],
    run: ({ target, key, query: { task, kind, since, limit } }) => ({
      exchanges: target.journal({
        ...(key === undefined ? {} : { key }),
        ...(task === undefined ? {} : { task }),
        ...(kind === undefined ? {} : { kind }),
        since: readCount('since', since),
        limit: readCount('limit', limit),
      }),
    }),
  },
  {
    method: 'GET',
    path: '/tasks/{id}',
    about: 'The state of a task: its scenario, what its timelines wait for, its calls, actions and gates.',
    run: ({ target, values }) => toWire(target.task(values[0]!)),
  },
  {
    method: 'POST',
    path: '/tasks/{id}/steps',
    about: 'Runs a service step now: {"service": "finish", "status": "failed"}.',
    run: async ({ target, request, values }) =>
      toWire(await target.injectStep(values[0]!, bodyJson(request, object))),
  },
  {
    method: 'GET',
    path: '/gates',
    about: 'Open gates, and gates that steps or requests wait for.',
    query: KEY,
    run: ({ target, key }) => ({ gates: toWire(target.gates(key)) }),
  },
  {
    method: 'POST',
    path: '/gates',
    about: 'Opens a gate: {"name": "go"}; for one task with "task".',
    query: KEY,
    run: ({ target, request, key }) => {
      const shape = fields({ name: name(), task: optional(name()) }, true);
      const body = bodyJson(request, shape) as { name: string; task?: string };
      const where = {
        ...(body.task === undefined ? {} : { task: body.task }),
        ...(key === undefined ? {} : { key }),
      };
      return { gates: toWire(target.openGate(body.name, where)) };
    },
  },
  {
    method: 'GET',
    path: '/state',
    about: 'A snapshot of the mock. It contains API keys: protect it like them.',
    query: KEY,
    run: ({ target, key }) => target.snapshot(key),
  },
  {
    method: 'PUT',
    path: '/state',
    about:
      'Restores a snapshot: of the whole mock (organisations opened since are removed), or of one organisation (others stay).',
    run: async ({ target, request }) => {
      const state = bodyJson(request, anything);
      await target.restore(state as MockState);
      return { restored: (state as { organisations: unknown[] }).organisations.length };
    },
  },
  {
    method: 'GET',
    path: '/findings',
    about: 'Findings of the rules about the clients so far.',
    query: KEY,
    run: async ({ target, key }) => {
      await serviceOf(target).options.judge?.ready?.();
      return { findings: target.findings(key) };
    },
  },
];

async function addScenarios({ target, request, query }: AdminCall): Promise<unknown> {
  const text = bodyText(request);
  const isJson = /^\s*[[{]/.test(text);
  const input = isJson ? (bodyJson(request, anything) as object) : text;
  const { added, problems } = await target.scenarios.add(input, query.name);
  if (problems.length === 0) return { added };
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more, see problems)`;
  throw new AdminError(422, describeProblem(problems[0]!) + more, { problems });
}

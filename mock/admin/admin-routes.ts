import { describeProblem } from '../../scenarios/format/invalid-file.js';
import { anything, fields, list, name, object, optional } from '../../spec/json-schema/build-schema.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import type { MockState } from '../control/state.js';
import { summarizeTask, type TaskSummary, viewRuns } from '../control/views.js';
import type { WireRequest } from '../exchange/wire.js';
import { getService } from '../service.js';
import { AdminError, RawResponse, readBodyJson, readBodyText, readCount, toWire } from './admin-request.js';
import type { StreamSource } from './stream/live-stream.js';
import { createStreamResponse } from './stream/stream-response.js';

interface AdminCall<T> {
  target: T;
  request: WireRequest;
  query: Readonly<Record<string, string>>;
  /** The value of `{id}` in the path, not decoded. */
  values: readonly string[];
  /** From the query or the header `apikey`; undefined means all organisations. */
  key: string | undefined;
}

export interface AdminRoute<T> {
  about: string;
  query?: readonly string[];
  run: (call: AdminCall<T>) => unknown;
}

/** Keyed by method and path below `/__admin`: `GET /tasks/{id}`. */
export type AdminRoutes<T> = Readonly<Record<string, AdminRoute<T>>>;

/** Query parameters that select an organisation: by API key or by name. */
export const KEY = ['key', 'organisation'] as const;

/** Every operation of the admin API, in the order in which they are listed. */
const ROUTES = {
  'GET /health': {
    about: 'Health: the seed, and how many organisations, tasks and exchanges the mock holds.',
    run: ({ target }) => toWire(target.health()),
  },
  'POST /reset': {
    about: 'Resets one organisation ({"key": "..."}, or ?key=), or the whole mock.',
    query: KEY,
    run: (call) => {
      const { key = call.key } = readBodyJson(call.request, fields({ key: optional(name()) }, true), {});
      call.target.reset(key);
      return { reset: key === undefined ? 'all' : 'one organisation' };
    },
  },
  'GET /clock': {
    about: 'Time and mode of the clock of each organisation, and when the next event is due.',
    query: KEY,
    run: ({ target, key }) => ({ clocks: toWire(target.clock.view(key)) }),
  },
  'POST /clock': {
    about:
      '{"advance": "5m"}, {"to": "next"} or {"to": ms}; "speed", "pause": true or false, "mode": real, manual or skipping.',
    query: KEY,
    run: async ({ target, request, key }) => {
      const change = readBodyJson(request, object);
      return { clocks: toWire(await target.clock.set(change, key)) };
    },
  },
  'GET /scenarios': {
    about: 'Every scenario that a task can follow, your own first.',
    run: async ({ target }) => ({ scenarios: await target.scenarios.list() }),
  },
  'POST /scenarios': {
    about:
      'Adds a scenario: YAML, or JSON (one object, or a list) in the form of a scenario file; ?name= names it.',
    query: ['name'],
    run: (call) => addScenarios(call),
  },
  'GET /scenarios/preview': {
    about: 'A scenario as YAML and as the lines of a sequence diagram: ?name=.',
    query: ['name'],
    run: ({ target, query }) => target.scenarios.preview(query.name ?? ''),
  },
  'POST /scenarios/next': {
    about: '{"name": "tool-calls/..."} or {"names": [...]}: the next tasks follow these scenarios, one each.',
    query: KEY,
    run: async ({ target, request, key }) => {
      const shape = fields({ name: optional(name()), names: optional(list(name())) }, true);
      const { name: one, names } = readBodyJson(request, shape);
      if ((one === undefined) === (names === undefined))
        throw new AdminError(422, 'The body does not fit: expected either name or names.');
      return { queued: await target.scenarios.queue(one ?? names!, key) };
    },
  },
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
    about: 'Adds network rules to those that exist, in the same forms.',
    query: KEY,
    run: async (call) => {
      await call.target.network.add(readBodyText(call.request), call.key);
      return viewNetwork(call);
    },
  },
  'GET /network/verbs': {
    about: 'What network rules can do: each verb with its fields as JSON Schemas.',
    run: async () => (await import('./network-verbs.js')).describeVerbs(),
  },
  'GET /journal': {
    about: 'Exchanges, oldest first: ?task=, ?kind= (create, poll, reply, ...), ?since= (seq), ?limit=.',
    query: [...KEY, 'task', 'kind', 'since', 'limit'],
    run: ({ target, key, query: { task, kind, since, limit } }) => ({
      exchanges: target.journal({
        key,
        task,
        kind,
        since: readCount('since', since),
        limit: readCount('limit', limit),
      }),
    }),
  },
  'POST /exchanges/{id}/send': {
    about:
      'Sends a recorded request again with its own API key: {id} is its seq; ?organisation= or ?key= selects its journal.',
    query: KEY,
    run: (call) => ({ seq: sendAgain(call) }),
  },
  'GET /tasks': {
    about: 'Tasks, newest first, with status, title and scenario: ?limit= (200), ?before= (a task id).',
    query: [...KEY, 'limit', 'before'],
    run: (call) => listTasks(call),
  },
  'GET /stream': {
    about:
      'Server-sent events: exchange, task, clock, network, gates, finding. ?from= or Last-Event-ID continues an earlier stream.',
    query: ['from'],
    run: (call) => {
      const { target } = call;
      const { organisations, options } = getService(target);
      const source: StreamSource = {
        listOrganisations: () => organisations.values(),
        findTask: (organisation, id, before) => {
          const task = organisation.tasks.get(id);
          return task && summarizeTask(task, before);
        },
        prepareFindings: () => options.judge?.ready?.(),
        listFindings: ({ key }) => target.findings(key),
      };
      return createStreamResponse(source, call);
    },
  },
  'GET /tasks/{id}': {
    about: 'The state of a task: its scenario, what its timelines wait for, its calls, actions and gates.',
    run: ({ target, values }) => toWire(target.task(values[0]!)),
  },
  'GET /tasks/{id}/runs': {
    about: 'Only what the timelines of a task wait for.',
    run: ({ target, values }) => ({
      runs: toWire(viewRuns(getService(target).organisations.requireTask(values[0]!))),
    }),
  },
  'GET /tasks/{id}/scenario': {
    about:
      'The conversation so far as a scenario file, in YAML. Only the command "taskdouble mock" writes it.',
    run: async ({ target, values }) => {
      const id = decodeURIComponent(values[0]!);
      target.task(id);
      const written = await getService(target).options.writeScenario?.(target.journal({ task: id }));
      if (!written) throw new AdminError(404, 'This mock was created without writeScenario.');
      if ('problem' in written) throw new AdminError(422, written.problem);
      const headers = { 'content-type': 'application/yaml; charset=utf-8' };
      return new RawResponse({ status: 200, headers, body: written.yaml });
    },
  },
  'POST /tasks/{id}/steps': {
    about: 'Runs a service step now: {"service": "finish", "status": "failed"}.',
    run: async ({ target, request, values }) =>
      toWire(await target.injectStep(values[0]!, readBodyJson(request, object))),
  },
  'GET /gates': {
    about: 'Open gates, and gates that steps or requests wait for.',
    query: KEY,
    run: ({ target, key }) => ({ gates: toWire(target.gates(key)) }),
  },
  'POST /gates': {
    about: 'Opens a gate: {"name": "go"}; for one task with "task".',
    query: KEY,
    run: ({ target, request, key }) => {
      const { name: gate, task } = readBodyJson(
        request,
        fields({ name: name(), task: optional(name()) }, true),
      );
      return { gates: toWire(target.openGate(gate, { task, key })) };
    },
  },
  'GET /state': {
    about: 'A snapshot of the mock. It contains API keys: protect it like them.',
    query: KEY,
    run: ({ target, key }) => target.snapshot(key),
  },
  'PUT /state': {
    about:
      'Restores a snapshot: of the whole mock (organisations opened since are removed), or of one organisation (others stay).',
    run: async ({ target, request }) => {
      const state = readBodyJson(request, anything);
      await target.restore(state as MockState);
      return { restored: (state as { organisations: unknown[] }).organisations.length };
    },
  },
  'GET /findings': {
    about: 'Findings of the rules about the clients so far, and scenarios that do not fit their request.',
    query: KEY,
    run: async ({ target, key }) => {
      await getService(target).options.judge?.ready?.();
      return { findings: target.findings(key) };
    },
  },
} satisfies AdminRoutes<ControlledMock>;

export const ADMIN_ROUTES: AdminRoutes<ControlledMock> = ROUTES;

/** The JSON of the response of each operation. */
export type AdminResponses = {
  [Name in keyof typeof ROUTES]: Awaited<ReturnType<(typeof ROUTES)[Name]['run']>>;
};

function viewNetwork({ target, key }: AdminCall<ControlledMock>) {
  return {
    network: toWire(target.network.list(key)),
    ...(key === undefined && { for_all: target.network.forAll() }),
  };
}

async function addScenarios({ target, request, query }: AdminCall<ControlledMock>): Promise<unknown> {
  const text = readBodyText(request);
  const isJson = /^\s*[[{]/.test(text);
  const input = isJson ? (readBodyJson(request, anything) as object) : text;
  const { added, problems } = await target.scenarios.add(input, query.name);
  if (problems.length === 0) return { added };
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more, see problems)`;
  throw new AdminError(422, describeProblem(problems[0]!) + more, { problems });
}

const DEFAULT_LIMIT = 200;

/** Newest first; `before` is the id of the task at which the list continues. Throws AdminError with 404 if that task does not exist. */
function listTasks({ target, key, query: { limit: given, before } }: AdminCall<ControlledMock>): {
  tasks: TaskSummary[];
  more: boolean;
} {
  const limit = readCount('limit', given) ?? DEFAULT_LIMIT;
  const all = getService(target)
    .organisations.selectOpen(key)
    .flatMap(({ tasks }) => [...tasks.values()])
    .reverse()
    .sort((one, other) => other.created_at - one.created_at);
  const last = before === undefined ? -1 : all.findIndex(({ id }) => id === before);
  if (before !== undefined && last === -1) throw new AdminError(404, 'before: there is no such task.');
  const page = all.slice(last + 1, last + 1 + limit);
  return { tasks: page.map((task) => summarizeTask(task)), more: last + 1 + limit < all.length };
}

/**
 * Sends a recorded request again and returns the seq of the new exchange. Does not wait for the response, which network rules may hold.
 * Throws AdminError if the exchange is not in the journal, or not completely.
 */
function sendAgain({ target, key, values }: AdminCall<ControlledMock>): number {
  const { organisations, pipeline } = getService(target);
  const seq = readCount('seq', values[0])!;
  const found = organisations.selectOpen(key).flatMap((organisation) => {
    const entry = organisation.journal.entry(seq);
    return entry ? [{ organisation, entry }] : [];
  });
  const [one, other] = found;
  if (!one) throw new AdminError(404, `There is no exchange ${seq} in the journal any more.`);
  if (other)
    throw new AdminError(
      422,
      `Several organisations have an exchange ${seq}: select one with ?organisation=.`,
    );
  const { method, url, headers, body = null, left_out: leftOut } = one.entry;
  if (leftOut !== undefined)
    throw new AdminError(422, `The journal kept only a part of the body of exchange ${seq}.`);
  const before = one.organisation.journal.seq;
  void pipeline.handle({ method, url, headers, body, loopback: true });
  return before + 1;
}

import { anything, fields, name, object, optional, text } from '../../spec/json-schema/build-schema.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import type { MockState } from '../control/state.js';
import { summarizeTask } from '../control/views.js';
import type { TimelineView } from '../options/mock-options.js';
import { getService } from '../service.js';
import { AdminError, RawResponse, readBodyJson, readCount, toWire, type Wire } from './admin-request.js';
import type { CLIENT_ROUTES } from './client-routes.js';
import { NETWORK_ROUTES } from './network-routes.js';
import { type AdminCall, type AdminRoutes, KEY } from './route.js';
import { SCENARIO_ROUTES } from './scenario-routes.js';
import type { StreamSource } from './stream/live-stream.js';
import { createStreamResponse } from './stream/stream-response.js';
import { listTasks, TASK_ROUTES } from './task-routes.js';
import { viewFile } from './view-file.js';

/** Every operation of the admin API, in the order in which they are listed. */
const ROUTES = {
  'GET /health': {
    about: 'Health: the seed, and how many organisations, tasks and exchanges the mock holds.',
    run: ({ target }) => toWire(target.health()),
  },
  'POST /reset': {
    about:
      'Resets one organisation ({"key": "..."}, or ?key=); without a key, the whole mock is as it started.',
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
  'GET /clock/due': {
    about: 'What is due next in each organisation, and the first time-outs that would end tasks.',
    query: KEY,
    run: ({ target, key }) => ({ organisations: toWire(target.clock.due(key)) }),
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
  ...SCENARIO_ROUTES,
  ...NETWORK_ROUTES,
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
  'GET /timeline': {
    about:
      'The conversation, as failing tests print it: ?task=. As text, or as JSON with "accept: application/json".',
    query: [...KEY, 'task'],
    run: viewTimeline,
  },
  'POST /view': {
    about:
      'The data of the page of a journal, HAR, report or race file in the body, which ?name= names. Studio shows it.',
    query: ['name'],
    run: (call) => viewFile(getService(call.target).options.readPage, call),
  },
  'POST /exchanges/{id}/send': {
    about:
      'Sends a recorded request again with its own API key: {id} is its seq; ?organisation= or ?key= selects its journal. The body may replace its {"url", "body"}.',
    query: KEY,
    run: (call) => ({ seq: sendAgain(call) }),
  },
  'GET /tasks': {
    about:
      'Tasks, newest first: ?limit= (200), ?before= (a task id), ?exchange= (those with such exchanges: "status:5xx kind:reply body:TEXT url:TEXT").',
    query: [...KEY, 'limit', 'before', 'exchange'],
    run: listTasks,
  },
  'GET /stream': {
    about:
      'Server-sent events: exchange, task, clock, key, network, gates, finding. ?from= or Last-Event-ID continues an earlier stream.',
    query: [...KEY, 'from'],
    run: (call) => {
      const { target, key } = call;
      const { organisations, options } = getService(target);
      const source: StreamSource = {
        listOrganisations: () => (key === undefined ? organisations.values() : organisations.selectOpen(key)),
        findTask: (organisation, id, before) => {
          const task = organisation.tasks.get(id);
          return task && summarizeTask(task, before);
        },
        prepareFindings: () => options.judge?.ready?.(),
        listFindings: ({ key }) => target.findings(key),
        viewClientRuns: () => options.clientRuns?.view(),
      };
      return createStreamResponse(source, call);
    },
  },
  'GET /keys': {
    about: 'Which API key each organisation has: its name, and the beginning of a hash; never the key.',
    query: KEY,
    run: ({ target, key }) => ({ keys: target.keys(key) }),
  },
  'POST /keys': {
    about: 'Names the API key of an organisation, for studio: {"name": "..."}.',
    query: KEY,
    run: ({ target, request, key }) => {
      const { name: given } = readBodyJson(request, fields({ name: name(LONGEST_KEY_NAME) }));
      if (key === undefined) throw new AdminError(422, 'Select a key: with ?key=, or with ?organisation=.');
      target.nameKey(given, key);
      return { keys: target.keys(key) };
    },
  },
  ...TASK_ROUTES,
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
      'Restores a snapshot: of the whole mock (organisations opened since are removed), or of one organisation (others stay); with ?key= one organisation of it, under this key.',
    query: KEY,
    run: async ({ target, request, key }) => {
      const state = readBodyJson(request, anything);
      await target.restore(state as MockState, key);
      return { restored: key === undefined ? (state as MockState).organisations.length : 1 };
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
  [Name in keyof AllRoutes]: Awaited<ReturnType<AllRoutes[Name]['run']>>;
};
type AllRoutes = typeof ROUTES & typeof CLIENT_ROUTES;

const LONGEST_KEY_NAME = 60;

async function viewTimeline({
  target,
  request,
  key,
  query: { task },
}: AdminCall<ControlledMock>): Promise<RawResponse | { timelines: Wire<TimelineView>[] }> {
  if (task !== undefined) target.task(task, key);
  const read = await getService(target).options.readTimelines?.({ key, task });
  if (!read) throw new AdminError(404, 'This mock was created without readTimelines.');
  if (request.headers.accept?.includes('application/json')) return { timelines: toWire(read.timelines) };
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return new RawResponse({ status: 200, headers, body: `${read.text}\n` });
}

/**
 * Sends a recorded request again and returns the seq of the new exchange. Does not wait for the response, which network rules may hold.
 * Throws AdminError if the exchange is not in the journal, or not completely.
 */
function sendAgain({ target, key, values, request }: AdminCall<ControlledMock>): number {
  const change = readBodyJson(request, fields({ url: optional(text), body: optional(text) }, true), {});
  if (change.url !== undefined && !change.url.startsWith('/'))
    throw new AdminError(422, `url: ${JSON.stringify(change.url)} has to be a path, such as /api/v1/task.`);
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
  if (leftOut !== undefined && change.body === undefined)
    throw new AdminError(422, `The journal kept only a part of the body of exchange ${seq}.`);
  const before = one.organisation.journal.seq;
  void pipeline.handle({ ...{ method, url, headers, body, loopback: true }, ...change });
  return before + 1;
}

import { object } from '../../spec/json-schema/build-schema.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import { summarizeTask, viewHeldExchanges, viewRuns } from '../control/views.js';
import { getService } from '../service.js';
import { AdminError, RawResponse, readBodyJson, readCount, toWire } from './admin-request.js';
import { createTaskFilter } from './filter-tasks.js';
import { type AdminCall, type AdminRoutes, KEY } from './route.js';
import { WAIT_PARAMETERS, waitForConditions } from './wait.js';

/** The operations of the admin API on one task. */
export const TASK_ROUTES = {
  'GET /wait': {
    about:
      'Responds when all of this holds: ?task=, ?status= (or finished), ?event= (an id, a name or a step), ?gate= (something waits for it); 409 after ?timeout= (10s).',
    query: [...KEY, ...WAIT_PARAMETERS],
    run: waitForConditions,
  },
  'GET /tasks/{id}': {
    about: 'The state of a task: its scenario, what its timelines wait for, its calls, actions and gates.',
    query: KEY,
    run: ({ target, values, key }) => toWire(target.task(values[0]!, key)),
  },
  'GET /tasks/{id}/runs': {
    about: 'Only what the timelines of a task wait for, and which of its exchanges network rules hold.',
    query: KEY,
    run: ({ target, values, key }) => {
      const task = getService(target).organisations.requireTask(values[0]!, key);
      return { runs: toWire(viewRuns(task)), held: toWire(viewHeldExchanges(task)) };
    },
  },
  'GET /tasks/{id}/scenario': {
    about:
      'The conversation so far as a scenario file, in YAML. Only the command "taskdouble mock" writes it.',
    query: KEY,
    run: async ({ target, values, key }) => {
      const id = decodeURIComponent(values[0]!);
      target.task(id, key);
      const written = await getService(target).options.writeScenario?.(target.journal({ task: id }));
      if (!written) throw new AdminError(404, 'This mock was created without writeScenario.');
      if ('problem' in written) throw new AdminError(422, written.problem);
      const headers = { 'content-type': 'application/yaml; charset=utf-8' };
      return new RawResponse({ status: 200, headers, body: written.yaml });
    },
  },
  'POST /tasks/{id}/steps': {
    about: 'Runs a service step now: {"service": "finish", "status": "failed"}.',
    query: KEY,
    run: async ({ target, request, values, key }) =>
      toWire(await target.injectStep(values[0]!, readBodyJson(request, object), key)),
  },
  'POST /tasks/{id}/events': {
    about: 'Sends an event for the client, with the API key of the task, such as a reply to a tool call.',
    query: KEY,
    run: ({ target, request, values, key }) => {
      const { organisations, pipeline } = getService(target);
      const { id, organisation } = organisations.requireTask(decodeURIComponent(values[0]!), key);
      const body = JSON.stringify(readBodyJson(request, object));
      const { seq } = organisation.journal;
      // Network rules may hold the response: this does not wait for it.
      void pipeline.handle({
        method: 'POST',
        url: `/api/v1/task/${encodeURIComponent(id)}/event`,
        headers: { apikey: organisation.key, 'content-type': 'application/json' },
        body,
        loopback: true,
      });
      return { seq: seq + 1 };
    },
  },
} satisfies AdminRoutes<ControlledMock>;

const DEFAULT_LIMIT = 200;

/** Newest first; `before` is the id of the task at which the list continues. Throws AdminError with 404 if that task does not exist. */
export function listTasks({ target, key, query }: AdminCall<ControlledMock>) {
  const organisations = getService(target).organisations.selectOpen(key);
  const all = organisations
    .flatMap(({ tasks }) => [...tasks.values()])
    .filter(createTaskFilter(organisations, query.exchange));
  const { page, more } = selectPage(all, query);
  return { tasks: page.map((task) => summarizeTask(task)), more };
}

/** The tasks that a request for a list selects, newest first. Later ones of the same time come first. */
export function selectPage<T extends { id: string; created_at: number }>(
  all: readonly T[],
  { limit: given, before }: Readonly<Record<string, string>>,
): { page: T[]; more: boolean } {
  const limit = readCount('limit', given) ?? DEFAULT_LIMIT;
  const sorted = all.toReversed().sort((one, other) => other.created_at - one.created_at);
  const last = before === undefined ? -1 : sorted.findIndex(({ id }) => id === before);
  if (before !== undefined && last === -1) throw new AdminError(404, 'before: there is no such task.');
  const end = last + 1 + limit;
  return { page: sorted.slice(last + 1, end), more: end < sorted.length };
}

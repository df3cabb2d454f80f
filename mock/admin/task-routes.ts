import { object } from '../../spec/json-schema/build-schema.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import { viewRuns } from '../control/views.js';
import { getService } from '../service.js';
import { AdminError, RawResponse, readBodyJson, toWire } from './admin-request.js';
import { type AdminRoutes, KEY } from './route.js';
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
    about: 'Only what the timelines of a task wait for.',
    query: KEY,
    run: ({ target, values, key }) => ({
      runs: toWire(viewRuns(getService(target).organisations.requireTask(values[0]!, key))),
    }),
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
} satisfies AdminRoutes<ControlledMock>;

import { bool, fields, name, optional } from '../../spec/json-schema/build-schema.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import type { ClientRuns } from '../options/client-runs.js';
import { getService } from '../service.js';
import { AdminError, readBodyJson, readCount, toWire } from './admin-request.js';
import type { AdminRoutes } from './route.js';

/** What a request may choose: never a command, its arguments or a path. */
const RUN = fields({ scenario: optional(name()), watch: optional(bool) }, true);

/** The operations of the admin API on the client that the mock was started with; without one they do not exist. */
export const CLIENT_ROUTES = {
  'GET /client/runs': {
    about: 'The command of the client, and its latest runs with their verdicts.',
    run: ({ target }) => toWire(requireRuns(target).view()),
  },
  'POST /client/runs': {
    about:
      'Runs the client with an API key of its own: {"scenario": "races/reply-response-lost", "watch": true}, both optional. 409 during a run.',
    run: async ({ target, request }) => {
      const { scenario, watch = false } = readBodyJson(request, RUN, {});
      return toWire(await requireRuns(target).start({ scenario, isWatching: watch }));
    },
  },
  'DELETE /client/runs': {
    about: 'Ends the run in progress, and stops watching.',
    run: async ({ target }) => {
      const runs = requireRuns(target);
      await runs.stop();
      return toWire(runs.view());
    },
  },
  'GET /client/runs/{id}': {
    about: 'What a run has printed: ?since= (a position, as "next" of an earlier response).',
    query: ['since'],
    run: ({ target, values, query }) => {
      const id = readCount('id', values[0])!;
      const output = requireRuns(target).readOutput(id, readCount('since', query.since) ?? 0);
      if (!output) throw new AdminError(404, `There is no run ${id} any more.`);
      return toWire(output);
    },
  },
} satisfies AdminRoutes<ControlledMock>;

function requireRuns(target: ControlledMock): ClientRuns {
  return getService(target).options.clientRuns!;
}

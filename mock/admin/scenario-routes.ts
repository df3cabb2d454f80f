import { describeProblem } from '../../scenarios/format/invalid-file.js';
import type { Problem } from '../../scenarios/format/types.js';
import { anything, fields, list, name, optional } from '../../spec/json-schema/build-schema.js';
import { isObject } from '../../spec/json-schema/schema.js';
import { quote } from '../../spec/show.js';
import type { ControlledMock } from '../control/controlled-mock.js';
import type { ScenarioInput } from '../control/read-scenarios.js';
import type { WireRequest } from '../exchange/wire.js';
import { AdminError, readBodyJson, readBodyText } from './admin-request.js';
import { type AdminCall, type AdminRoutes, KEY } from './route.js';

/** The operations of the admin API on scenarios. */
export const SCENARIO_ROUTES = {
  'GET /scenarios': {
    about:
      'Every scenario that a task can follow: of one organisation, yours, then those of the library; ?search=: those that contain all words.',
    query: [...KEY, 'search'],
    run: async ({ target, key, query }) => ({ scenarios: await target.scenarios.list(key, query.search) }),
  },
  'POST /scenarios': {
    about:
      'Adds a scenario until the next reset: YAML, or JSON (one object, or a list) in the form of a scenario file; ?name= names it. With a key, for its organisation alone. A name that is taken gets 409, unless ?replace=true.',
    query: [...KEY, 'name', 'replace'],
    run: addScenarios,
  },
  'DELETE /scenarios': {
    about: 'Removes all added scenarios, or one (?name=): of one organisation, or of all.',
    query: [...KEY, 'name'],
    run: ({ target, query, key }) => ({ removed: target.scenarios.remove(query.name, key) }),
  },
  'GET /scenarios/preview': {
    about: 'A scenario as YAML, as the lines of a sequence diagram and as the job of a client: ?name=.',
    query: [...KEY, 'name'],
    run: ({ target, query, key }) => target.scenarios.preview(query.name ?? '', key),
  },
  'POST /scenarios/preview': {
    about: 'The same of a scenario in the body, as YAML or JSON, which is not added; ?name= names it.',
    query: ['name'],
    run: async ({ target, request, query }) => {
      const preview = await target.scenarios.previewInline(readInput(request), query.name);
      if (!('problems' in preview)) return preview;
      refuseProblems(preview.problems);
      throw new AdminError(422, 'The body has no scenario.');
    },
  },
  'GET /scenarios/next': {
    about: 'The queue of each organisation: what its next tasks follow.',
    query: KEY,
    run: ({ target, key }) => ({ queues: target.scenarios.listQueued(key) }),
  },
  'DELETE /scenarios/next': {
    about: 'Empties the queues, or removes one scenario (?name=) from each.',
    query: [...KEY, 'name'],
    run: ({ target, query, key }) => ({ queues: target.scenarios.removeQueued(query.name, key) }),
  },
  'POST /scenarios/next': {
    about:
      'The next tasks follow these scenarios, one each: {"name": "tool-calls/..."}, {"names": [...]}, or a scenario as YAML or JSON, which no other task follows.',
    query: [...KEY, 'name'],
    run: queueScenarios,
  },
} satisfies AdminRoutes<ControlledMock>;

async function addScenarios({ target, request, query, key }: AdminCall<ControlledMock>) {
  const { name: given, replace = 'false' } = query;
  if (replace !== 'true' && replace !== 'false')
    throw new AdminError(422, `replace: expected true or false, got ${quote(replace)}.`);
  const options = { key, replace: replace === 'true' };
  const { added, problems } = await target.scenarios.add(readInput(request), given, options);
  refuseProblems(problems);
  return { added };
}

const NAMES = fields({ name: optional(name()), names: optional(list(name())) }, true);

async function queueScenarios({ target, request, query, key }: AdminCall<ControlledMock>) {
  const input = readInput(request);
  if (isInline(input)) {
    const { queued, problems } = await target.scenarios.queueInline(input, query.name, key);
    refuseProblems(problems);
    return { queued };
  }
  if (query.name !== undefined) throw new AdminError(422, 'name: it is for a scenario in the body.');
  const { name: one, names } = readBodyJson(request, NAMES);
  if ((one === undefined) === (names === undefined))
    throw new AdminError(
      422,
      'The body does not fit: expected either name or names, or a scenario with title, request and timeline.',
    );
  return { queued: await target.scenarios.queue(one ?? names!, key) };
}

/** A scenario has fields that a choice of names does not have. */
function isInline(input: ScenarioInput): boolean {
  if (!isObject(input)) return Array.isArray(input) || String(input).trim() !== '';
  return 'title' in input || 'request' in input || 'timeline' in input;
}

/** YAML as text, JSON as its value. */
function readInput(request: WireRequest): ScenarioInput {
  const text = readBodyText(request);
  return /^\s*[[{]/.test(text) ? (readBodyJson(request, anything) as object) : text;
}

/** Problems of a scenario in the `detail` of a refusal. */
const MOST_SHOWN = 5;

function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, MOST_SHOWN).map(describeProblem).join('; ');
  const more =
    problems.length > MOST_SHOWN ? ` (and ${problems.length - MOST_SHOWN} more, see problems)` : '';
  throw new AdminError(422, shown + more, { problems });
}

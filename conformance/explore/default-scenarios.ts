import { loadLibrary } from '../../scenarios/library.js';
import type { Scenario } from '../../scenarios/types.js';

/** Scenarios of the library in which, with the one below, everything occurs that a client has to do. */
const FROM_LIBRARY = [
  'tool-calls/one-call',
  'sessions/goto-extract-evaluate-close',
  'tool-calls/parallel-calls',
  'sessions/run-task-with-tools',
  'polling/one-shot',
];

/** A session that the client does not close: the only one in which a result can come together with the end. */
const ENDED_BY_THE_SERVICE: Scenario = {
  name: 'sessions/ended-by-the-service',
  title: 'The service ends a session after the last result',
  covers: [],
  match: 'never',
  request: { task: null, url: 'https://library.example/opening-hours' },
  timeline: [
    {
      client: 'action',
      id: 'open',
      name: 'goto',
      input: { url: 'https://library.example/opening-hours?day=sunday' },
    },
    { service: 'result', to: 'open', after: { time_ms: 300 } },
    {
      client: 'action',
      id: 'read',
      name: 'evaluate_js',
      input: { js: "return document.querySelector('.hours').textContent" },
    },
    { service: 'result', to: 'read', output: '10 to 16', after: { time_ms: 400 } },
    { service: 'finish', credits_used: 1 },
  ],
};

/** What is explored unless something else is asked for. */
export const DEFAULT_SCENARIOS: readonly string[] = [
  ...FROM_LIBRARY.slice(0, 2),
  ENDED_BY_THE_SERVICE.name,
  ...FROM_LIBRARY.slice(2),
];

/** Throws where the package lacks one of its own scenarios. */
export async function defaultScenarios(): Promise<Scenario[]> {
  const all = new Map([...(await loadLibrary()), ENDED_BY_THE_SERVICE].map((each) => [each.name, each]));
  return DEFAULT_SCENARIOS.map((name) => {
    const scenario = all.get(name);
    if (!scenario) throw new Error(`The package lacks its own scenario ${name}.`);
    return scenario;
  });
}

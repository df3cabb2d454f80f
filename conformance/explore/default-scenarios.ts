import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario, Step } from '../../scenarios/format/types.js';

const URL = 'https://library.example/opening-hours';
const TASK = { task: 'Compare with get_weather how warm Lima and Quito are right now.' };

const TOOLS = [
  {
    name: 'get_weather',
    description: 'Gives the weather in a city right now.',
    inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    output: 'A JSON object with temp_c, the temperature in degrees Celsius.',
  },
];

/**
 * Together with two of the library everything occurs here that a client has to do, and hardly anything twice: how many
 * pairs of deviations there are grows with the square of a scenario's length. As they stand the default number of
 * schedules holds all pairs, for a client that polls at once and then every half second.
 */
const OWN: Scenario[] = [
  own('sessions/closed-after-an-action', 'A session is closed after an action', { task: null, url: URL }, [
    {
      client: 'action',
      id: 'count',
      name: 'evaluate_js',
      input: { js: "return document.querySelectorAll('.hours').length" },
    },
    { service: 'result', to: 'count', output: 7 },
    { client: 'close', id: 'close' },
    { service: 'result', to: 'close', output: true },
    { service: 'finish', credits_used: 1, at_once: true },
  ]),
  // Not closed by the client: a result that it needs can come together with the end. The task ends at once, because each
  // poll in the two seconds before an end that waits adds pairs.
  own(
    'sessions/ended-by-the-service',
    'The service ends a session after the last result',
    { task: null, url: URL },
    [
      { client: 'action', id: 'open', name: 'goto', input: { url: `${URL}?day=sunday` } },
      { service: 'result', to: 'open' },
      {
        client: 'action',
        id: 'read',
        name: 'extract',
        input: { schema: { type: 'object', properties: { hours: { type: 'string' } } } },
      },
      { service: 'result', to: 'read', output: { hours: '10 to 16' }, after: { time_ms: 400 } },
      { service: 'finish', credits_used: 1, after: { time_ms: 200 }, at_once: true },
    ],
  ),
  own(
    'tool-calls/two-calls',
    'Two calls at once, replied to in any order',
    { ...TASK, custom_tools: TOOLS },
    [
      { service: 'tool_call', id: 'lima', tool: 'get_weather', input: { city: 'Lima' } },
      { service: 'tool_call', id: 'quito', tool: 'get_weather', input: { city: 'Quito' } },
      { client: 'reply', to: 'lima', code: 200, output: { temp_c: 22 } },
      { client: 'reply', to: 'quito', code: 200, output: { temp_c: 15 } },
      {
        service: 'finish',
        output: 'Lima is warmer with {{lima.output.temp_c}} °C.',
        credits_used: 3,
        after: { time_ms: 200 },
      },
    ],
  ),
  own(
    'sessions/work-with-a-tool',
    'An agent task inside a session calls a tool',
    { task: null, url: URL, custom_tools: TOOLS },
    [
      {
        client: 'action',
        id: 'work',
        name: 'run_task',
        input: { task: 'Decide what to wear on the way to the library in Bergen.', max_steps: 8 },
      },
      { service: 'tool_call', id: 'weather', tool: 'get_weather', input: { city: 'Bergen' } },
      { client: 'reply', to: 'weather', code: 200, output: { temp_c: 7 } },
      {
        service: 'result',
        to: 'work',
        output: 'Rain gear and a jumper; it is {{weather.output.temp_c}} °C.',
        credits_used: 2,
      },
      // The end waits for two seconds: long enough for polls in which the call is an old one.
      { service: 'finish', credits_used: 3 },
    ],
  ),
];

/** What is explored unless something else is asked for. */
export const DEFAULT_SCENARIOS: readonly string[] = [
  'tool-calls/one-call',
  ...OWN.map(({ name }) => name),
  'polling/one-shot',
];

/** Throws where the package lacks one of its own scenarios. */
export async function defaultScenarios(): Promise<Scenario[]> {
  const all = new Map([...(await loadLibrary()), ...OWN].map((each) => [each.name, each]));
  return DEFAULT_SCENARIOS.map((name) => {
    const scenario = all.get(name);
    if (!scenario) throw new Error(`The package lacks its own scenario ${name}.`);
    return scenario;
  });
}

function own(name: string, title: string, request: Scenario['request'], timeline: Step[]): Scenario {
  return { name, title, covers: [], match: 'never', request, timeline };
}

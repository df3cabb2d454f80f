import type { Scenario, Step } from '../../../scenarios/format/types.js';

/** A loaded scenario. In `timeline`, durations are ms. */
export function createScenario(timeline: readonly object[], given: Partial<Scenario> = {}): Scenario {
  return {
    name: 'test/scenario',
    title: 'A scenario of a test',
    covers: [],
    match: 'never',
    request: { task: 'Do it.' },
    timeline: timeline as Step[],
    ...given,
  };
}

export const WEATHER = {
  name: 'get_weather',
  description: 'Tells the temperature in a city.',
  inputs: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  output: 'Degrees Celsius.',
};

/** One call, one reply, the end. */
export const oneCall = createScenario(
  [
    { service: 'tool_call', id: 'c1', tool: 'get_weather', input: { city: 'Oslo' }, after: { time_ms: 300 } },
    { client: 'reply', to: 'c1', code: 200, output: { temp_c: 3 } },
    { service: 'finish', status: 'done', output: 'It is cold.', after: { time_ms: 300 } },
  ],
  { name: 'test/one-call', request: { task: 'How warm is it in Oslo?', custom_tools: [WEATHER] } },
);

import { createScenario, WEATHER } from '../mock/mock.js';

/** A task that calls a tool after 300 ms, waits for the reply, and ends once the gate `go` is open. */
export const TOOL_SCENARIO = createScenario(
  'talk',
  [
    {
      service: 'tool_call',
      id: 'first',
      tool: 'get_weather',
      input: { city: 'Oslo' },
      after: { time_ms: 300 },
    },
    { client: 'reply', to: 'first' },
    { service: 'finish', output: 'mild', after: { gate: 'go' } },
  ],
  { custom_tools: [WEATHER] },
);
/** A request whose task follows the scenario. */
export const REQUEST = { task: 'talk', custom_tools: [WEATHER] };

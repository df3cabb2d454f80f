import { type OrganisationSnapshot, takeSnapshot } from '../../../mock/engine/snapshot/snapshot.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { createScenario, type TestMock, WEATHER } from './mock.js';

/** The scenario of the first task. */
export const SCENARIOS: Scenario[] = [
  createScenario(
    'weather',
    [
      {
        service: 'tool_call',
        id: 'first',
        tool: 'get_weather',
        input: { city: '' },
        after: { time_ms: 300 },
      },
      { service: 'open', gate: 'late', meanwhile: true, after: { time_ms: 5000 } },
      { client: 'reply', to: 'first' },
      { network: 'drop', of: { poll: true }, side: 'response', times: 2, probability: 0.5 },
      { service: 'tool_call', id: 'second', tool: 'get_weather', after: { polls: 2 } },
      { client: 'reply', to: 'second' },
      { service: 'finish', after: { gate: 'go' }, output: 'It is {{second.output}}.' },
    ],
    { custom_tools: [WEATHER] },
  ),
];

export interface FirstHalfIds {
  task: string;
  improvised: string;
  session: string;
}

/** Plays the first half of a conversation with tool calls, an improvised task, a session, resources and network rules. */
export async function playFirstHalf(mock: TestMock): Promise<FirstHalfIds> {
  const { control } = mock;
  await control.network.set(
    [
      { network: 'quota', requests: 9, per: '10s', of: 'listTasks' },
      { network: 'fail', status: 503, of: 'getUsage', skip: 1, times: 2, probability: 0.7 },
    ],
    'a',
  );
  const task = await mock.create({ task: 'weather', custom_tools: [WEATHER] });
  const improvised = await mock.create({ task: 'anything', custom_tools: [WEATHER] });
  const session = await mock.create({ task: null });
  await mock.send('POST', '/profile', { id: 'p' });
  await mock.send('GET', '/usage');
  for (let n = 0; n < 5; n++) await mock.send('GET', '/task');
  await control.clock.set({ advance: 400 }, 'a');
  const [call] = (await mock.poll(task)).r.events;
  await mock.sendEvent(task, { name: 'tool_call', id: call.id, payload: { code: 400, output: 'no city' } });
  for (const [id, name] of [
    ['g', 'goto'],
    ['e', 'extract'],
  ] as const) {
    const input = name === 'goto' ? { url: 'https://example.com' } : { schema: { type: 'object' } };
    await mock.sendEvent(session, { name: 'browser_action', id, payload: { name, input } });
  }
  await control.clock.set({ advance: 50 }, 'a');
  return { task, improvised, session };
}

/** Of the organisation of the key `a`. */
export function captureSnapshot(mock: TestMock): OrganisationSnapshot {
  return takeSnapshot(mock.service.organisations.open('a'));
}

import { expect, it } from 'vitest';
import { createMock, defineScenario } from '../../index.js';

const tool = { name: 'get_weather', description: 'd', inputs: { type: 'object' }, output: 'o' };
const request = { task: 'How warm is it?', custom_tools: [tool] };

it('defines a scenario that a mock plays', async () => {
  const lostReply = defineScenario({
    name: 'lost-reply',
    title: 'The response to a reply is lost',
    request,
    timeline: [
      { service: 'tool_call', id: 'ask', tool: 'get_weather', input: { city: 'Oslo' }, after: '200ms' },
      { network: 'drop', of: { reply: 'ask' }, side: 'response' },
      { client: 'reply', to: 'ask' },
      { service: 'finish', output: 'It is warm.', after: { reply: 'ask', time: '1s' } },
    ],
  });
  const mock = createMock();
  expect(await mock.scenario(lostReply)).toBe('lost-reply');
  await mock.close();
});

it('does not compile with an unknown step, field, fault or value', () => {
  const title = 'wrong';
  const define = () => [
    // @ts-expect-error: no such step
    defineScenario({ title, request, timeline: [{ service: 'finsh' }] }),
    // @ts-expect-error: no such field
    defineScenario({ title, request, timeline: [{ service: 'finish', outptu: 'x' }] }),
    // @ts-expect-error: no such fault
    defineScenario({ title, request, timeline: [{ network: 'dorp', of: 'poll' }] }),
    // @ts-expect-error: a fault without the field that it requires
    defineScenario({ title, request, timeline: [{ network: 'fail', of: 'poll' }] }),
    // @ts-expect-error: no such side
    defineScenario({ title, request, timeline: [{ network: 'drop', of: 'poll', side: 'both' }] }),
    // @ts-expect-error: a scenario without a title
    defineScenario({ request, timeline: [{ service: 'finish' }] }),
  ];
  expect(define().map(({ request }) => request)).toEqual(Array(6).fill(request));
});

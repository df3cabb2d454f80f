import type { PointCases } from './case.js';
import type { PointClient } from './client.js';

const CALL = { service: 'tool_call', id: 'call', tool: 'weather', input: {} };
const ASKS = [
  CALL,
  { client: 'reply', to: 'call' },
  { service: 'finish', output: 'It is {{call.output}}', after: '1s' },
];

/** Sends a reply as an event, and with the deprecated PUT. */
async function replyBothWays(
  client: PointClient,
  task: string,
  call: string,
  code: number,
): Promise<number[]> {
  const tool_response = { id: call, code, output: '"fine"' };
  return [
    (await client.reply(task, call, code)).status,
    await client.sendForStatus('PUT', `/task/${task}`, { tool_response }),
  ];
}

async function startCall(client: PointClient): Promise<{ task: string; call: string }> {
  const task = await client.createScriptedTask(ASKS);
  return { task, call: (await client.poll(task)).r.events[0].id };
}

/** A reply without an id names no call: its refusal names no id that the service made up. */
const NO_ID = 'The reply has no id: send it with the id of the tool call.';

export const replies: PointCases = {
  'event.reply-repeated': {
    async observe(client) {
      const { task, call } = await startCall(client);
      const statuses = [];
      for (const output of ['first', 'second'])
        statuses.push((await client.reply(task, call, 200, output)).status);
      await client.advance(1000);
      return [...statuses, (await client.poll(task)).r.output];
    },
    expected: {
      'first-counts': [200, 200, 'It is first'],
      '400': [200, 400, 'It is first'],
      '404': [200, 404, 'It is first'],
    },
  },
  'event.odd-reply-code': {
    async observe(client) {
      const { task, call } = await startCall(client);
      return replyBothWays(client, task, call, 501);
    },
    expected: { '422': [422, 422], '400': [400, 400] },
  },
  'event.unknown-tool-reply': {
    async observe(client) {
      const { task } = await startCall(client);
      const statuses = await replyBothWays(client, task, 'no-such-call', 200);
      const unnamed = { name: 'tool_call', payload: { code: 200, output: 'fine' } };
      const { status, body } = await client.sendEvent(task, unnamed);
      await client.advance(2000);
      return [...statuses, status, body.detail ?? 'no detail', (await client.poll(task)).r.status];
    },
    expected: {
      '404': [404, 404, 404, NO_ID, 'running'],
      '400': [400, 400, 400, NO_ID, 'running'],
      accepted: [200, 200, 200, 'no detail', 'running'],
    },
  },
  'event.to-finished-task': {
    async observe(client) {
      const { task, call } = await startCall(client);
      await client.reply(task, call);
      await client.advance(1000);
      const action = (await client.sendAction(task, 'goto', { url: 'https://example.com' })).status;
      const statuses = [...(await replyBothWays(client, task, call, 200)), action];
      await client.advance(1000);
      return [...statuses, (await client.poll(task)).r.events.length];
    },
    expected: { '400': [400, 400, 400, 1], '404': [404, 404, 404, 1], accepted: [200, 200, 200, 1] },
  },
  'task.update-fields': {
    async observe(client) {
      const { task, call } = await startCall(client);
      const sendPut = (body: object) => client.send('PUT', `/task/${task}`, body);
      const untouched = [];
      for (const body of [{}, { output: 'x' }, { tool_response: null }])
        untouched.push((await sendPut(body)).body.r);
      const { status } = await sendPut({ tool_response: { id: call } });
      const taken = await sendPut({ tool_response: { id: call, code: 200, output: '{"temp":7}' } });
      await client.advance(1000);
      return [untouched, status, taken.body, (await client.poll(task)).r.output];
    },
    expected: { tool_response: [[false, false, false], 422, { r: true }, 'It is {"temp":7}'] },
  },
};

import type { PointCases } from './case.js';

export const polling: PointCases = {
  'poll.long-poll': {
    async observe(client) {
      const id = await client.createScriptedTask([
        { service: 'tool_call', id: 'call', tool: 'weather', input: {}, after: '5s' },
        { client: 'reply', to: 'call' },
      ]);
      const response = client.poll(id);
      await client.settlePending();
      await client.advance(5000);
      const { status, r } = await response;
      return [status, r.events.length];
    },
    expected: { off: [202, 0], on: [202, 1] },
  },
  'poll.long-poll-max': {
    async observe(client) {
      const id = await client.createSession();
      const statuses: number[] = [];
      const response = client.poll(id).then(({ status }) => statuses.push(status));
      const counts = [];
      for (const ms of [99, 1, 1899, 1]) {
        await client.settlePending();
        await client.advance(ms);
        await client.settlePending();
        counts.push(statuses.length);
      }
      await response;
      return counts;
    },
    expected: { 100: [0, 1, 1, 1], 2000: [0, 0, 0, 1] },
    given: { 'poll.long-poll': 'on' },
  },
  'poll.events-when-empty': {
    async observe(client) {
      const { r } = await client.poll(await client.createSession());
      return 'events' in r ? r.events : 'absent';
    },
    expected: { 'empty-array': [], absent: 'absent', null: null },
  },
  'event.retention': {
    async observe(client) {
      const event = { service: 'event', name: 'session_action', payload: {} };
      const id = await client.createScriptedTask([event, { ...event, after: '1s' }, { client: 'cancel' }]);
      const counts = [];
      for (const ms of [4999, 1, 1000]) {
        await client.advance(ms);
        counts.push((await client.poll(id)).r.events.length);
      }
      return counts;
    },
    expected: { 0: [2, 2, 2], 5000: [2, 1, 0] },
  },
  'event.result-with-terminal': {
    async observe(client) {
      const id = await client.createSession();
      await client.sendAction(id, 'close');
      await client.advance(1000);
      const seen = [];
      for (let poll = 0; poll < 2; poll++) {
        const { status, r } = await client.poll(id);
        seen.push([status, r.status, r.events.length]);
        await client.advance(2000);
      }
      return seen;
    },
    expected: {
      before: [
        [202, 'running', 1],
        [200, 'done', 1],
      ],
      with: [
        [200, 'done', 1],
        [200, 'done', 1],
      ],
    },
  },
};

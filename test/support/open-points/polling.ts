import type { Cases } from './case.js';

export const polling: Cases = {
  'poll.long-poll': {
    async see(client) {
      const id = await client.scripted([
        { service: 'tool_call', id: 'call', tool: 'weather', input: {}, after: '5s' },
        { client: 'reply', to: 'call' },
      ]);
      const answer = client.poll(id);
      await client.turn();
      await client.pass(5000);
      const { status, r } = await answer;
      return [status, r.events.length];
    },
    seen: { off: [202, 0], on: [202, 1] },
  },
  'poll.long-poll-max': {
    async see(client) {
      const id = await client.session();
      const answers: number[] = [];
      const answer = client.poll(id).then(({ status }) => answers.push(status));
      const counts = [];
      for (const ms of [99, 1, 1899, 1]) {
        await client.turn();
        await client.pass(ms);
        await client.turn();
        counts.push(answers.length);
      }
      await answer;
      return counts;
    },
    seen: { 100: [0, 1, 1, 1], 2000: [0, 0, 0, 1] },
    given: { 'poll.long-poll': 'on' },
  },
  'poll.events-when-empty': {
    async see(client) {
      const { r } = await client.poll(await client.session());
      return 'events' in r ? r.events : 'absent';
    },
    seen: { 'empty-array': [], absent: 'absent', null: null },
  },
  'event.retention': {
    async see(client) {
      const event = { service: 'event', name: 'session_action', payload: {} };
      const id = await client.scripted([event, { ...event, after: '1s' }, { client: 'cancel' }]);
      const counts = [];
      for (const ms of [4999, 1, 1000]) {
        await client.pass(ms);
        counts.push((await client.poll(id)).r.events.length);
      }
      return counts;
    },
    seen: { 0: [2, 2, 2], 5000: [2, 1, 0] },
  },
  'event.result-with-terminal': {
    async see(client) {
      const id = await client.session();
      await client.action(id, 'close');
      await client.pass(1000);
      const seen = [];
      for (let poll = 0; poll < 2; poll++) {
        const { status, r } = await client.poll(id);
        seen.push([status, r.status, r.events.length]);
        await client.pass(2000);
      }
      return seen;
    },
    seen: {
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

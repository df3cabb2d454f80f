import type { PointCases } from './case.js';
import type { PointClient } from './client.js';

const GOTO = { url: 'https://example.com' };
const listPayloads = async (client: PointClient, id: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every shape
  (await client.poll(id)).r.events.map((event: any) => event.payload);

/** The timeline of a one-shot task that runs until it is stopped. */
const FOREVER = [{ client: 'cancel' }];

/** Events and actions of clients. */
export const events: PointCases = {
  'event.echo': {
    async observe(client) {
      const id = await client.createSession();
      await client.sendAction(id, 'goto', GOTO);
      const before = await listPayloads(client, id);
      const task = await client.createScriptedTask([
        { service: 'tool_call', id: 'call', tool: 'weather', input: {} },
        { client: 'reply', to: 'call' },
        { client: 'cancel' },
      ]);
      const [call] = (await client.poll(task)).r.events;
      await client.reply(task, call.id);
      return [
        before,
        (await client.poll(task)).r.events.map((event: { id: string }) => event.id === call.id),
      ];
    },
    expected: { none: [[], [true]], plain: [[{ name: 'goto', input: GOTO }], [true, true]] },
  },
  'event.result-shape': {
    async observe(client) {
      const id = await client.createScriptedTask(
        [
          { client: 'action', id: 'run', name: 'evaluate_js', input: { js: '7' } },
          { service: 'result', to: 'run', output: 7, credits_used: 2, after: '1500ms' },
          { client: 'close' },
        ],
        { task: null },
      );
      await client.sendAction(id, 'evaluate_js', { js: '7' });
      await client.advance(1500);
      return listPayloads(client, id);
    },
    expected: {
      wrapped: [{ code: 200, output: { output: 7, credits_used: 2, duration: 1.5 } }],
      bare: [{ code: 200, output: 7 }],
    },
  },
  'event.script-form': {
    async observe(client) {
      const id = await client.createSession();
      const scripts = ['1 + 1', '(a, b) => [a, b]', 'let a = 2; a * 2;', 'return await args'];
      for (const [index, js] of scripts.entries()) {
        await client.sendAction(id, 'evaluate_js', { js, args: [3, 4] }, { id: `list-${index}` });
        await client.sendAction(id, 'evaluate_js', { js, args: { n: 5 } }, { id: `object-${index}` });
      }
      await client.advance(10_000);
      return (await listPayloads(client, id)).map(
        (payload: { output: { output: unknown } }) => payload.output.output,
      );
    },
    expected: { 'as-evaluate': [2, 2, [3, 4], [{ n: 5 }, null], 4, 4, [3, 4], { n: 5 }] },
  },
  'event.script-error': {
    async observe(client) {
      const id = await client.createSession();
      await client.sendAction(id, 'evaluate_js', { js: 'throw new Error("no")' }, { id: 'throws' });
      await client.sendAction(id, 'evaluate_js', { js: 'let 7' }, { id: 'wrong' });
      await client.advance(2000);
      return (await listPayloads(client, id)).map((payload: { code: number }) => payload.code);
    },
    expected: { '500': [500, 400], '400': [400, 400] },
  },
  'event.id-reuse': {
    async observe(client) {
      const id = await client.createSession();
      await client.sendAction(id, 'goto', GOTO);
      const { status, r } = await client.sendAction(id, 'goto', GOTO);
      await client.advance(2000);
      return [status, r?.id, (await listPayloads(client, id)).length];
    },
    expected: {
      accepted: [200, 'my-goto', 2],
      'refused-400': [400, undefined, 1],
      'same-answer': [200, 'my-goto', 1],
    },
  },
  'event.missing-id': {
    async observe(client) {
      const id = await client.createSession();
      const ids = [];
      for (const missing of [{ id: undefined }, { id: null }])
        ids.push(typeof (await client.sendAction(id, 'goto', GOTO, missing)).r?.id);
      await client.advance(2000);
      return [ids, (await listPayloads(client, id)).length];
    },
    expected: { generated: [['string', 'string'], 2], refused: [['undefined', 'undefined'], 0] },
  },
  'event.missing-timestamp': {
    async observe(client) {
      const id = await client.createSession();
      const statuses = [];
      for (const [n, timestamp] of [undefined, null, 1].entries())
        statuses.push((await client.sendAction(id, 'goto', GOTO, { id: `a${n}`, timestamp })).status);
      return statuses;
    },
    expected: { generated: [200, 200, 200], refused: [422, 422, 200] },
  },
  'event.unknown-action': {
    async observe(client) {
      const id = await client.createSession();
      const sent = [
        await client.sendAction(id, 'navigate', GOTO),
        await client.sendAction(id, 'goto', { to: 'x' }),
      ];
      await client.advance(1000);
      const codes = (await listPayloads(client, id)).map(({ code }: { code: number }) => code);
      return [...sent.map(({ status }) => status), ...codes];
    },
    expected: { 'result-400': [200, 200, 400, 400] },
  },
  'event.action-to-one-shot': {
    async observe(client) {
      const id = await client.createScriptedTask(FOREVER);
      const { status } = await client.sendAction(id, 'goto', GOTO);
      await client.advance(1000);
      return [status, (await listPayloads(client, id)).length];
    },
    expected: { '400': [400, 0], '404': [404, 0], accepted: [200, 1] },
  },
  'session.event-after-close': {
    async observe(client) {
      const [closed, deleted] = [await client.createSession(), await client.createSession()];
      await client.sendAction(closed, 'close');
      const late = { id: 'late' };
      const closing = (await client.sendAction(closed, 'goto', GOTO, late)).status;
      await client.advance(1000);
      await client.poll(closed);
      await client.poll(closed);
      await client.send('DELETE', `/task/${deleted}`);
      const over = [];
      for (const id of [closed, deleted]) over.push((await client.sendAction(id, 'goto', GOTO, late)).status);
      await client.advance(1000);
      const names = (await client.poll(closed)).r.events.map((event: { id: string }) => event.id);
      return [closing, ...over, names];
    },
    expected: {
      '400': [400, 400, 400, ['my-close']],
      '404': [404, 404, 404, ['my-close']],
      accepted: [200, 200, 200, ['my-close']],
    },
  },
  'session.close-result': {
    async observe(client) {
      const id = await client.createSession();
      await client.sendAction(id, 'close');
      await client.advance(3000);
      const codes = (await listPayloads(client, id)).map(({ code }: { code: number }) => code);
      return [codes, (await client.poll(id)).r.status];
    },
    expected: { 'result-event': [[200], 'done'] },
  },
};

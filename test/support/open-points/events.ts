import type { Cases } from './case.js';
import type { Client } from './client.js';

const GOTO = { url: 'https://example.com' };
const results = async (client: Client, id: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every shape
  (await client.poll(id)).r.events.map((event: any) => event.payload);

/** A one-shot task that goes on until it is stopped. */
const FOREVER = [{ client: 'cancel' }];

/** What becomes of the actions that a client sends. */
export const events: Cases = {
  'event.echo': {
    async see(client) {
      const id = await client.session();
      await client.action(id, 'goto', GOTO);
      const before = await results(client, id);
      const task = await client.scripted([
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
    seen: { none: [[], [true]], plain: [[{ name: 'goto', input: GOTO }], [true, true]] },
  },
  'event.result-shape': {
    async see(client) {
      const id = await client.scripted(
        [
          { client: 'action', id: 'run', name: 'evaluate_js', input: { js: '7' } },
          { service: 'result', to: 'run', output: 7, credits_used: 2, after: '1500ms' },
          { client: 'close' },
        ],
        { task: null },
      );
      await client.action(id, 'evaluate_js', { js: '7' });
      await client.pass(1500);
      return results(client, id);
    },
    seen: {
      wrapped: [{ code: 200, output: { output: 7, credits_used: 2, duration: 1.5 } }],
      bare: [{ code: 200, output: 7 }],
    },
  },
  'event.script-form': {
    async see(client) {
      const id = await client.session();
      const scripts = ['1 + 1', '(a, b) => [a, b]', 'let a = 2; a * 2;', 'return await args'];
      for (const [index, js] of scripts.entries()) {
        await client.action(id, 'evaluate_js', { js, args: [3, 4] }, { id: `list-${index}` });
        await client.action(id, 'evaluate_js', { js, args: { n: 5 } }, { id: `object-${index}` });
      }
      await client.pass(10_000);
      return (await results(client, id)).map(
        (payload: { output: { output: unknown } }) => payload.output.output,
      );
    },
    seen: { 'as-evaluate': [2, 2, [3, 4], [{ n: 5 }, null], 4, 4, [3, 4], { n: 5 }] },
  },
  'event.script-error': {
    async see(client) {
      const id = await client.session();
      await client.action(id, 'evaluate_js', { js: 'throw new Error("no")' }, { id: 'throws' });
      await client.action(id, 'evaluate_js', { js: 'let 7' }, { id: 'wrong' });
      await client.pass(2000);
      return (await results(client, id)).map((payload: { code: number }) => payload.code);
    },
    seen: { '500': [500, 400], '400': [400, 400] },
  },
  'event.id-reuse': {
    async see(client) {
      const id = await client.session();
      await client.action(id, 'goto', GOTO);
      const { status, r } = await client.action(id, 'goto', GOTO);
      await client.pass(2000);
      return [status, r?.id, (await results(client, id)).length];
    },
    seen: {
      accepted: [200, 'my-goto', 2],
      'refused-400': [400, undefined, 1],
      'same-answer': [200, 'my-goto', 1],
    },
  },
  'event.missing-id': {
    async see(client) {
      const id = await client.session();
      const ids = [];
      for (const missing of [{ id: undefined }, { id: null }])
        ids.push(typeof (await client.action(id, 'goto', GOTO, missing)).r?.id);
      await client.pass(2000);
      return [ids, (await results(client, id)).length];
    },
    seen: { generated: [['string', 'string'], 2], refused: [['undefined', 'undefined'], 0] },
  },
  'event.missing-timestamp': {
    async see(client) {
      const id = await client.session();
      const statuses = [];
      for (const [n, timestamp] of [undefined, null, 1].entries())
        statuses.push((await client.action(id, 'goto', GOTO, { id: `a${n}`, timestamp })).status);
      return statuses;
    },
    seen: { generated: [200, 200, 200], refused: [422, 422, 200] },
  },
  'event.unknown-action': {
    async see(client) {
      const id = await client.session();
      const sent = [await client.action(id, 'navigate', GOTO), await client.action(id, 'goto', { to: 'x' })];
      await client.pass(1000);
      const codes = (await results(client, id)).map(({ code }: { code: number }) => code);
      return [...sent.map(({ status }) => status), ...codes];
    },
    seen: { 'result-400': [200, 200, 400, 400] },
  },
  'event.action-to-one-shot': {
    async see(client) {
      const id = await client.scripted(FOREVER);
      const { status } = await client.action(id, 'goto', GOTO);
      await client.pass(1000);
      return [status, (await results(client, id)).length];
    },
    seen: { '400': [400, 0], '404': [404, 0], accepted: [200, 1] },
  },
  'session.event-after-close': {
    async see(client) {
      const [closed, deleted] = [await client.session(), await client.session()];
      await client.action(closed, 'close');
      const late = { id: 'late' };
      const closing = (await client.action(closed, 'goto', GOTO, late)).status;
      await client.pass(1000);
      await client.poll(closed);
      await client.poll(closed);
      await client.send('DELETE', `/task/${deleted}`);
      const over = [];
      for (const id of [closed, deleted]) over.push((await client.action(id, 'goto', GOTO, late)).status);
      await client.pass(1000);
      const names = (await client.poll(closed)).r.events.map((event: { id: string }) => event.id);
      return [closing, ...over, names];
    },
    seen: {
      '400': [400, 400, 400, ['my-close']],
      '404': [404, 404, 404, ['my-close']],
      accepted: [200, 200, 200, ['my-close']],
    },
  },
  'session.close-result': {
    async see(client) {
      const id = await client.session();
      await client.action(id, 'close');
      await client.pass(3000);
      const codes = (await results(client, id)).map(({ code }: { code: number }) => code);
      return [codes, (await client.poll(id)).r.status];
    },
    seen: { 'result-event': [[200], 'done'] },
  },
};

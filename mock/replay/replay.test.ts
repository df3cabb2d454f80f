import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../index.js';
import {
  createRecordedMock,
  openReplay,
  playConversation,
  ReplayClient,
} from '../../test/support/replay/replay-client.js';
import type { Fetch } from '../serve/fetch.js';
import { REPLAY_HEADER } from './replay-mock.js';

const line = (exchange: Exchange) => JSON.stringify(exchange);
const inOrder = (tape: readonly Exchange[]) =>
  [...tape].sort((a, b) =>
    a.organisation < b.organisation ? -1 : a.organisation > b.organisation ? 1 : a.seq - b.seq,
  );

describe('a replay', () => {
  it('sends the same client the same responses, byte for byte, and its journal equals the recording', async () => {
    const { mock, tape } = createRecordedMock();
    const then = await playConversation(mock.fetch);
    expect(tape.some(({ response }) => response?.body_base64)).toBe(true);
    expect(tape.some(({ request }) => request.body_base64)).toBe(true);
    const again: Exchange[] = [];
    const replay = openReplay(tape, { onRecord: (exchange) => again.push(exchange) });
    const now = await playConversation(replay.fetch);
    expect(now.got).toEqual(then.got);
    const withoutForms = (all: readonly Exchange[]) =>
      inOrder(all).map((each) => line(each).replaceAll(/"body_base64":"[^"]*"|boundary=[\w-]+/g, ''));
    expect(withoutForms(again)).toEqual(withoutForms(tape));
    expect(replay.health()).toMatchObject({
      next: null,
      replay: { exchanges: tape.length, played: tape.length, refused: 0 },
    });
    replay.reset();
    expect((await playConversation(replay.fetch)).got).toEqual(then.got);
  });

  it('accepts other keys, times and client-made ids, and responds with the ids of this client', async () => {
    const { mock, tape } = createRecordedMock();
    const then = await playConversation(mock.fetch);
    const again: Exchange[] = [];
    const replay = openReplay(tape, { onRecord: (exchange) => again.push(exchange) });
    const now = await playConversation(replay.fetch, 'another', 1_800_000_000_000, 'quite-another-key');
    const texts = (client: ReplayClient) =>
      client.got.map((each) =>
        typeof each === 'string' ? each : each.text.replaceAll('another-made', 'one-made'),
      );
    expect(texts(now)).toEqual(texts(then));
    const said = now.got.map((each) => (typeof each === 'string' ? undefined : each.headers[REPLAY_HEADER]));
    expect(said).toContainEqual(expect.stringMatching(/^exchange \d+ with ids of this client$/));
    expect(JSON.stringify(again)).not.toContain('quite-another-key');
  });

  it('repeats lost and truncated responses', async () => {
    const network =
      'drop response of create times 1; fail 503 of create skip 1 times 1; truncate of getUsage times 1';
    const { mock, tape } = createRecordedMock({ network });
    const talk = async (fetch: Fetch) => {
      const client = new ReplayClient(fetch);
      for (let n = 0; n < 3; n++) await client.request('POST', '/task', { task: 'x' });
      await client.request('GET', '/usage');
      return client.got;
    };
    const then = await talk(mock.fetch);
    expect(then.map((each) => (typeof each === 'string' ? each : each.status))).toEqual([
      'lost',
      503,
      200,
      'cut off',
    ]);
    expect(await talk(openReplay(tape).fetch)).toEqual(then);
  });

  it('assigns one recorded key to each key, in the order of their first use', async () => {
    const { mock, tape } = createRecordedMock();
    const name = async (fetch: Fetch, key: string) =>
      (await new ReplayClient(fetch, key).requestJson('GET', '/org')).id as string;
    const then = [await name(mock.fetch, 'a'), await name(mock.fetch, 'b')];
    mock.reset('a');
    // A new organisation under the same key: the same recorded client.
    await name(mock.fetch, 'a');
    await new ReplayClient(mock.fetch, '').request('GET', '/usage');
    const replay = openReplay(tape);
    expect([await name(replay.fetch, 'x'), await name(replay.fetch, 'y')]).toEqual(then);
    expect(await name(replay.fetch, 'x')).toBe(then[0]);
    expect((await new ReplayClient(replay.fetch, '').request('GET', '/usage')).status).toBe(401);
    expect(replay.health().next).toBeNull();
  });

  it('replays appended exchanges after the earlier ones', async () => {
    const tapes = [1, 2].map(() => createRecordedMock());
    for (const { mock } of tapes) {
      const client = new ReplayClient(mock.fetch);
      await client.request('POST', '/task', { task: 'x' });
      await client.request('POST', '/topup?amount=5');
    }
    const replay = openReplay(tapes.flatMap(({ tape }) => tape));
    const client = new ReplayClient(replay.fetch);
    for (let n = 0; n < 2; n++) {
      await client.request('POST', '/task', { task: 'x' });
      await client.request('POST', '/topup?amount=5');
    }
    expect(client.got.map((each) => typeof each !== 'string' && each.status)).toEqual([200, 200, 200, 200]);
    expect(replay.health()).toMatchObject({ next: null, replay: { refused: 0 } });
  });
});

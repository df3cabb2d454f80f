import { describe, expect, it } from 'vitest';
import { createRecordedMock, openReplay, ReplayClient } from '../../test/support/replay/replay-client.js';
import { REPLAY_HEADER } from './replay-mock.js';

describe('a replay of requests that were not recorded', () => {
  const talk = async () => {
    const { mock, tape } = createRecordedMock();
    const client = new ReplayClient(mock.fetch);
    await client.request('POST', '/topup?amount=5');
    await client.request('GET', '/usage');
    await client.request('POST', '/profile', { id: 'p' });
    return { tape, usage: client.got[1] };
  };

  it('refuses a request that is repeated too often, and names the next one', async () => {
    const { tape, usage } = await talk();
    const notes: string[] = [];
    const replay = openReplay(tape, { onNote: (each) => notes.push(each) });
    const client = new ReplayClient(replay.fetch);
    await client.request('GET', '/usage');
    expect(client.got[0]).toEqual(usage);
    await client.request('POST', '/topup?amount=5');
    const over = await client.request('POST', '/topup?amount=5');
    expect(over.status).toBe(409);
    expect(JSON.parse(over.text).detail).toBe(
      'POST /api/v1/topup?amount=5 was sent more often than it was recorded (last as exchange 1). ' +
        'Expected next: POST /api/v1/profile (exchange 3 of the recording).',
    );
    expect(over.headers.get(REPLAY_HEADER)).toBe('refused');
    await client.request('POST', '/profile', { id: 'p' });
    expect(JSON.parse((await client.request('GET', '/usage')).text).detail).toContain(
      'The whole recording has been played',
    );
    expect(notes).toHaveLength(2);
    expect(replay.health()).toMatchObject({ replay: { played: 3, refused: 2 }, next: null });
  });

  it('refuses another body, and reports the difference', async () => {
    const { tape } = await talk();
    const client = new ReplayClient(openReplay(tape).fetch);
    const detail = async (body: unknown) => {
      const { status, text } = await client.request('POST', '/profile', body);
      return [status, JSON.parse(text).detail];
    };
    const next = 'Expected next: POST /api/v1/topup?amount=5 (exchange 1 of the recording).';
    const differs = 'POST /api/v1/profile differs from exchange 3 of the recording in its body:';
    expect(await detail({ id: 5 })).toEqual([409, `${differs} at id expected "p", found 5. ${next}`]);
    expect(await detail({ id: 'p', more: [1] })).toEqual([
      409,
      `${differs} at more expected nothing, found [1]. ${next}`,
    ]);
    expect((await client.request('POST', '/profile', { id: 'p' })).status).toBe(200);
  });

  it('refuses an unknown address or query', async () => {
    const { tape } = await talk();
    const client = new ReplayClient(openReplay(tape).fetch);
    for (const [method, path] of [
      ['GET', '/profil'],
      ['POST', '/topup?amount=6'],
    ] as const) {
      const response = await client.request(method, path);
      expect(response.status).toBe(404);
      expect(JSON.parse(response.text).detail).toBe(
        `${method} /api/v1${path} is not in this recording. ` +
          'Expected next: POST /api/v1/topup?amount=5 (exchange 1 of the recording).',
      );
    }
  });

  it('accepts a form with another boundary', async () => {
    const { mock, tape } = createRecordedMock();
    const send = async (client: ReplayClient) => {
      const form = new FormData();
      form.append('task', 'x');
      return (await client.request('POST', '/task', form)).headers.get(REPLAY_HEADER);
    };
    expect(await send(new ReplayClient(mock.fetch))).toBeNull();
    expect(await send(new ReplayClient(openReplay(tape).fetch))).toBeNull();
  });

  it('treats an empty body as none', async () => {
    const { mock, tape } = createRecordedMock();
    const type = { 'content-type': 'application/json' };
    const send = async (client: ReplayClient, body?: Uint8Array) =>
      (await client.request('POST', '/task', body, type)).headers.get(REPLAY_HEADER);
    const bodies = [new Uint8Array(), undefined];
    for (const body of bodies) await send(new ReplayClient(mock.fetch), body);
    const client = new ReplayClient(openReplay(tape).fetch);
    expect([await send(client, bodies[0]), await send(client, bodies[1])]).toEqual([null, null]);
  });

  it('refuses a response that was too large to be recorded', async () => {
    const { tape } = await talk();
    tape[0]!.response!.left_out = 99;
    const client = new ReplayClient(openReplay(tape).fetch);
    const large = await client.request('POST', '/topup?amount=5');
    expect([large.status, large.text]).toEqual([409, expect.stringContaining('recorded whole (99 char')]);
  });

  it('serves a body that was too large to be recorded only if no other body is equal', async () => {
    const { mock, tape } = createRecordedMock();
    const bodies = [{ id: 'large' }, { id: 'small' }];
    const sent = new ReplayClient(mock.fetch);
    for (const body of bodies) await sent.request('POST', '/profile', body);
    delete tape[0]!.request.body;
    tape[0]!.request.left_out = 99;
    const client = new ReplayClient(openReplay(tape).fetch);
    for (const body of [...bodies].reverse()) await client.request('POST', '/profile', body);
    expect(client.got).toEqual([...sent.got].reverse());
  });

  it('serves concurrent requests by their content, in any order', async () => {
    const { mock, tape } = createRecordedMock();
    const client = new ReplayClient(mock.fetch);
    const { id } = await client.requestJson('POST', '/task', { task: null });
    for (const each of ['first-own-id', 'second-own-id'])
      await client.request('POST', `/task/${id}/event`, {
        name: 'browser_action',
        id: each,
        payload: { name: 'goto', input: { url: `https://${each}.example` } },
        timestamp: 1_700_000_000_000,
      });
    const again = new ReplayClient(openReplay(tape).fetch);
    await again.requestJson('POST', '/task', { task: null });
    for (const each of ['second-own-id', 'first-own-id'])
      await again.request('POST', `/task/${id}/event`, {
        name: 'browser_action',
        id: each,
        payload: { name: 'goto', input: { url: `https://${each}.example` } },
        timestamp: 1_800_000_000_000,
      });
    const texts = (all: ReplayClient) => all.got.map((each) => typeof each !== 'string' && each.text);
    expect(texts(again)).toEqual([texts(client)[0], texts(client)[2], texts(client)[1]]);
  });
});

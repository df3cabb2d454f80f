import { describe, expect, it } from 'vitest';
import { type Answer, Client, recorded, replayed } from '../../../test/support/replay/playing.js';
import { REPLAY_HEADER } from './replay.js';

describe('a replay of what was not recorded', () => {
  const talk = async () => {
    const { mock, tape } = recorded();
    const client = new Client(mock.fetch);
    await client.ask('POST', '/topup?amount=5');
    await client.ask('GET', '/usage');
    await client.ask('POST', '/profile', { id: 'p' });
    return { tape, usage: client.got[1] };
  };

  it('gives the last answer again to who reads, and refuses who writes once more', async () => {
    const { tape, usage } = await talk();
    const notes: string[] = [];
    const replay = replayed(tape, { onNote: (each) => notes.push(each) });
    const client = new Client(replay.fetch);
    await client.ask('GET', '/usage');
    await client.ask('GET', '/usage');
    expect(client.got[0]).toEqual(usage);
    expect(client.got[1]).toMatchObject({
      text: (usage as Answer).text,
      headers: { [REPLAY_HEADER]: 'exchange 2 again: it has been asked for more often than it was recorded' },
    });
    await client.ask('POST', '/topup?amount=5');
    const over = await client.ask('POST', '/topup?amount=5');
    expect(over.status).toBe(409);
    expect(JSON.parse(over.text).detail).toBe(
      'POST /api/v1/topup?amount=5 came more often than it was recorded (last as exchange 1). ' +
        'Expected next: POST /api/v1/profile (exchange 3 of the recording).',
    );
    expect(over.headers.get(REPLAY_HEADER)).toBe('refused');
    await client.ask('POST', '/profile', { id: 'p' });
    expect(JSON.parse((await client.ask('POST', '/topup?amount=5')).text).detail).toContain(
      'The whole recording has been played',
    );
    expect(notes).toHaveLength(3);
  });

  it('serves the next of the same address where the body or the query is another one', async () => {
    const { tape } = await talk();
    const client = new Client(replayed(tape).fetch);
    const said = async (...asked: [string, string, unknown?]) =>
      (await client.ask(...asked)).headers.get(REPLAY_HEADER);
    expect(await said('POST', '/topup?amount=6')).toBe('exchange 1: its query differs');
    expect(await said('POST', '/profile', { id: null, more: 1 })).toBe('exchange 3: its body differs');
  });

  it('refuses what nobody has asked, and names what comes nearest', async () => {
    const { tape } = await talk();
    const client = new Client(replayed(tape).fetch);
    const answer = await client.ask('GET', '/profil');
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text).detail).toBe(
      'GET /api/v1/profil is not in this recording. Nearest: POST /api/v1/profile (exchange 3 of the recording). ' +
        'Expected next: POST /api/v1/topup?amount=5 (exchange 1 of the recording).',
    );
  });

  it('knows a form again where none was expected, whatever its boundary', async () => {
    const { mock, tape } = recorded();
    const send = async (client: Client) => {
      const form = new FormData();
      form.append('task', 'x');
      return (await client.ask('POST', '/task', form)).headers.get(REPLAY_HEADER);
    };
    expect(await send(new Client(mock.fetch))).toBeNull();
    expect(await send(new Client(replayed(tape).fetch))).toBeNull();
  });

  it('takes an empty body for none, as it was recorded', async () => {
    const { mock, tape } = recorded();
    const type = { 'content-type': 'application/json' };
    const send = async (client: Client, body?: Uint8Array) =>
      (await client.ask('POST', '/task', body, type)).headers.get(REPLAY_HEADER);
    const bodies = [new Uint8Array(), undefined];
    for (const body of bodies) await send(new Client(mock.fetch), body);
    const client = new Client(replayed(tape).fetch);
    expect([await send(client, bodies[0]), await send(client, bodies[1])]).toEqual([null, null]);
  });

  it('says where an answer was not recorded whole', async () => {
    const { tape } = await talk();
    tape[0]!.response!.left_out = 99;
    tape[1]!.response!.body = `${'x'.repeat(70_000)}… (12 more characters left out)`;
    const client = new Client(replayed(tape).fetch);
    const large = await client.ask('POST', '/topup?amount=5');
    expect([large.status, large.text]).toEqual([
      409,
      expect.stringContaining('too large to be recorded (99'),
    ]);
    const old = await client.ask('GET', '/usage');
    expect([old.status, old.text]).toEqual([409, expect.stringContaining('not recorded whole')]);
  });

  it('keeps concurrent replies of the same content apart by what they answer', async () => {
    const { mock, tape } = recorded();
    const client = new Client(mock.fetch);
    const { id } = await client.json('POST', '/task', { task: null });
    for (const each of ['first-own-id', 'second-own-id'])
      await client.ask('POST', `/task/${id}/event`, {
        name: 'browser_action',
        id: each,
        payload: { name: 'goto', input: { url: `https://${each}.example` } },
        timestamp: 1_700_000_000_000,
      });
    const again = new Client(replayed(tape).fetch);
    await again.json('POST', '/task', { task: null });
    for (const each of ['second-own-id', 'first-own-id'])
      await again.ask('POST', `/task/${id}/event`, {
        name: 'browser_action',
        id: each,
        payload: { name: 'goto', input: { url: `https://${each}.example` } },
        timestamp: 1_800_000_000_000,
      });
    const texts = (all: Client) => all.got.map((each) => typeof each !== 'string' && each.text);
    expect(texts(again)).toEqual([texts(client)[0], texts(client)[2], texts(client)[1]]);
  });
});

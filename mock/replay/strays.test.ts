import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../index.js';
import { createRecordedMock, openReplay, ReplayClient } from '../../test/support/replay/replay-client.js';
import type { Fetch } from '../serve/fetch.js';

/** Sends mistyped addresses among others, under two keys and without a key. */
async function sendStrayRequests(fetch: Fetch): Promise<ReplayClient['got'][]> {
  const [one, other, none] = [
    new ReplayClient(fetch, 'one'),
    new ReplayClient(fetch, 'other'),
    new ReplayClient(fetch, ''),
  ];
  await one.request('POST', '/tsak', { task: 'x', password: 'hush' });
  await other.request('PUT', '/usage');
  await one.request('GET', '/org');
  await none.request('GET', '/%zz');
  await other.request('GET', '/org');
  await one.request('GET', 'http://127.0.0.1:1/v1/task?apikey=hush');
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array([0, 255])]), 'bytes.bin');
  await one.request('POST', '/fiel', form);
  await one.request('POST', '/tsak', new Uint8Array([255, 254]));
  await one.request('HEAD', '/usage');
  return [one.got, other.got, none.got];
}

describe('requests without an operation', () => {
  it('are in the file as in the journal, and are replayed byte for byte', async () => {
    const { mock, tape } = createRecordedMock();
    const then = await sendStrayRequests(mock.fetch);
    const places = (all: readonly Exchange[]) =>
      all.map(({ organisation, seq, kind, operation, request }) => [
        organisation,
        seq,
        kind,
        operation,
        request.url,
      ]);
    expect(places(mock.journal()).sort()).toEqual(places(tape).sort());
    expect(tape.filter(({ kind }) => kind === 'unknown').map(({ key }) => key)).toEqual([
      1, 2, 3, 1, 1, 1, 1,
    ]);
    expect(JSON.stringify(tape)).not.toContain('hush');
    const replay = openReplay(tape);
    expect(await sendStrayRequests(replay.fetch)).toEqual(then);
    expect(replay.health()).toMatchObject({ next: null, replay: { refused: 0 } });
  });

  it('are replayed from older files, in which they had no organisation', async () => {
    const { mock, tape } = createRecordedMock();
    const then = await sendStrayRequests(mock.fetch);
    let others = 0;
    const old = tape.map((each) => {
      if (each.kind !== 'unknown') return each;
      const { key: _, ...rest } = each;
      return { ...rest, organisation: 'none', seq: ++others };
    });
    const replay = openReplay(old);
    expect(await sendStrayRequests(replay.fetch)).toEqual(then);
    expect(replay.health()).toMatchObject({ next: null, replay: { refused: 0 } });
  });

  it('get no responses of other requests if they were not recorded', async () => {
    const { mock, tape } = createRecordedMock();
    const org = async (fetch: Fetch, key: string) =>
      (await new ReplayClient(fetch, key).request('GET', '/org')).text;
    const then = [await org(mock.fetch, 'one'), await org(mock.fetch, 'other')];
    const replay = openReplay(tape);
    const icon = await new ReplayClient(replay.fetch, 'browser').request(
      'GET',
      'http://127.0.0.1:1/favicon.ico',
    );
    expect(icon.status).toBe(404);
    expect([await org(replay.fetch, 'one'), await org(replay.fetch, 'other')]).toEqual(then);
  });
});

it('a key in a cookie is a key with its own responses', async () => {
  const { mock, tape } = createRecordedMock();
  const sendRequests = async (fetch: Fetch) => {
    const ids: string[] = [];
    const sent: HeadersInit[] = [{ apikey: 'a' }, { cookie: 'apikey=b' }];
    for (const headers of sent) ids.push((await (await fetch('/api/v1/org', { headers })).json()).r.id);
    return ids;
  };
  const then = await sendRequests(mock.fetch);
  expect(new Set(then).size).toBe(2);
  const replay = openReplay(tape);
  expect(await sendRequests(replay.fetch)).toEqual(then);
  expect(replay.health().replay).toMatchObject({ played: 2, refused: 0 });
});

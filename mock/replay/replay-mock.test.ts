import { describe, expect, it } from 'vitest';
import {
  createRecordedMock,
  openReplay,
  playConversation,
  ReplayClient,
} from '../../test/support/replay/replay-client.js';
import { replayMock } from './replay-mock.js';

describe('a replay over HTTP', () => {
  it('moves the recorded addresses of pages to its own address', async () => {
    const { mock, tape } = createRecordedMock();
    const there = await mock.listen();
    await playConversation((input, init) => fetch(new URL(String(input), there.baseUrl), init));
    await mock.close();
    const replay = openReplay(tape);
    const here = await replay.listen();
    expect(here.baseUrl).not.toBe(there.baseUrl);
    // The client downloads from the address in the response.
    await playConversation((input, init) => fetch(new URL(String(input), here.baseUrl), init));
    expect(replay.health()).toMatchObject({ next: null, replay: { refused: 0 } });
    const health = await fetch(`${here.adminUrl}/health`);
    expect(await health.json()).toEqual(replay.health());
    expect((await fetch(`${here.adminUrl}/state`)).status).toBe(404);
    await fetch(`${here.adminUrl}/reset`, { method: 'POST' });
    expect(replay.health().replay.played).toBe(0);
  });

  it('responds to CORS preflight requests without a recording', async () => {
    const { mock, tape } = createRecordedMock();
    await new ReplayClient(mock.fetch).request('GET', '/usage');
    const replay = openReplay(tape);
    expect((await replay.fetch('/api/v1/usage', { method: 'OPTIONS' })).status).toBe(204);
    expect(replay.health().replay.played).toBe(0);
  });

  it('names an invalid exchange given in process', async () => {
    const replay = replayMock([{ seq: 1, kind: 'x' } as never]);
    await expect(replay.ready).rejects.toThrow('exchanges[0]: expected the key "request", which is missing');
    await expect(replay.fetch('/api/v1/usage')).rejects.toThrow('exchanges[0]');
  });
});

import { describe, expect, it } from 'vitest';
import { Mock } from '../mock.js';
import type { MockOptions } from '../options/mock-options.js';

function setUp(options: MockOptions = {}) {
  const mock = new Mock({ clock: 'manual', ...options });
  const send = (method: string, url: string, more: RequestInit & { key?: string } = {}) => {
    const { key = 'k', ...init } = more;
    return mock.fetch(url, { method, ...(key === '' ? {} : { headers: { apikey: key } }), ...init });
  };
  return { mock, send };
}

describe('a request without an operation', () => {
  it('is recorded in the journal of its key, in order of arrival', async () => {
    const seen: string[] = [];
    const { mock, send } = setUp({ onExchange: ({ kind }) => seen.push(kind) });
    await send('GET', '/api/v1/usage');
    await send('POST', '/api/v1/tsak?apikey=hush', { body: '{"task":"x","password":"hush"}' });
    await send('PUT', '/api/v1/usage');
    await send('GET', '/v1/task/%zz', { key: '' });
    const journal = mock.journal({ key: 'k' });
    expect(journal.map(({ seq, kind, operation }) => [seq, kind, operation])).toEqual([
      [1, 'getUsage', 'getUsage'],
      [2, 'unknown', undefined],
      [3, 'unknown', undefined],
    ]);
    expect(journal[1]).toMatchObject({
      organisation: 'org-1',
      request: {
        method: 'POST',
        url: '/api/v1/tsak?apikey=<redacted>',
        body: '{"task":"x","password":"<redacted>"}',
      },
      response: { status: 404, body: expect.stringContaining('There is no operation at POST /api/v1/tsak') },
    });
    expect(journal[1]).not.toHaveProperty('operation');
    expect(journal[2]!.response!.status).toBe(405);
    expect(mock.journal({ key: '' })).toMatchObject([{ seq: 1, kind: 'unknown', organisation: 'org-2' }]);
    expect(mock.journal({ kind: 'unknown' })).toHaveLength(3);
    expect(seen).toEqual(['getUsage', 'unknown', 'unknown', 'unknown']);
    expect(mock.health()).toMatchObject({ organisations: 2, exchanges: 4, inFlight: 0 });
  });

  it('is part of a snapshot, and is restored with it', async () => {
    const { mock, send } = setUp();
    await send('POST', '/api/v1/tsak', { body: new Uint8Array([255]) });
    const state = mock.snapshot();
    const other = new Mock();
    await other.restore(state);
    expect(other.journal()).toEqual(mock.journal());
    expect(other.snapshot()).toEqual(state);
    expect(mock.journal()[0]!.request.body).toBe('(1 bytes, no UTF-8 text)');
  });

  it('counts against the limit of the journal', async () => {
    const { mock, send } = setUp({ limits: { exchanges: 3, journalCharacters: 10_000, organisations: 2 } });
    for (let n = 0; n < 9; n++) await send('GET', `/nowhere/${n}`);
    expect(mock.journal().map(({ seq }) => seq)).toEqual([7, 8, 9]);
    await send('GET', `/${'x'.repeat(20_000)}`);
    expect(mock.journal()).toHaveLength(1);
    for (let n = 0; n < 9; n++) await send('GET', '/nowhere', { key: `key ${n}` });
    expect(mock.health().organisations).toBe(2);
  });

  it('is neither affected nor counted by network rules', async () => {
    const { mock, send } = setUp({ network: [{ network: 'fail', status: 503, times: 1 }] });
    expect((await send('GET', '/api/v1/usgae')).status).toBe(404);
    expect((await send('GET', '/api/v1/usage')).status).toBe(503);
    expect(mock.journal().map(({ network }) => network !== undefined)).toEqual([false, true]);
  });
});

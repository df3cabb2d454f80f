import { describe, expect, it } from 'vitest';
import { nullServices } from '../../../test/mutants/null-services.js';
import { searchMock } from '../../../test/mutants/search-mock.js';
import { type ConformResult, searchService } from '../../conform.js';

function failures({ checks }: ConformResult): string[] {
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

describe('searchService', () => {
  it('finds nothing wrong with the mock, and passes what the sequences show', async () => {
    const report = await searchMock(12);
    expect(failures(report)).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.sequences).toMatchObject({ sequences: 12, observations: [] });
    expect(report.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(20);
  });

  it('sends nothing that the service lacks, by operation or tag', async () => {
    const report = await searchMock(12, undefined, undefined, ['chats', 'listProfiles']);
    const sent = new Set(report.exchanges.map(({ operation }) => operation));
    expect(sent).toContain('createTask');
    for (const lacking of ['listProfiles', 'listChats', 'createChatTask', 'getChat', 'createMessage'])
      expect(sent).not.toContain(lacking);
    const all = new Set((await searchMock(12)).exchanges.map(({ operation }) => operation));
    expect([...all]).toEqual(expect.arrayContaining(['listProfiles', 'listChats']));
  });

  it('takes a difference that does not come back for a note', async () => {
    let lists = 0;
    const report = await searchMock(20, (fetch) => async (input, init) => {
      const response = await fetch(input, init);
      const isList = init?.method === 'GET' && input.endsWith('/api/v1/profile');
      if (!isList || !(await response.clone().text()).includes('td-')) return response;
      // Nothing is expected of those before: their profiles were made or removed at the same time, for example.
      return ++lists === 3 ? Response.json({ r: [] }) : response;
    });
    expect(failures(report)).toEqual([]);
    expect(report.sequences?.observations.map(({ operation }) => operation)).toEqual(['listProfiles']);
  });

  /** Refuses some requests to open a browser session, and returns how many. */
  async function refuseSessions(isRefused: (opened: number) => boolean) {
    let opened = 0;
    let refused = 0;
    const report = await searchMock(60, (fetch) => async (input, init) => {
      if (init?.method !== 'POST' || !input.includes('/browser/session')) return fetch(input, init);
      if (isRefused(opened)) {
        refused++;
        return Response.json({ detail: 'used up' }, { status: 429 });
      }
      opened++;
      return fetch(input, init);
    });
    expect(failures(report)).toEqual([]);
    return refused;
  }

  it('stops to send what a quota of the account refuses, and goes on with the rest', async () => {
    const refused = await refuseSessions((opened) => opened >= 2);
    // Seven tries of each request: of the first two, and of the few in sequences that may change the plan. Without an end they were 150.
    expect(refused).toBeGreaterThan(2);
    expect(refused).toBeLessThan(100);
  });

  it('goes on to send what is refused for a while', async () => {
    let tries = 0;
    // Every second one: all its tries, and the first of the next request.
    const refused = await refuseSessions((opened) => opened % 2 === 1 && ++tries % 9 !== 0);
    expect(refused).toBeGreaterThan(50);
  });

  it('reads a list once in a sequence for a resource that the service does not have', async () => {
    let lists = 0;
    await searchMock(12, (fetch) => (input, init) => {
      if (init?.method !== 'GET' || !input.includes('/api/v1/proxy')) return fetch(input, init);
      lists++;
      return Promise.resolve(Response.json({ r: [] }));
    });
    expect(lists).toBeGreaterThan(0);
    // A few more are drawn by chance, and by the audit at the end.
    expect(lists).toBeLessThan(3 * 12);
  });

  it('passes nothing where there is no service', async () => {
    for (const name of ['constant 200 {"r":{}}', 'constant 404', 'closes every connection']) {
      const report = await searchService({
        baseUrl: 'http://null.test',
        apiKey: 'main-key',
        fetch: nullServices[name]!,
        clock: { now: () => 0, sleep: async () => {} },
        sequences: 3,
        seed: 1,
      });
      expect(
        report.checks.filter(({ outcome }) => outcome === 'passed'),
        name,
      ).toEqual([]);
      expect(report.sequences, name).toBeUndefined();
    }
  });
});

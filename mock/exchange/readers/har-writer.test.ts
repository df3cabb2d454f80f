import { describe, expect, it } from 'vitest';
import { judge } from '../../../conformance/rules/all-rules.js';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import type { Exchange } from '../../../spec/vocabulary.js';
import { loadExamples } from '../../../test/support/rules/example.js';
import { ExchangeBuilder, START_MS } from '../../../test/support/rules/exchange-builder.js';
import { LibraryPlayer } from '../../../test/support/rules/library-player.js';
import { fromHar, NotHar } from './har-reader.js';
import { toHar } from './har-writer.js';

const SECRET = 'cmzr-3f1c0a9be1';
const mistakes = Object.entries(await loadExamples('service')).flatMap(([rule, { bad }]) =>
  Object.entries(bad).map(([mistake, { talk }]) => ({ rule, mistake, talk })),
);

/** A HAR as other programs write it: without fields of taskdouble, with original header names and the host. */
function foreign(exchanges: readonly Exchange[]) {
  const { log } = toHar(exchanges, { base_url: 'https://api.example/base/' });
  const entries = log.entries.map((entry) => {
    const plain = Object.fromEntries(Object.entries(entry).filter(([name]) => !name.startsWith('_')));
    // A message without any header is one whose headers were not recorded.
    const { request, response } = entry;
    plain['request'] = { ...request, headers: [...request.headers, { name: 'accept', value: '*/*' }] };
    plain['response'] = { ...response, headers: [...response.headers, { name: 'date', value: 'today' }] };
    return { ...plain, pageref: 'page_1', startedDateTime: entry.startedDateTime.replace('Z', '+00:00') };
  });
  return { log: { version: '1.2', creator: { name: 'browser', version: '1' }, pages: [], entries } };
}

describe('exchanges as HAR', () => {
  it.each(mistakes)('show the same: $rule, $mistake', ({ talk }) => {
    const findings = judge(talk.exchanges);
    expect(findings.length).toBeGreaterThan(0);
    expect(judge(fromHar(toHar(talk.exchanges)))).toEqual(findings);
    // Other programs cannot write bodies that they could not decode.
    if (talk.exchanges.some(({ response }) => response?.encoding_fault)) return;
    expect(judge(fromHar(JSON.stringify(foreign(talk.exchanges))))).toEqual(findings);
  });

  it('are the same after a round trip, including bodies, times and notes', async () => {
    const player = await LibraryPlayer.start({});
    for (const scenario of (await readLibrary()).slice(0, 12)) await player.play(scenario);
    const exchanges = player.listExchanges();
    await player.close();
    const back = fromHar(JSON.parse(JSON.stringify(toHar(exchanges))));
    expect(back.map(({ request: { url: _, ...request }, ...rest }) => ({ ...rest, request }))).toEqual(
      exchanges.map(({ request: { url: _, ...request }, ...rest }) => ({ ...rest, request })),
    );
    expect(back[0]?.request.url).toBe(`http://localhost${exchanges[0]?.request.url}`);
  });

  it('contain no keys in any place', () => {
    const talk = new ExchangeBuilder().addExchange(
      {
        path: `/usage?api_key=${SECRET}`,
        headers: { apikey: SECRET, cookie: `apikey=${SECRET}`, 'x-other': SECRET },
      },
      { headers: { 'set-cookie': SECRET }, body: { r: { note: `The key ${SECRET} is good.` } } },
    );
    expect(JSON.stringify(toHar(talk.exchanges, { secrets: [SECRET] }))).not.toContain(SECRET);
    const read = fromHar({
      log: {
        entries: [
          {
            startedDateTime: '2026-01-01T00:00:00Z',
            request: {
              method: 'GET',
              url: 'https://api.example/api/v1/usage',
              headers: [{ name: 'ApiKey', value: SECRET }],
            },
          },
        ],
      },
    });
    expect(JSON.stringify(read)).not.toContain(SECRET);
  });

  it('contain the base address once, in any spelling', () => {
    const { exchanges } = new ExchangeBuilder().create();
    for (const base_url of [
      'https://a.example',
      'https://a.example/',
      'https://a.example/api',
      'https://a.example/api/v1/',
    ]) {
      expect(toHar(exchanges, { base_url }).log.entries[0]?.request.url).toBe(
        'https://a.example/api/v1/task',
      );
    }
  });

  it('end with a request without a response', () => {
    const { exchanges } = new ExchangeBuilder().addExchange({ path: '/usage' }, null);
    const [entry] = toHar(exchanges).log.entries;
    expect([entry?.response.status, entry?.time]).toEqual([0, -1]);
    expect(fromHar(foreign(exchanges))[0]?.response).toBeUndefined();
  });
});

describe('a HAR from elsewhere', () => {
  const entry = (more: object, response: object = {}) => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 5,
    request: { method: 'GET', url: 'https://api.example/api/v1/task/t1', headers: [], ...more },
    response: { status: 202, headers: [], content: { size: 0 }, ...response },
  });
  const read = (...entries: object[]) => fromHar({ log: { entries } });

  it('is put into the order of its times', () => {
    const late = { ...entry({}), startedDateTime: '2026-01-01T00:00:01Z' };
    expect(read(late, entry({})).map(({ seq, request }) => [seq, request.at - START_MS])).toEqual([
      [1, 0],
      [2, 1000],
    ]);
  });

  it('may hold bodies in base64, and none where they were left out', () => {
    const text = Buffer.from('{"r":"ü"}').toString('base64');
    const bodies = read(
      entry({}, { content: { size: 10, text, encoding: 'base64' } }),
      entry({}, { content: { size: 999 } }),
      entry({}, { content: { size: 0 } }),
    ).map(({ response }) => response?.body);
    expect(bodies).toEqual(['{"r":"ü"}', '(999 bytes left out)', '']);
    expect(
      judge(
        read(entry({ headers: [{ name: 'apikey', value: 'k' }] }, { status: 200, content: { size: 999 } })),
      ),
    ).toEqual([]);
  });

  it('distinguishes organisations by their keys and reveals nothing of them', () => {
    const named = (value: string) => entry({ headers: [{ name: 'APIKEY', value }] });
    const [one, other, again, anonymous] = read(named('key-1'), named('key-2'), named('key-1'), entry({}));
    expect(one?.organisation).toBe(again?.organisation);
    expect(new Set([one, other, anonymous].map((each) => each?.organisation)).size).toBe(3);
    expect(JSON.stringify([one, other])).not.toMatch(/key-[12]\b/);
  });

  it.each([
    ['no JSON', '<html>', /A HAR is JSON/],
    ['another JSON', '{"a":1}', /object with "log", found \{"a":1\}/],
    ['nothing', undefined, /object with "log"/],
    ['no entries', { log: {} }, /"log\.entries" of a HAR is an array/],
    [
      'an entry that is none',
      { log: { entries: [7] } },
      /"log\.entries\[0\]" of the HAR has no request: found 7/,
    ],
    ['no address', { log: { entries: [{ request: { method: 'GET' } }] } }, /without method and url/],
    ['no time', { log: { entries: [{ request: { method: 'GET', url: '/' } }] } }, /has no time/],
  ])('says what is wrong with %s', (_, har, message) => {
    expect(() => fromHar(har)).toThrow(NotHar);
    expect(() => fromHar(har)).toThrow(message);
  });
});

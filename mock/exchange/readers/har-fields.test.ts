import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { Exchange } from '../../../spec/vocabulary.js';
import { readRecording } from './read-recording.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-har-'));
afterAll(() => rmSync(directory, { recursive: true }));

const JSON_TYPE = { name: 'Content-Type', value: 'application/json' };
const KEY = { name: 'apikey', value: 'cmzr-some-key' };

const entry = (request: object, response: object = {}, more: object = {}) => ({
  startedDateTime: '2026-01-01T00:00:00.125Z',
  time: 5,
  request: {
    method: 'GET',
    url: 'https://api.example/api/v1/task/t1?event_t=0',
    headers: [KEY],
    ...request,
  },
  response: {
    status: 202,
    headers: [JSON_TYPE],
    content: { size: 9, mimeType: 'application/json', text: '{"r": {}}' },
    ...response,
  },
  ...more,
});
const post = (request: object, response: object = {}) =>
  entry({ method: 'POST', url: 'https://api.example/api/v1/task', ...request }, response);

let count = 0;
async function read(...entries: object[]) {
  const path = join(directory, `${++count}.har`);
  writeFileSync(path, JSON.stringify({ log: { version: '1.2', entries } }));
  return readRecording(path);
}
const one = async (each: object) => {
  const { exchanges, notes } = await read(each);
  return { ...exchanges[0]!, gaps: notes };
};

describe('the address of an entry', () => {
  const URL = 'https://api.example/api/v1/task/t1';
  const event_t = { name: 'event_t', value: '5' };

  it.each([
    ['that has all', `${URL}?event_t=5`, undefined, '/api/v1/task/t1?event_t=5'],
    ['with a separate query', URL, [event_t], '/api/v1/task/t1?event_t=5'],
    ['with an empty query', `${URL}?`, [event_t], '/api/v1/task/t1?event_t=5'],
    [
      'with a separate query, decoded',
      URL,
      [{ name: 'a b', value: '1 + 2&3' }],
      '/api/v1/task/t1?a%20b=1%20%2B%202%263',
    ],
    [
      'with parameters listed in another order, and encoded',
      `${URL}?a=%20x&event_t=5`,
      [event_t, { name: 'a', value: '+x' }],
      '/api/v1/task/t1?a=%20x&event_t=5',
    ],
  ])('%s', async (_, url, queryString, expected) => {
    const { request, operation, gaps } = await one(entry({ url, queryString }));
    expect([request.url, operation, gaps]).toEqual([expected, 'getTask', []]);
  });

  it('is used if the list of parameters differs, with additional parameters of the list', async () => {
    const listed = [
      { name: 'event_t', value: '7' },
      { name: 'downloads', value: 'true' },
    ];
    const { request, gaps } = await one(entry({ url: `${URL}?event_t=5`, queryString: listed }));
    expect(request.url).toBe('/api/v1/task/t1?event_t=5&downloads=true');
    expect(gaps).toEqual([
      'contradicts itself in log.entries[0]: "url" and "queryString" differ; the address is used',
    ]);
  });

  it('redacts a key that only the list of parameters has', async () => {
    const { request } = await one(
      entry({ url: URL, queryString: [{ name: 'apikey', value: 'cmzr-in-query' }] }),
    );
    expect(request.url).toContain('apikey=<redacted>');
  });

  it('is one service, however its host is spelled', async () => {
    const { bases } = await read(entry({}), entry({ url: 'https://API.example:443/api/v1/usage' }));
    expect(bases).toEqual(['https://api.example']);
  });
});

describe('the headers of an entry', () => {
  it('may have separate cookies', async () => {
    const cookies = [{ name: 'apikey', value: 'cmzr-some-key' }];
    const headers = [{ name: 'Host', value: 'api.example' }];
    const first = await one(entry({ headers, cookies }));
    const same = await one(
      entry({ headers: [...headers, { name: 'Cookie', value: 'apikey=cmzr-some-key' }] }),
    );
    expect(first.request.headers).toEqual({ host: 'api.example', cookie: '<redacted>' });
    expect(first.organisation).toBe(same.organisation);
    expect(first.gaps).toEqual([]);
  });

  it('belong to one organisation while other cookies change', async () => {
    const cookie = (visit: number) => [{ name: 'cookie', value: `visit=${visit}; apikey=cmzr-some-key` }];
    const { exchanges } = await read(entry({ headers: cookie(1) }), entry({ headers: cookie(2) }));
    expect(exchanges[0]?.organisation).toBe(exchanges[1]?.organisation);
  });

  it('are used if the cookies or the media type differ', async () => {
    const cookies = [{ name: 'apikey', value: 'cmzr-other' }];
    const { response, gaps } = await one(
      entry(
        { headers: [KEY, { name: 'cookie', value: 'apikey=cmzr-some-key' }], cookies },
        { content: { size: 9, mimeType: 'text/html', text: '{"r": {}}' } },
      ),
    );
    expect(response?.headers['content-type']).toBe('application/json');
    expect(gaps).toEqual([
      expect.stringContaining('"cookies" and the header "cookie" differ'),
      expect.stringContaining('"mimeType" and the header "content-type" differ'),
    ]);
  });

  it.each([
    ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['application/octet-stream', undefined],
    ['x-unknown', undefined],
    ['', undefined],
  ])('have the media type %j of a body where it is known', async (mimeType, expected) => {
    const { request } = await one(post({ postData: { mimeType, text: '{"task": "x"}' } }));
    expect(request.headers['content-type']).toBe(expected);
  });

  it('that are repeated are merged if they are equal', async () => {
    const twice = [JSON_TYPE, { name: 'content-type', value: 'application/json' }];
    const { response } = await one(
      entry({}, { headers: [...twice, { name: 'Vary', value: 'a' }, { name: 'vary', value: 'b' }] }),
    );
    expect(response?.headers).toEqual({ 'content-type': 'application/json', vary: 'a, b' });
  });

  it('are not known where there are none at all', async () => {
    const none = await one(entry({ headers: [] }, { headers: undefined }));
    expect(none.unrecorded).toEqual(['headers']);
    expect((await one(entry({}))).unrecorded).toBeUndefined();
  });
});

describe('the body of a request', () => {
  const isJson = [KEY, JSON_TYPE];
  const form = { name: 'content-type', value: 'application/x-www-form-urlencoded' };
  const params = [
    { name: 'task', value: 'a b' },
    { name: 'url', value: '' },
  ];

  it.each<[string, object, string | undefined, number | undefined]>([
    ['is absent where its size is 0', { bodySize: 0 }, undefined, undefined],
    ['is not known without a size', {}, '(0 bytes left out)', 0],
    ['is not known where its size is -1', { bodySize: -1 }, '(0 bytes left out)', 0],
    [
      'was left out where a header has its length',
      { bodySize: -1, headers: [KEY, { name: 'content-length', value: '7' }] },
      '(7 bytes left out)',
      7,
    ],
    [
      'is absent where a header says so',
      { bodySize: -1, headers: [KEY, { name: 'content-length', value: '0' }] },
      undefined,
      undefined,
    ],
    ['stands in the fields of a form', { headers: [form], postData: { params } }, 'task=a+b&url=', undefined],
    [
      'stands in the fields of a form, behind an empty text',
      { headers: [form], postData: { text: '', params } },
      'task=a+b&url=',
      undefined,
    ],
    [
      'is that of the fields where the text was cut',
      { headers: [form], bodySize: 13, postData: { text: 'task=', params } },
      'task=a+b&url=',
      undefined,
    ],
    [
      'is unknown if JSON was parsed as a form',
      { headers: isJson, bodySize: 30, postData: { params } },
      '(30 bytes left out)',
      30,
    ],
    [
      'is the JSON that was parsed as a field',
      { headers: isJson, postData: { params: [{ name: '{"task":"a', value: 'b"}' }] } },
      '{"task":"a=b"}',
      undefined,
    ],
    [
      'was compressed',
      {
        headers: [...isJson, { name: 'Content-Encoding', value: 'gzip' }],
        postData: { encoding: 'base64', text: gzipSync('{"task":"x"}').toString('base64') },
      },
      '{"task":"x"}',
      undefined,
    ],
  ])('%s', async (_, request, body, left_out) => {
    // Another request of the file has a body.
    const { exchanges } = await read(post(request), post({ postData: { text: '{"task": null}' } }));
    const { request: parsed } = exchanges[0]!;
    expect([parsed.body, parsed.left_out]).toEqual([body, left_out]);
  });

  it('is not expected of a poll', async () => {
    expect((await one(entry({ bodySize: -1 }))).request.body).toBeUndefined();
  });

  it('is unknown if no request of the file has one, although the service accepted them', async () => {
    const without = post({ bodySize: 0 }, { status: 200 });
    const refused = post({ bodySize: 0 }, { status: 422 });
    const { exchanges, notes } = await read(without, refused, entry({}));
    expect(exchanges.map(({ request }) => request.left_out)).toEqual([0, undefined, undefined]);
    expect(notes).toEqual(['has no bodies in its requests']);
    const other = await read(without, post({ postData: { text: '{"task": "x"}' } }));
    expect([other.exchanges[0]?.request.left_out, other.notes]).toEqual([undefined, []]);
  });

  it('is the text where its fields differ', async () => {
    const postData = { text: 'task=x', params };
    const { request, gaps } = await one(post({ headers: [KEY, form], postData }));
    expect([request.body, gaps]).toEqual(['task=x', [expect.stringContaining('"text" and "params"')]]);
  });
});

describe('the body of a response', () => {
  const TEXT = '{"r": {"id": "t1", "status": "running", "events": []}}';
  const response = (content: object, encoding?: string) => ({
    headers: [JSON_TYPE, ...(encoding === undefined ? [] : [{ name: 'Content-Encoding', value: encoding }])],
    content: { size: 100, mimeType: 'application/json', ...content },
  });
  const base64 = (bytes: Uint8Array) => ({ encoding: 'base64', text: Buffer.from(bytes).toString('base64') });
  const packed = gzipSync(TEXT);

  it.each<[string, object, string?]>([
    ['gzip', base64(packed), 'gzip'],
    ['gzip, in capitals', base64(packed), 'GZIP'],
    ['brotli', base64(brotliCompressSync(TEXT)), 'br'],
    ['deflate', base64(deflateSync(TEXT)), 'deflate'],
    ['deflate without a header', base64(deflateRawSync(TEXT)), 'deflate'],
    ['two encodings', base64(gzipSync(deflateSync(TEXT))), 'deflate, gzip'],
    ['gzip without its header', base64(packed)],
    ['gzip in base64, and nothing says so', { text: packed.toString('base64') }, 'gzip'],
    ['gzip as characters', { text: packed.toString('latin1') }, 'gzip'],
    ['what was decompressed already', { text: TEXT }, 'gzip'],
    ['what was decompressed already, in base64', base64(Buffer.from(TEXT)), 'br'],
  ])('is read: %s', async (_, content, encoding) => {
    const { response: parsed } = await one(entry({}, response(content, encoding)));
    expect(parsed).toMatchObject({ body: TEXT });
    expect(parsed).not.toHaveProperty('body_base64');
    expect(parsed).not.toHaveProperty('left_out');
  });

  it.each<[string, object, string | undefined, number]>([
    ['damaged', base64(packed.subarray(0, 20)), 'gzip', 100],
    ['of an unknown encoding', base64(packed), 'zip-of-tomorrow', packed.length],
    ['of many bytes in few', base64(gzipSync(Buffer.alloc(17 * 1024 * 1024))), 'gzip', 1],
    ['read as text', { text: '\u001f\ufffd\b\u0000' }, 'gzip', 100],
    ['cut, with a comment', { size: 5, text: '{"r":', comment: 'truncated' }, undefined, 0],
    ['left out, with a size of 0', { size: 0, text: undefined }, 'gzip', 0],
  ])('is not known: %s', async (_, content, encoding, least) => {
    const given = response(content, encoding);
    given.headers.push({ name: 'transfer-encoding', value: 'chunked' });
    const { response: parsed } = await one(entry({}, given));
    expect(parsed?.left_out).toBeGreaterThanOrEqual(least === 100 ? 1 : least);
    expect(parsed).not.toHaveProperty('body_base64');
  });

  it('is not expected where there can be none', async () => {
    const headers = [JSON_TYPE, { name: 'content-length', value: '99' }];
    const { exchanges } = await read(entry({ method: 'HEAD' }, { headers, content: { size: 0 } }), entry({}));
    const [{ response: parsed }] = exchanges as [Exchange];
    expect(parsed).toMatchObject({ body: '' });
    expect(parsed).not.toHaveProperty('left_out');
  });
});

describe('the response of an entry', () => {
  it.each<[string, object, number | undefined, string[] | undefined]>([
    ['as a text', { status: '202' }, 202, undefined],
    ['in its text alone', { status: 0, statusText: 'Accepted' }, 202, undefined],
    ['in its text with the number', { status: undefined, statusText: '202 Accepted' }, 202, undefined],
    ['that is not there: not known', { status: 0 }, undefined, ['response']],
    ['that is -1: not known', { status: -1, statusText: '' }, undefined, ['response']],
    ['of a failed request: no response', { status: 0, _error: 'net::ERR_ABORTED' }, undefined, undefined],
    ['of an aborted request: no response', { status: -1, _failureText: 'aborted' }, undefined, undefined],
  ])('has a status %s', async (_, response, status, unrecorded) => {
    const parsed = await one(entry({}, response));
    expect([parsed.response?.status, parsed.unrecorded]).toEqual([status, unrecorded]);
  });

  it('may not be there at all', async () => {
    const parsed = await one({ ...entry({}), response: undefined });
    expect([parsed.response, parsed.unrecorded]).toEqual([undefined, ['response']]);
  });

  it('has the number where its text differs', async () => {
    const parsed = await one(entry({}, { status: 200, statusText: 'Accepted' }));
    expect([parsed.response?.status, parsed.gaps]).toEqual([
      200,
      [expect.stringContaining('"status" and "statusText" differ')],
    ]);
    expect((await one(entry({}, { statusText: 'Fine' }))).gaps).toEqual([]);
  });
});

describe('the times of an entry', () => {
  const timed = (more: object) => entry({}, {}, more);
  const timings = { blocked: -1, dns: 1, connect: 4, ssl: 3, send: 0, wait: 40, receive: 5.4 };

  it('are the sum of its phases where there is no total', async () => {
    for (const time of [undefined, -1, 0, 50.4]) {
      const { request, response, gaps } = await one(timed({ time, timings }));
      expect([response!.at - request.at, gaps]).toEqual([50, []]);
    }
    const { request, response, gaps } = await one(timed({ time: 5000, timings }));
    expect([response!.at - request.at, gaps]).toEqual([
      5000,
      [expect.stringContaining('"time" and "timings"')],
    ]);
  });

  it.each([
    ['2026-01-01T00:00:00Z', 1000],
    ['2026-01-01T00:00:00.1+01:00', 100],
    ['2026-01-01T00:00:00.12Z', 10],
    ['2026-01-01T00:00:00.123456Z', undefined],
  ])('of %s are as exact as they are written', async (startedDateTime, resolution_ms) => {
    expect((await one(timed({ startedDateTime }))).resolution_ms).toBe(resolution_ms);
  });

  it('are in seconds where all have a fraction of zero', async () => {
    const at = (second: number) => timed({ startedDateTime: `2026-01-01T00:00:0${second}.000Z` });
    const { exchanges, notes } = await read(at(1), at(2), at(3));
    expect([exchanges[0]?.resolution_ms, notes]).toEqual([
      1000,
      [expect.stringMatching(/^has times in whole seconds/)],
    ]);
    expect((await read(at(1), at(2), timed({}))).exchanges[0]?.resolution_ms).toBeUndefined();
  });
});

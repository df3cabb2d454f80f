import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { InvalidFile } from '../../../scenarios/format/invalid-file.js';
import { readRecording } from './read-recording.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-recordings-'));
afterAll(() => rmSync(directory, { recursive: true }));

const LINE = JSON.stringify({
  ...{ version: 1, seq: 1, kind: 'getUsage', operation: 'getUsage', organisation: 'org-1' },
  request: { method: 'GET', url: '/api/v1/usage', headers: {}, at: 0 },
});

const entry = (path: string, request: object = {}, response: object = {}) => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 5,
  request: {
    method: 'GET',
    url: `https://api.example${path}`,
    headers: [{ name: 'apikey', value: 'k' }],
    ...request,
  },
  response: { status: 200, headers: [], content: { size: 9, text: '{"r": {}}' }, ...response },
});
const har = (...entries: unknown[]) => JSON.stringify({ log: { version: '1.2', creator: {}, entries } });
const POLL = entry('/api/v1/task/t1?event_t=0');

let count = 0;
async function read(content: string | Buffer, name = 'x') {
  const path = join(directory, `${++count}-${name}`);
  writeFileSync(path, content);
  const { file: _, ...recording } = await readRecording(path);
  return recording;
}

describe('a recording', () => {
  it('is a journal or a HAR by content, packed or not, with any name', async () => {
    const gzip = [gzipSync(LINE), gzipSync(`\n${LINE}`)];
    for (const content of [LINE, `\ufeff${LINE}`, gzipSync(LINE), Buffer.concat(gzip)])
      expect(await read(content)).toMatchObject({ format: 'journal', notes: [] });
    expect((await read(Buffer.concat(gzip))).exchanges).toHaveLength(2);
    for (const content of [har(POLL), `\ufeff ${har(POLL)}`, gzipSync(har(POLL))])
      expect(await read(content)).toMatchObject({
        format: 'HAR',
        notes: [],
        exchanges: [{ seq: 1, kind: 'poll' }],
      });
    const late = JSON.stringify({ comment: '', log: { entries: [POLL] } });
    expect((await read(late, 'late.har')).exchanges).toHaveLength(1);
  });

  it('has paths, operations and organisations, and no keys', async () => {
    const sent = { postData: { text: '{"name":"tool_call"}' }, method: 'POST' };
    const { exchanges, bases } = await read(
      har(
        entry('/base/api/v1/task/t1/event', { ...sent, headers: [{ name: 'APIKEY', value: 'secret-key' }] }),
        entry('/base//api/v1/task/t1?note=secret-key', {
          headers: [{ name: 'apikey', value: 'secret-key' }],
        }),
        entry('/base/api/v1/taks'),
      ),
    );
    expect(bases).toEqual(['https://api.example/base']);
    expect(exchanges.map(({ kind, operation, request }) => [kind, operation, request.url])).toEqual([
      ['reply', 'sendTaskEvent', '/api/v1/task/t1/event'],
      ['poll', 'getTask', '//api/v1/task/t1?note=<redacted>'],
      ['unknown', undefined, '/api/v1/taks'],
    ]);
    const [one, two, three] = exchanges.map(({ organisation }) => organisation);
    expect(one).toBe(two);
    expect(three).not.toBe(one);
    expect(JSON.stringify(exchanges)).not.toContain('secret-key');
  });

  it('leaves out other hosts, preflight requests and other services with the same path by chance', async () => {
    const others = [
      entry('/logo.svg'),
      entry('/search?to=/api/v1/task'),
      entry('/api/v1/task', { method: 'OPTIONS' }),
      { ...POLL, request: { method: 'GET', url: 'https://crm.example/api/v1/org' } },
      { ...POLL, request: { method: 'GET', url: 'data:text/plain,/x' } },
    ];
    expect(await read(har(...others, POLL))).toMatchObject({ others: 5, bases: ['https://api.example'] });
  });

  it('reports that there are two services', async () => {
    const other = { ...POLL, request: { ...POLL.request, url: 'https://staging.example/api/v1/task/t1' } };
    const { notes, exchanges } = await read(har(POLL, other));
    expect(notes).toEqual(['has 2 services: https://api.example, https://staging.example']);
    expect(new Set(exchanges.map(({ organisation }) => organisation)).size).toBe(2);
  });

  it('notes what was not recorded', async () => {
    const content = (given: object | undefined, more: object = {}) =>
      entry('/api/v1/usage', {}, { content: given, ...more });
    const { exchanges } = await read(
      har(
        content(undefined),
        content({ size: 120 }),
        content({ size: -1 }),
        content({ size: 20, text: '', comment: 'Response bodies are not included.' }),
        content({ size: 20, text: '{"r": {"a' }),
        content({ size: 4, text: '{"r": {}}' }),
        content({ size: 9, text: 'ÿ', encoding: 'base64' }),
        content({ size: 2, text: '//4=', encoding: 'base64' }),
        content({ size: 3, _file: 'body.json' }),
        content({ size: 0 }, { status: 204 }),
      ),
    );
    const bodies = exchanges.map(({ response }) => [response?.left_out, response?.body_base64]);
    expect(bodies).toEqual([
      [0, undefined],
      [120, undefined],
      [0, undefined],
      [20, undefined],
      [11, undefined],
      [undefined, undefined],
      [9, undefined],
      [undefined, '//4='],
      [3, undefined],
      [undefined, undefined],
    ]);
  });

  it('assumes that keys were removed if a service accepted requests without any', async () => {
    const keyless = { ...POLL, request: { ...POLL.request, headers: [] } };
    const { notes, exchanges } = await read(har(keyless));
    expect(notes).toEqual([expect.stringMatching(/has no keys in its requests/)]);
    expect(exchanges[0]?.request.headers.apikey).toBe('<redacted>');
    const refused = { ...keyless, response: { ...POLL.response, status: 401 } };
    const wrong = {
      ...keyless,
      request: { ...keyless.request, headers: [{ name: 'x-api-key', value: 'k' }] },
    };
    for (const each of [refused, wrong]) expect((await read(har(each))).notes).toEqual([]);
  });

  it('contains everything before the cut', async () => {
    const cut = har(POLL, POLL, POLL).slice(0, -60);
    const { exchanges, notes } = await read(cut);
    expect([exchanges.length, notes]).toEqual([
      2,
      [
        `is truncated at byte ${cut.length}: entries after 2 are missing, and the last responses may be missing`,
      ],
    ]);
    const packed = gzipSync(
      har(...Array.from({ length: 3000 }, (_, n) => entry(`/api/v1/task/t${(n * 7919) % 3001}`))),
    );
    const half = await read(packed.subarray(0, packed.length >> 1));
    expect(half.exchanges.length).toBeGreaterThan(100);
    const damaged = Buffer.from(packed);
    damaged.fill(0xff, packed.length >> 1);
    expect((await read(damaged)).notes).toEqual([expect.stringMatching(/^is truncated at byte/)]);
    const journal = await read(`${LINE}\n${LINE.slice(0, 40)}`);
    expect([journal.exchanges.length, journal.notes]).toEqual([
      1,
      ['line 2 is left out: found invalid or incomplete JSON'],
    ]);
  });

  it('is not trusted in the fields that taskdouble adds to entries', async () => {
    const hostile = { seq: 1, kind: 7, network: 'x', request: { url: 1 } };
    const { exchanges } = await read(har({ ...POLL, _exchange: hostile }));
    expect(exchanges).toMatchObject([
      { seq: 1, kind: 'poll', request: { url: '/api/v1/task/t1?event_t=0' } },
    ]);
    expect(exchanges[0]).not.toHaveProperty('network');
  });

  it('is not a response of the service where the browser had it in its cache', async () => {
    const { exchanges } = await read(har({ ...POLL, _fromCache: 'disk' }));
    expect(exchanges[0]?.network).toMatchObject([{ effect: 'replaced' }]);
  });

  it.each([
    ['', 'x', /x:1:1: expected exchanges.*found nothing/],
    ['<html>', 'x', /x:1:1: expected exchanges.*found invalid or incomplete JSON/],
    ['<html>', 'x.har', /x\.har: A HAR is JSON, and this file is not/],
    ['{"log":7}', 'x.har', /x\.har: A HAR is an object with "log"/],
    ['{"a":1}', 'x.har', /object with "log", found \{"a":1\}/],
    ['{"log":{}}', 'x', /"log\.entries" of a HAR is an array, found nothing/],
    ['', 'x.har', /x\.har: The file is empty: record it again/],
    [
      '{"log":{"entries":[',
      'x',
      /is truncated: it ends at byte 19, before the first entry of "log\.entries"/,
    ],
    ['{"log":{"crea', 'x', /is truncated: it ends at byte 13, .* Copy the whole file, or record it again\./],
    [LINE.slice(0, 40), 'x', /x:1:1: expected exchanges.*found invalid or incomplete JSON/],
    [har(7), 'x', /"log\.entries\[0\]" of the HAR has no request: found 7/],
    [har(POLL, { request: { method: 'GET' } }), 'x', /"log\.entries\[1\]" .* without method and url/],
    [har({ ...POLL, startedDateTime: 'today' }), 'x', /has no time: its startedDateTime is "today"/],
    ['{"log":{"entries":[{"a":}]}}', 'x', /"log\.entries\[0\]" of the HAR is no JSON/],
    [Buffer.from(`\ufeff${har(POLL)}`, 'utf16le'), 'x', /found UTF-16; save the file as UTF-8/],
    [Buffer.from('PK\x03\x04…'), 'x.har', /found a ZIP archive; unpack it/],
  ])('%j is refused in one line', async (content, name, message) => {
    const error = await read(content, name).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidFile);
    expect((error as InvalidFile).message).toMatch(message);
    expect((error as InvalidFile).message).not.toContain('\n');
  });

  it('is refused if it is missing or too large, before it is read', async () => {
    await expect(readRecording(directory)).rejects.toThrow(/expected a file, found a directory/);
    await expect(readRecording(join(directory, 'none'))).rejects.toThrow(/found nothing there/);
    const path = join(directory, 'large.har');
    const descriptor = openSync(path, 'w');
    ftruncateSync(descriptor, 5 * 1024 ** 3);
    closeSync(descriptor);
    await expect(readRecording(path)).rejects.toThrow(
      /large\.har: expected a recording of at most 4 GiB, found 5\.0 GiB; record/,
    );
  });
});

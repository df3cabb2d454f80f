import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { judgeBothSides } from '../../conformance/both-sides/both-sides.js';
import { convertExchanges } from '../../conformance/recordings/scenario/convert-recording.js';
import { readRecording } from '../../mock/exchange/readers/read-recording.js';
import { InvalidFile } from '../../scenarios/format/invalid-file.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-hostile-'));
afterAll(() => rmSync(directory, { recursive: true }));

const line = (change: object = {}, response: object = {}) =>
  JSON.stringify({
    ...{ version: 1, seq: 1, kind: 'poll', operation: 'getTask', organisation: 'org-1', key: 1, task: 't1' },
    request: { method: 'GET', url: '/api/v1/task/t1?event_t=0', headers: { apikey: '<redacted>' }, at: 0 },
    response: { status: 202, headers: {}, body: '{"r":{"id":"t1","status":"running"}}', at: 1, ...response },
    ...change,
  });
const FINE = line();
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

/** Lines of a journal between two good ones, and how many exchanges are read of the three. */
const LINES: readonly [name: string, bytes: string | Buffer, count: number][] = [
  ['no JSON', 'nonsense', 2],
  ['JSON that is no exchange', '{"a":1}', 2],
  ['a list', '[]', 2],
  ['null', 'null', 2],
  ['half a line', FINE.slice(0, 60), 2],
  ['two lines in one', FINE + FINE, 2],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00]), 2],
  ['an escape sequence', '\x1b[2J', 2],
  ['50,000 levels', DEEP, 2],
  ['50,000 levels in a body', line({}, { body: DEEP }), 3],
  ['status 999', line({}, { status: 999 }), 3],
  ['status 0', line({}, { status: 0 }), 2],
  ['a status as a text', line({}, { status: '200' }), 2],
  ['a number that no time is', line({}, { at: 1e300 }), 2],
  ['a negative time', line({}, { at: -5 }), 3],
  ['__proto__ as a header', FINE.replace('"headers":{"apikey"', '"headers":{"__proto__":"x","apikey"'), 3],
  ['__proto__ in a body', line({}, { body: '{"r":{"__proto__":{"id":1}}}' }), 3],
  ['base64 that is none', line({}, { body_base64: '%%%' }), 2],
  ['a seq twice', FINE, 3],
  ['a task named like a method', line({ task: 'constructor' }), 3],
  ['a url of 100 kB', FINE.replace('event_t=0', `event_t=${'9'.repeat(100_000)}`), 3],
  ['a url that is none', FINE.replace('/api/v1/task/t1?event_t=0', '\\\\\\\\host/\\u0000'), 3],
];

describe('a journal between whose lines stands', () => {
  it.each(LINES)('%s is read, judged and made a scenario of', async (name, bytes, count) => {
    const text = Buffer.concat([FINE, '\n', bytes, '\n', FINE].map((each) => Buffer.from(each)));
    const packed = LINES.findIndex(([each]) => each === name) % 2 === 0;
    const file = join(directory, packed ? 'x.jsonl.gz' : 'x.jsonl');
    writeFileSync(file, packed ? gzipSync(text) : text);
    const { exchanges, notes } = await readRecording(file);
    expect([exchanges.length, notes.length]).toEqual([count, 3 - count]);
    for (const note of notes) expect(note).toMatch(/^line 2 is left out: \P{Cc}+$/u);
    const run = { baseUrl: 'http://service.example', started: new Date(0), duration_ms: 1 };
    expect(judgeBothSides(exchanges).createReport(run).checks.length).toBeGreaterThan(0);
    expect(() => convertExchanges(exchanges, 'a journal')).not.toThrow();
  });

  it.each(LINES.filter(([, , count]) => count === 2))(
    '%s is refused where there is nothing else',
    async (_, bytes) => {
      const file = join(directory, 'alone.jsonl');
      writeFileSync(file, bytes);
      await expect(readRecording(file)).rejects.toBeInstanceOf(InvalidFile);
    },
  );
});

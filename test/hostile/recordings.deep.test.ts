import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { readRecording } from '../../mock/exchange/readers/read-recording.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-hostile-'));
afterAll(() => rmSync(directory, { recursive: true }));

const BODY = 'x'.repeat(16 * 1024 * 1024);
/** Together more than a reader keeps. */
const COUNT = 17;
const URL = 'http://service.example/api/v1/task';

const JOURNAL_LINE = JSON.stringify({
  ...{ version: 1, seq: 1, kind: 'createTask', organisation: 'org-1' },
  request: { method: 'POST', url: '/api/v1/task', headers: {}, body: BODY, at: 0 },
});
const HAR_ENTRY = JSON.stringify({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 1,
  request: { method: 'POST', url: URL, headers: [], postData: { mimeType: 'text/plain', text: BODY } },
  response: { status: 200, headers: [], content: {} },
});

it.each([
  ['x.jsonl', Array(COUNT).fill(JOURNAL_LINE).join('\n')],
  ['x.har', `{"log":{"version":"1.2","entries":[${Array(COUNT).fill(HAR_ENTRY).join(',')}]}}`],
])(
  '%s with more bodies than memory should take is refused, small as it is when packed',
  async (name, text) => {
    const file = join(directory, name);
    const packed = gzipSync(text);
    writeFileSync(file, packed);
    expect(packed.length).toBeLessThan(1024 * 1024);
    await expect(readRecording(file)).rejects.toThrow(/more than 256 MiB of bodies for this API: split it/);
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readPageOfContent } from './view-page.js';

const HAR = readFileSync(join(import.meta.dirname, '../fixtures/recordings/chrome.har'));

it('reads a recording that was sent, packed or not, under its own name', async () => {
  for (const [name, content] of [
    ['../my <bug>.har', HAR],
    ['bug.har.gz', gzipSync(HAR)],
  ] as const) {
    const page = await readPageOfContent(name, content);
    expect(page).toMatchObject({ kind: 'recording', title: name });
    expect((page as { exchanges: unknown[] }).exchanges.length).toBeGreaterThan(1);
  }
});

it.each<[name: string, content: string | Uint8Array, message: RegExp]>([
  ['empty.har', '', /^empty.har: .*the file is empty/],
  ['photo.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), /^photo.png: .*begins as none of them/],
  ['other.har', '{"log":{"entries":[]}}', /^other.har: there is no request to this API/],
  ['report.json', '{"taskdouble": "0.1.0", "checks": 7}', /^report.json/],
  ['runs.json', '{"kind":"race","bad":7}', /^runs.json.*expected the runs of a race/],
  ['plain.yaml', 'title: Tea\nrequest: { task: Tea }\ntimeline: []\n', /plain.yaml/],
  ['half.har', HAR.subarray(0, 60), /^half.har/],
])('rejects %s with one message that names it', async (name, content, message) => {
  await expect(readPageOfContent(name, content)).rejects.toThrow(message);
});

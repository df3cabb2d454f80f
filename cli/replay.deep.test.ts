import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { endAll, startMock } from '../test/support/cli/command.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-replay-'));
afterEach(endAll);
afterAll(() => rmSync(directory, { recursive: true }));

describe('taskdouble mock --replay', () => {
  it('keeps large and binary bodies whole, and says where one is too large', async () => {
    const file = join(directory, 'large.jsonl');
    const mock = await startMock('--journal', file);
    const upload = async (base_url: string, size: number) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(size).fill(255)]), 'x.bin');
      const init = { method: 'POST', headers: { apikey: 'test' }, body: form };
      return (await fetch(`${base_url}/api/v1/file`, init)).text();
    };
    const task = `Say ${'ö'.repeat(100_000)}`;
    const created = (await mock.call('POST', '/task', { task })).body;
    const then = [await upload(mock.base_url, 200_000), await upload(mock.base_url, 17 * 1024 * 1024)];
    await mock.command.says(
      /leaves out the body of the request of exchange 3 of org-1 \(POST \/api\/v1\/file\): 178\d+ bytes, more than 16 MiB\./,
    );
    await mock.command.end();
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!).request.body).toContain(
      'ö'.repeat(100_000),
    );
    const replay = await startMock('--replay', file);
    expect((await replay.call('POST', '/task', { task })).body.r.id).toBe(created.r.id);
    expect([await upload(replay.base_url, 200_000), await upload(replay.base_url, 17 * 1024 * 1024)]).toEqual(
      then,
    );
  });
});

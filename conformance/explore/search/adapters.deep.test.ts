import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { listWords, VIRTUAL_HANDSHAKE } from '../../../test/support/client/open-adapter.js';
import type { Client } from '../../client/types.js';
import { replay } from '../reproduce/replay.js';
import type { ExploreEvent, ExploreOptions } from '../types.js';
import { explore } from './explore.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-adapters-'));
afterAll(() => rmSync(directory, { recursive: true }));

const BUGGY = 'buggy/own-reply-id';
const adapter = listWords(VIRTUAL_HANDSHAKE, '', BUGGY);
const search: Omit<ExploreOptions, 'client'> = {
  scenarios: ['tool-calls/one-call'],
  schedules: 4,
  timeLimitMs: 600_000,
};
const sort = (report: { failures: { key: string }[] }) => report.failures.map(({ key }) => key).sort();

describe('a search with a persistent adapter', () => {
  it('finds what it finds with the command of the client, and a failure is reproduced', async () => {
    const file = join(findPackageRoot(), `fixtures/clients/${BUGGY}.mjs`);
    const one = await explore({ ...search, client: { kind: 'node', command: [process.execPath, file] } });
    const events: ExploreEvent[] = [];
    const report = await explore({ ...search, client: adapter }, (event) => events.push(event));
    expect(report).toMatchObject({ time: 'virtual (adapter)', adapter: 'node, a process for each job' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'start', adapter: report.adapter }));
    expect(sort(report)).toEqual(sort(one));
    expect([report.failures.length > 0, report.nondeterministic]).toEqual([true, []]);
    const path = join(directory, 'failure.yaml');
    writeFileSync(path, report.failures[0]!.yaml);
    const client: Client = { kind: 'command', command: adapter, timeOfAdapter: 'virtual' };
    const { shown, run } = await replay(path, client);
    expect([shown, run.kind, run.adapter]).toEqual([true, 'adapter', report.adapter]);
  });

  it('runs its part of the schedules', async () => {
    const run = (part: number) => explore({ ...search, client: adapter, shard: { part, of: 2 } });
    const parts = [await run(1), await run(2)];
    for (const report of parts) {
      expect(report.time).toBe('virtual (adapter)');
      expect(sort(report).length).toBeGreaterThan(0);
    }
  });

  it('is made in real time if the caller decides so', async () => {
    const command = listWords(VIRTUAL_HANDSHAKE);
    const client: Client = { kind: 'command', command, timeOfAdapter: 'real' };
    const report = await explore({ ...search, client, schedules: 1 });
    expect([report.time, report.adapter]).toEqual(['real', 'node, a process for each job']);
  });
});

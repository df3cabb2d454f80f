import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { HANDSHAKE, listWords } from '../../test/support/client/open-adapter.js';
import { loadPairs } from '../client/run/pairs.js';
import { formatColophon } from '../report/verdict.js';
import { checkClient } from './check-client.js';

const PYTHON = ['python3', join(findPackageRoot(), 'fixtures/adapters/adapter.py')];

it('an adapter that can do two jobs in one process plays the pairs', async () => {
  const exclude = (await loadLibrary()).map(({ name }) => name);
  const client = { kind: 'command', command: PYTHON, timeOfAdapter: 'virtual' } as const;
  const { target, summary, checks, ...report } = await checkClient({ client, exclude });
  expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  const played = new Set(checks.map(({ case: name }) => name));
  expect([...played]).toEqual(['unknown-scenario', ...(await loadPairs()).map(({ name }) => name)]);
  expect(summary).toMatchObject({ failed: 0, inconclusive: 0, skipped: 0 });
  expect(formatColophon({ ...report, target, summary, checks })).toMatch(
    /seed 1, in virtual time \(python, a forked process for each job\)$/,
  );
});

it('a search is made on virtual time, unless the caller decides otherwise', async () => {
  const options = { scenarios: ['polling/one-shot'], search: 1 };
  const { target } = await checkClient({ ...options, client: PYTHON });
  expect(target.time).toBe('virtual (adapter)');
  const client = { kind: 'command', command: PYTHON, timeOfAdapter: 'real' } as const;
  const inRealTime = await checkClient({ ...options, client });
  expect(inRealTime.target).toMatchObject({ time: 'real', adapter: expect.stringContaining('python') });
});

it('an adapter is judged in real time by default', async () => {
  const { target, checks } = await checkClient({
    client: listWords(HANDSHAKE),
    scenarios: ['polling/one-shot', 'tool-calls/one-call'],
  });
  expect(target).toMatchObject({ time: 'real', adapter: 'node, one process for all jobs' });
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

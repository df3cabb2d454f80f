import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { checkClient } from '../check-client/check-client.js';
import type { Client, ClientFunction } from './types.js';

const CLIENTS = join(findPackageRoot(), 'fixtures/clients');
const PACED = join(findPackageRoot(), 'test/support/client/paced-client.mjs');
const { makeClient } = (await import(join(CLIENTS, 'reference.mjs'))) as {
  makeClient(variation: object): ClientFunction;
};

const TIMES = ['real', 'virtual, in a process', 'virtual, in this process'] as const;
type Time = (typeof TIMES)[number];

async function clientIn(time: Time, path: string, ...args: string[]): Promise<Client> {
  const command = [process.execPath, path, ...args];
  if (time === 'real') return { kind: 'command', command };
  if (time === 'virtual, in a process') return { kind: 'node', command };
  return { kind: 'function', run: ((await import(path)) as { run: ClientFunction }).run };
}

/** Ids of the checks that did not pass. Clients wait most of the time: many run at once. */
async function notPassed(client: Client, scenarios?: string[], jobs = 16): Promise<string[]> {
  const report = await checkClient({ client, ...(scenarios && { scenarios }), unknownScenario: false, jobs });
  expect(report.summary.passed + report.summary.failed).toBeGreaterThan(0);
  return report.checks
    .filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
    .map(({ id, outcome }) => `${id} ${outcome}`)
    .sort();
}

describe.each(TIMES)('in time that is %s', (time) => {
  const PACES_MS = time === 'virtual, in this process' ? [500, 1000, 2000, 5000, 10_000] : [10_000];

  // In real time the whole library takes minutes, and on a busy machine a client of another pace than its own.
  const isWhole = time !== 'real';
  it.runIf(isWhole).each(PACES_MS)(
    'a correct client that polls every %i ms passes everything',
    { timeout: 1_200_000 },
    async (pace_ms) => {
      // A process for each scenario: some of the library.
      const scenarios =
        time === 'virtual, in a process' ? ['sessions/*', 'polling/*', 'races/d*'] : undefined;
      const client =
        time === 'virtual, in this process'
          ? { kind: 'function' as const, run: makeClient({ pause: () => pace_ms }) }
          : await clientIn(time, PACED, String(pace_ms));
      expect(await notPassed(client, scenarios)).toEqual([]);
    },
  );

  it.runIf(time === 'virtual, in this process')(
    'a client that throws away what it read first passes everything',
    { timeout: 1_200_000 },
    async () => {
      const path = join(CLIENTS, 'permitted/reads-each-position-twice.mjs');
      expect(await notPassed(await clientIn(time, path))).toEqual([]);
    },
  );

  it('a client that ignores events delivered with the end passes the plainest session, even with repeated reads', async () => {
    const path = join(findPackageRoot(), 'test/support/client/blind-at-the-end.mjs');
    const client = await clientIn(time, path);
    expect(await notPassed(client, ['sessions/goto-extract-evaluate-close'])).toEqual([]);
  });
});

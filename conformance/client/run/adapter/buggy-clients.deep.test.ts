import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadLibrary } from '../../../../scenarios/format/library/library.js';
import { findPackageRoot } from '../../../../scenarios/format/library/package-root.js';
import type { Scenario } from '../../../../scenarios/format/types.js';
import {
  HANDSHAKE,
  listWords,
  openRunner,
  VIRTUAL_HANDSHAKE,
} from '../../../../test/support/client/open-adapter.js';
import { runInOrder } from '../../../common/run-in-order.js';
import { judgeRun } from '../../judge/verdict.js';
import type { Client } from '../../types.js';

const CLIENTS = join(findPackageRoot(), 'fixtures/clients/buggy');
const { buggy } = JSON.parse(readFileSync(join(CLIENTS, '../catalogue.json'), 'utf8')) as {
  buggy: { client: string; scenario: string; finding: string }[];
};
const library = await loadLibrary();
const AT_A_TIME = 4;
/** Clients in real time wait most of the time. */
const AT_A_TIME_IN_REAL_TIME = 12;
/** One of so many clients is run in real time, too. */
const SAMPLE = 9;

/** The rules that this client breaks. */
async function listBroken(client: Client, scenario: Scenario): Promise<string[]> {
  const { runner } = openRunner(client);
  const run = await runner.play(scenario, { skipsWaits: true });
  await runner.close();
  return [...new Set(judgeRun(run).map(({ rule }) => rule))].sort();
}

async function compareForms(
  clients: typeof buggy,
  atATime: number,
  listForms: (client: string) => [Client, Client],
): Promise<{ client: string; finding: string; oneShot: string[]; persistent: string[] }[]> {
  const compared: Awaited<ReturnType<typeof compareForms>> = [];
  await runInOrder(
    clients,
    atATime,
    async ({ client, scenario: name, finding }) => {
      const scenario = library.find((each) => each.name === name)!;
      const [oneShot, persistent] = await Promise.all(
        listForms(client).map((form) => listBroken(form, scenario)),
      );
      return { client, finding, oneShot: oneShot!, persistent: persistent! };
    },
    (_, each) => void compared.push(each),
    () => false,
  );
  return compared;
}

const oneShot = (client: string) => [process.execPath, join(CLIENTS, `${client}.mjs`)];

it('in virtual time every client with a bug has all findings of the one-shot form in the persistent form', async () => {
  const compared = await compareForms(buggy, AT_A_TIME, (client) => [
    { kind: 'node', command: oneShot(client) },
    { kind: 'node', command: listWords(VIRTUAL_HANDSHAKE, '', `buggy/${client}`) },
  ]);
  expect(compared.filter((each) => each.oneShot.join() !== each.persistent.join())).toEqual([]);
  const others = compared.filter(({ finding, persistent }) => !persistent.includes(finding));
  // Functions with a promise that nothing handles; a command shows that it has no result line.
  expect(others.map(({ client, persistent }) => [client, ...persistent])).toEqual([
    ['dies-of-html', 'line/missing'],
    ['reply-without-await', 'line/missing'],
  ]);
  expect(compared).toHaveLength(buggy.length);
});

it('in real time, and in one process for all jobs, a sample has its finding in both forms or in none', async () => {
  const sample = buggy.filter((_, index) => index % SAMPLE === 0);
  const compared = await compareForms(sample, AT_A_TIME_IN_REAL_TIME, (client) => [
    { kind: 'command', command: oneShot(client) },
    { kind: 'command', command: listWords(HANDSHAKE, '', `buggy/${client}`) },
  ]);
  const has = (rules: string[], finding: string) => rules.includes(finding);
  expect(
    compared.filter((each) => has(each.oneShot, each.finding) !== has(each.persistent, each.finding)),
  ).toEqual([]);
  expect(compared.filter((each) => has(each.persistent, each.finding)).length).toBeGreaterThan(
    sample.length / 2,
  );
});

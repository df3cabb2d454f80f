import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPackageRoot } from '../../../scenarios/format/library/package-root.js';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { explainUnplayable } from '../run/job.js';
import { play } from '../run/play.js';
import type { ClientFunction, ClientRun } from '../types.js';
import { ObservedRun } from './observed-run.js';
import { judgeRun } from './verdict.js';

interface Bug {
  client: string;
  bug: string;
  scenario: string;
  finding: string;
  level: 'must' | 'advice';
}

const CLIENTS = join(findPackageRoot(), 'fixtures/clients');
const { buggy } = JSON.parse(readFileSync(join(CLIENTS, 'catalogue.json'), 'utf8')) as { buggy: Bug[] };
interface Pieces {
  connected?: boolean;
  pause(): number;
  poll(): Promise<unknown>;
  sleep(ms: number): Promise<void>;
}
const { makeClient, pieces } = (await import(join(CLIENTS, 'reference.mjs'))) as {
  makeClient(variation: Partial<Pieces> & ThisType<Pieces>): ClientFunction;
  pieces: Pieces;
};
const library = await readLibrary();
const races = library.filter(({ name }) => name.startsWith('races/'));

/** Names of the clients in a folder. */
function clientsIn(folder: string): string[] {
  return readdirSync(join(CLIENTS, folder))
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -'.mjs'.length));
}

async function run(client: string, scenario: Scenario): Promise<ClientRun> {
  const file = join(CLIENTS, `${client}.mjs`);
  const { run: given } = (await import(file)) as { run: ClientFunction };
  return play(scenario, { kind: 'function', run: given, name: client });
}

function named(name: string): Scenario {
  return library.find((scenario) => scenario.name === name)!;
}

/** The findings as text, for the message of a test that fails. */
function said(clientRun: ClientRun): string[] {
  return judgeRun(clientRun).map(({ rule, level, message }) => `${level} ${rule}: ${message}`);
}

describe('the catalogue of clients with a bug', () => {
  it('lists every file with the description in the file', () => {
    expect(buggy.map(({ client }) => client).sort()).toEqual(clientsIn('buggy').sort());
    for (const { client, bug, scenario, finding, level } of buggy) {
      const [head] = readFileSync(join(CLIENTS, 'buggy', `${client}.mjs`), 'utf8').split('\n');
      const advice = level === 'advice' ? ' (advice)' : '';
      const lowered = `${bug[0]!.toLowerCase()}${bug.slice(1)}`;
      expect(head).toBe(`// Bug: ${lowered} Falls into: ${scenario}; finding: ${finding}${advice}`);
    }
  });

  it('has one for each race, and at least 25 that fail', () => {
    const scenarios = new Set(buggy.map(({ scenario }) => scenario));
    const message = 'each race needs a client in fixtures/clients/buggy/ and its line in catalogue.json';
    expect(
      races.map(({ name }) => name).filter((name) => !scenarios.has(name)),
      message,
    ).toEqual([]);
    expect(races.length).toBeGreaterThanOrEqual(32);
    expect(buggy.filter(({ level }) => level === 'must').length).toBeGreaterThanOrEqual(25);
  });

  it.each(buggy.map((each) => [each.client, each.finding, each] as const))(
    '%s is caught with %s',
    async (client, finding, { scenario, level }) => {
      const found = judgeRun(await run(`buggy/${client}`, named(scenario)));
      expect(found.map((each) => `${each.level} ${each.rule}`)).toContain(`${level} ${finding}`);
      if (level === 'advice') expect(found.filter((each) => each.level === 'must')).toEqual([]);
    },
  );
});

describe('the correct client', () => {
  it.each(races.map((scenario) => [scenario.name, scenario] as const))(
    'triggers in %s all network rules',
    async (_, scenario) => {
      const { rules } = await run('reference', scenario);
      const idle = rules.filter(({ fired }) => fired === 0).map(({ id }) => id);
      expect(rules.length).toBe(scenario.timeline.filter((step) => 'network' in step).length);
      expect(idle).toEqual([]);
    },
  );

  it.each([0, 400, 1000])(
    'misses the second call of races/same-instant-split, also where its first poll is a connect after %i ms',
    async (delay_ms) => {
      const late = makeClient({
        async poll() {
          if (!this.connected) {
            this.connected = true;
            await this.sleep(delay_ms);
            await pieces.poll.call(this);
          }
          return pieces.poll.call(this);
        },
      });
      const missed = await play(named('races/same-instant-split'), { kind: 'function', run: late });
      const { calls } = new ObservedRun(missed);
      const delivered = missed.tasks[0]!.calls.map(({ id, step }) => [step, calls.has(id)]);
      expect(delivered).toEqual([
        ['first', true],
        ['second', false],
      ]);
    },
  );

  it('gets no advice', async () => {
    for (const scenario of library.filter((each) => !explainUnplayable(each))) {
      expect(said(await run('reference', scenario)), scenario.name).toEqual([]);
    }
  });

  it('has the same results as a command', async () => {
    const command = [process.execPath, join(CLIENTS, 'reference.mjs')];
    const asCommand = await play(named('races/result-with-terminal'), { kind: 'command', command });
    const asFunction = await run('reference', named('races/result-with-terminal'));
    expect(asCommand.line).toEqual(asFunction.line);
    expect(asCommand.exitCode).toBe(0);
    expect(said(asCommand)).toEqual([]);
  });
});

describe('a permitted variation', () => {
  // Over the whole library in the deep suite.
  const parts = clientsIn('permitted').map((client, nth) => [client, nth % 8] as const);
  it.each(parts)('%s stays clean over an eighth of the library', async (client, part) => {
    const sample = library.filter((each) => !explainUnplayable(each)).filter((_, at) => at % 8 === part);
    expect(sample.length).toBeGreaterThan(8);
    for (const scenario of sample) {
      const failures = said(await run(`permitted/${client}`, scenario)).filter((each) =>
        each.startsWith('must'),
      );
      expect(failures, scenario.name).toEqual([]);
    }
  });

  it('describes its variation in its first line, each a different one', () => {
    const heads = clientsIn('permitted').map(
      (client) => readFileSync(join(CLIENTS, 'permitted', `${client}.mjs`), 'utf8').split('\n')[0],
    );
    for (const head of heads) expect(head).toMatch(/^\/\/ Permitted: .{10,}\.$/);
    expect(new Set(heads).size).toBe(heads.length);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTraceEntry } from '../../../mock/network/tracer.js';
import { loadScenarios } from '../../../scenarios/format/load/load.js';
import type { Client, ClientFunction } from '../../client/types.js';
import { replay } from '../reproduce/replay.js';
import { openTools } from '../search-tools.js';
import type { Failure } from '../types.js';
import { explore } from './explore.js';

const LONG = 600_000;

// biome-ignore lint/suspicious/noExplicitAny: the fixtures are plain JavaScript
async function fixture(file: string): Promise<any> {
  return import(/* @vite-ignore */ new URL(`../../../fixtures/clients/${file}.mjs`, import.meta.url).href);
}

async function clientOf(file: string): Promise<Client> {
  const { run } = (await fixture(file)) as { run: ClientFunction };
  return { kind: 'function', run };
}

/** The beginning of a search with default settings: it goes through the space in the same order. */
async function search(file: string, schedules: number) {
  return explore({ client: await clientOf(file), schedules, timeLimitMs: LONG });
}

const verbs = ({ deviations }: Failure) => deviations.map(({ rule }) => rule.network).sort();

describe('unaided and with at most two deviations', () => {
  it.each([
    ['a result with the end', 'buggy/looks-at-status-first', 'line/results', ['fail']],
    ['an event that is listed again', 'buggy/trusts-event-t', 'line/tool-runs', ['redeliver']],
    ['a contradictory reply', 'buggy/lost-answer-is-failure', 'replies/same-again', ['drop']],
  ])('%s is found: %s', async (_, file, rule, expected) => {
    const report = await search(file, 120);
    const found = report.failures.filter((failure) => failure.rule === rule);
    expect(found.map(verbs)).toContainEqual(expected);
    expect(found.some(({ isNondeterministic }) => isNondeterministic)).toBe(false);
  });

  it('the default number of schedules has room for all of them', async () => {
    const report = await explore({ client: await clientOf('reference'), timeLimitMs: LONG });
    expect(report.coverage.filter(({ run, of }) => run < of)).toEqual([]);
    // Nor does any of them fail a correct client.
    expect(report.failures.map(({ key, message, yaml }) => [key, message, yaml])).toEqual([]);
    expect(report.nondeterministic).toEqual([]);
  });

  it('a 429 on a later poll is found', async () => {
    const report = await search('buggy/later-poll-dies', 120);
    const [failure] = report.failures;
    expect(failure?.rule).toBe('run/ended');
    expect(failure?.deviations).toHaveLength(1);
    const { rule } = failure!.deviations[0]!;
    expect(rule).toMatchObject({ network: 'fail', status: 429 });
    expect(rule.of?.poll).toBeGreaterThan(1);
  });

  it.each(['action', 'close', 'cancel'] as const)('a failed %s that is ignored is found', async (kind) => {
    const { makeClient, pieces } = await fixture('reference');
    const kindOf = (method: string, body?: { name: string; payload: { name?: string } }) =>
      method === 'DELETE' ? 'cancel' : body?.payload?.name === 'close' ? 'close' : 'action';
    const run = makeClient({
      // biome-ignore lint/suspicious/noExplicitAny: the fixtures are plain JavaScript
      async request(this: any, method: string, path: string, body: never, options: object) {
        const isTriedOnce = path !== '/task' && method !== 'GET' && kindOf(method, body) === kind;
        const tried = isTriedOnce ? Object.assign(Object.create(this), { mostTries: 1 }) : this;
        try {
          return await pieces.request.call(tried, method, path, body, options);
        } catch (error) {
          if (!isTriedOnce) throw error;
          this.isDone = true;
          this.end();
          return {};
        }
      },
      // Told that it is over, the caller goes on.
      // biome-ignore lint/suspicious/noExplicitAny: the fixtures are plain JavaScript
      isOver(this: any, status: string) {
        return this.isDone === true || pieces.isOver(status);
      },
    });
    const { failures } = await explore({
      client: { kind: 'function', run },
      schedules: 1200,
      timeLimitMs: LONG,
    });
    const isMeant = ({ rule: { of } }: Failure['deviations'][number]) =>
      kind === 'cancel'
        ? of?.cancel === 1
        : of?.action !== undefined && (of.action === 'close') === (kind === 'close');
    const dropped = failures.filter(
      ({ rule, deviations }) =>
        rule === 'requests/dropped' && deviations.length > 0 && deviations.every(isMeant),
    );
    expect(new Set(dropped.flatMap(verbs))).toEqual(new Set(['fail', 'drop']));
  });

  it('a second task is found, as advice', async () => {
    const report = await search('buggy/creates-again', 120);
    const advice = report.advice.find(({ rule }) => rule === 'create/again')!;
    expect(advice.deviations.map(({ rule }) => rule)).toEqual([
      { network: 'drop', of: { create: 1 }, side: 'response' },
    ]);
    expect(report.failures).toEqual([]);
  });

  it('two events of one instant with a poll between them are found, as advice', async () => {
    const report = await search('reference', 2200);
    const advice = report.advice.find(({ key }) => key === 'cursor/same-instant quito (advice)')!;
    expect(verbs(advice)).toEqual(['hold', 'same-instant']);
    expect(report.failures).toEqual([]);
  });
});

describe('no finding for any interleaving', () => {
  it.each([
    ['permitted/delete-at-exit', 300],
    ['permitted/first-answer-read-twice', 300],
    ['permitted/gives-up-early', 300],
    ['permitted/last-listed-event-t', 300],
    ['permitted/one-more-poll', 300],
    ['permitted/plain-tasks-without-event-t', 300],
    ['permitted/reads-all-and-remembers', 300],
    ['permitted/slow-polling', 300],
  ])('%s, over %i schedules', async (file, schedules) => {
    const report = await search(file, schedules);
    expect(report.failures.map(({ key, message, yaml }) => [key, message, yaml])).toEqual([]);
    expect(report.nondeterministic).toEqual([]);
    expect(report.progress.schedules).toBe(schedules);
    // Most were triggered, and so have been judged.
    expect(report.progress.notTriggered).toBeLessThan(schedules / 2);
  });
});

describe('the file of a failure', () => {
  it.each([
    ['buggy/looks-at-status-first', 60],
    ['buggy/lost-answer-is-failure', 60],
    ['buggy/creates-again', 60],
    ['buggy/overlapping-polls', 250],
  ])('reproduces the same failure 20 times of 20: %s', async (file, schedules) => {
    const client = await clientOf(file);
    const report = await search(file, schedules);
    const failures = [...report.failures, ...report.advice];
    expect(failures.length).toBeGreaterThan(0);
    const tools = await openTools(client, 1);
    const skips = new Set<boolean>();
    const open: typeof openTools = async (_, __, { skipsWaits = true } = {}) => {
      skips.add(skipsWaits);
      return { ...tools, close: async () => {} };
    };
    await inDirectory(async (directory) => {
      for (const failure of failures) {
        const path = join(directory, `${failure.name}.yaml`);
        await writeFile(path, failure.yaml);
        const traces = new Set<string>();
        for (let time = 0; time < 20; time++) {
          const { shown, expected, notTriggered, run } = await replay(path, client, {}, open);
          expect([shown, expected, notTriggered], failure.name).toEqual([true, failure.key, []]);
          traces.add(run.trace.map((entry) => `${entry.at} ${formatTraceEntry(entry)}`).join('\n'));
        }
        expect(traces.size, failure.name).toBe(1);
      }
      const { problems } = await loadScenarios([directory]);
      expect(problems).toEqual([]);
      // Found on virtual time: in real time no poll in vain is left out either.
      expect([...skips]).toEqual([false]);
    });
    await tools.close();
  });

  it('does not reproduce it with a client that survives it', async () => {
    const report = await search('buggy/lost-answer-is-failure', 60);
    const failure = report.failures.find(({ rule }) => rule === 'replies/same-again')!;
    await inDirectory(async (directory) => {
      const path = join(directory, 'race.yaml');
      await writeFile(path, failure.yaml);
      const again = await replay(path, await clientOf('reference'));
      expect([again.shown, again.notTriggered]).toEqual([false, []]);
    });
  });

  it('that is not a scenario is refused', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'race.yaml');
      await writeFile(path, 'title: Nothing');
      await expect(replay(path, await clientOf('reference'))).rejects.toThrow('race.yaml:1');
    });
  });
});

async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'races-'));
  try {
    await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

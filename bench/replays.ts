import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, ClientFunction } from '../conformance/client/types.js';
import { explore, type Failure, replay } from '../conformance/index.js';
import { findPackageRoot } from '../scenarios/format/library/package-root.js';
import type { BenchRow } from './table.js';

const TIMES = 20;
/** Replays of one file under way at the same time, where each takes the time it takes. */
const AT_ONCE = 4;
const LONG_MS = 30 * 60_000;

const CLIENTS = join(findPackageRoot(), 'fixtures/clients');

/** A client that falls into a race, and within how many schedules the race is found. */
const RACES = [
  {
    race: 'a result with the end',
    client: 'buggy/looks-at-status-first',
    key: 'line/results',
    schedules: 120,
  },
  {
    race: 'one instant, two polls',
    client: 'reference',
    key: 'cursor/same-instant quito (advice)',
    schedules: 900,
  },
  { race: 'an event again', client: 'buggy/trusts-event-t', key: 'line/tool-runs', schedules: 120 },
  {
    race: 'a contradictory reply',
    client: 'buggy/lost-answer-is-failure',
    key: 'replies/same-again',
    schedules: 120,
  },
  { race: '429 at a later poll', client: 'buggy/later-poll-dies', key: 'run/ended', schedules: 120 },
  { race: 'two tasks for one', client: 'buggy/creates-again', key: 'create/again', schedules: 120 },
];

const CLIENT_MODES = [
  { way: 'in process', kind: 'function', least: TIMES },
  { way: 'Node.js, virtual time', kind: 'node', least: TIMES },
  { way: 'real time', kind: 'command', least: TIMES - 1 },
] as const;

/** What a search wrote, run again and again in each of the three ways: how often it shows what it says. */
export async function benchReplays(): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'taskdouble-replays-'));
  const rows: BenchRow[] = [];
  try {
    for (const { race, client, key, schedules } of RACES) {
      const file = join(CLIENTS, `${client}.mjs`);
      const { run } = (await import(file)) as { run: ClientFunction };
      const report = await explore({ client: { kind: 'function', run }, schedules, timeLimitMs: LONG_MS });
      const failure = [...report.failures, ...report.advice].find((each) => each.key.startsWith(key));
      if (failure) rows.push(...(await runReplays(race, file, run, failure, directory)));
      else rows.push(buildRow(race, 'not found', `${client}: ${key}`, false));
    }
  } finally {
    await rm(directory, { recursive: true });
  }
  return rows;
}

async function runReplays(
  race: string,
  file: string,
  run: ClientFunction,
  failure: Failure,
  directory: string,
): Promise<BenchRow[]> {
  const path = join(directory, `${failure.name}.yaml`);
  await writeFile(path, failure.yaml);
  const rows: BenchRow[] = [];
  for (const { way, kind, least } of CLIENT_MODES) {
    const client: Client = kind === 'function' ? { kind, run } : { kind, command: [process.execPath, file] };
    const shown = await countReproduced(path, client);
    process.stderr.write(`${race}, ${way}: ${shown} of ${TIMES}\n`);
    rows.push(
      buildRow(
        `${race}, ${way}`,
        `${shown} of ${TIMES}`,
        `${failure.key} in ${failure.scenario}`,
        shown >= least,
        least,
      ),
    );
  }
  return rows;
}

async function countReproduced(path: string, client: Client): Promise<number> {
  let started = 0;
  let shown = 0;
  const runWorker = async () => {
    while (started++ < TIMES) if ((await replay(path, client)).shown) shown++;
  };
  // Runs in one process share its time.
  await Promise.all(Array.from({ length: client.kind === 'function' ? 1 : AT_ONCE }, runWorker));
  return shown;
}

function buildRow(race: string, figure: string, detail: string, met: boolean, least = TIMES): BenchRow {
  return { name: race, figure, detail, goal: `≥ ${least} of ${TIMES}`, met };
}

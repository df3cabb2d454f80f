/**
 * `npx tsx test/independent/print-default-scenarios.ts [races|buggy|edits]... [library]`: which default scenarios of `explore` find which buggy clients,
 * unchanged and with one deviation, and the smallest set that finds all of them. `library`: measures every scenario of the library too.
 */
import { readFileSync } from 'node:fs';
import { explainUnplayable } from '../../conformance/client/run/job.js';
import type { ClientFunction } from '../../conformance/client/types.js';
import { loadDefaultScenarios } from '../../conformance/explore/explored-scenarios.js';
import { explore } from '../../conformance/explore/search/explore.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { loadEdited, readEdits } from '../clients/edited-clients.js';
import { listForms } from './first-failure.js';

const FIXTURES = new URL('../../fixtures/clients/', import.meta.url);
/** More than a scenario has with one deviation. */
const SCHEDULES = 150;
const LONG_MS = 60 * 60_000;

interface BuggyClient {
  name: string;
  load: () => Promise<ClientFunction>;
}

const KINDS: Record<string, () => BuggyClient[]> = {
  races: () =>
    [...listForms('races')].map(({ client, form, run }) => ({
      name: `${client} ${form}`,
      load: async () => run,
    })),
  buggy: () =>
    (JSON.parse(readFileSync(new URL('catalogue.json', FIXTURES), 'utf8')) as { buggy: Entry[] }).buggy
      .filter(({ level }) => level === 'must')
      .map(({ client }) => ({
        name: client,
        load: async () => (await import(new URL(`buggy/${client}.mjs`, FIXTURES).href)).run,
      })),
  edits: () =>
    readEdits('buggy-edits.txt').map((edit) => ({ name: edit.name, load: () => loadEdited(edit) })),
};

interface Entry {
  client: string;
  level: string;
}

/** The number of the first schedule that fails; undefined if none with one deviation does. */
async function findFailure(run: ClientFunction, scenario: Scenario): Promise<number | undefined> {
  const stop = new AbortController();
  const { failures, coverage } = await explore(
    {
      ...{ client: { kind: 'function', run }, scenarios: [scenario], deviations: 1 },
      ...{ schedules: SCHEDULES, signal: stop.signal, timeLimitMs: LONG_MS },
    },
    (event) => {
      if (event.type === 'failure' && event.failure.level === 'must') stop.abort();
    },
  );
  const systematic = coverage.reduce((sum, { run: count }) => sum + count, 0);
  return failures.find(({ schedule }) => schedule <= systematic)?.schedule;
}

/** The scenario that finds the most of the remaining clients comes first, until none finds another. */
function selectSmallest(finds: ReadonlyMap<string, ReadonlyMap<string, number>>): [string, number][] {
  const left = new Set([...finds.values()].flatMap((found) => [...found.keys()]));
  const selected: [string, number][] = [];
  const countLeft = (found: ReadonlyMap<string, number>) =>
    [...found.keys()].filter((name) => left.has(name)).length;
  while (left.size > 0) {
    const [best] = [...finds].sort(([, one], [, other]) => countLeft(other) - countLeft(one));
    selected.push([best![0], countLeft(best![1])]);
    for (const name of best![1].keys()) left.delete(name);
  }
  return selected;
}

const args = process.argv.slice(2);
const kinds = Object.keys(KINDS).filter((kind) => args.includes(kind));
const clients = (kinds.length > 0 ? kinds : Object.keys(KINDS)).flatMap((kind) => KINDS[kind]!());
const defaults = await loadDefaultScenarios();
const names = new Set(defaults.map(({ name }) => name));
const others = args.includes('library') ? await loadLibrary() : [];
const scenarios = [
  ...defaults,
  ...others.filter((each) => !names.has(each.name) && !explainUnplayable(each)),
];
const finds = new Map<string, Map<string, number>>(scenarios.map(({ name }) => [name, new Map()]));
const missed: string[] = [];
for (const { name, load } of clients) {
  const run = await load();
  let isFound = false;
  for (const scenario of scenarios) {
    const schedule = await findFailure(run, scenario);
    if (schedule === undefined) continue;
    finds.get(scenario.name)!.set(name, schedule);
    isFound = true;
  }
  if (!isFound) missed.push(name);
}
const smallest = new Map(selectSmallest(finds));
console.log(
  '| Scenario | Clients that it finds | Found by no other | In the smallest set |\n|---|---|---|---|',
);
for (const [scenario, found] of finds) {
  const own = [...found.keys()].filter((name) =>
    [...finds].every(([other, theirs]) => other === scenario || !theirs.has(name)),
  );
  const more = smallest.has(scenario) ? `${smallest.get(scenario)} more` : '';
  console.log(`| \`${scenario}\` | ${found.size} | ${own.join(', ')} | ${more} |`);
}
console.log(`\n${clients.length - missed.length} of ${clients.length} clients; missed: ${missed.join(', ')}`);

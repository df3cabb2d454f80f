/**
 * `npx tsx test/independent/print-default-scenarios.ts [races|buggy|edits]... [library]`: which default scenarios of `explore` find which buggy clients,
 * unchanged and with one deviation, and the smallest set that finds all of them. `library`: measures every scenario of the library too. Each client
 * takes several seconds; the scenarios that find it go to stderr.
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
/** More than all scenarios have with one deviation. */
const SCHEDULES = 100_000;
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

/** The scenarios that fail unchanged or with one deviation. */
async function findFailing(run: ClientFunction, scenarios: readonly Scenario[]): Promise<string[]> {
  const stop = new AbortController();
  const limits = { deviations: 1, schedules: SCHEDULES, signal: stop.signal, timeLimitMs: LONG_MS };
  const { broken } = await explore({ client: { kind: 'function', run }, scenarios, ...limits }, (event) => {
    if (event.type === 'progress' && event.progress.phase === 'walk') stop.abort();
  });
  return broken.map(({ scenario }) => scenario);
}

/** The scenario that finds the most of the remaining clients comes first, until none finds another. */
function selectSmallest(finds: ReadonlyMap<string, ReadonlySet<string>>): [string, number][] {
  const left = new Set([...finds.values()].flatMap((found) => [...found]));
  const selected: [string, number][] = [];
  const countLeft = (found: ReadonlySet<string>) => [...found].filter((name) => left.has(name)).length;
  while (left.size > 0) {
    const [best] = [...finds].sort(([, one], [, other]) => countLeft(other) - countLeft(one));
    selected.push([best![0], countLeft(best![1])]);
    for (const name of best![1]) left.delete(name);
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
const finds = new Map(scenarios.map(({ name }) => [name, new Set<string>()]));
const missed: string[] = [];
for (const { name, load } of clients) {
  const failing = await findFailing(await load(), scenarios);
  for (const scenario of failing) finds.get(scenario)!.add(name);
  if (failing.length === 0) missed.push(name);
  console.error(`${name}: ${failing.join(' ')}`);
}
const smallest = new Map(selectSmallest(finds));
console.log(
  '| Scenario | Clients that it finds | Found by no other | In the smallest set |\n|---|---|---|---|',
);
for (const [scenario, found] of finds) {
  const own = [...found].filter((name) =>
    [...finds].every(([other, theirs]) => other === scenario || !theirs.has(name)),
  );
  const more = smallest.has(scenario) ? `${smallest.get(scenario)} more` : '';
  console.log(`| \`${scenario}\` | ${found.size} | ${own.join(', ')} | ${more} |`);
}
console.log(`\n${clients.length - missed.length} of ${clients.length} clients; missed: ${missed.join(', ')}`);

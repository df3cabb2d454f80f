/**
 * `npx tsx test/independent/print-default-scenarios.ts [races|buggy|edits]... [library]`: which default scenarios of `explore` find which buggy clients,
 * unchanged and with one deviation, and the smallest set that finds all of them. `library`: measures every scenario of the library too. The
 * scenarios that find a client go to stderr, with the number of schedules up to the first failure.
 */
import { readFileSync } from 'node:fs';
import { explainUnplayable } from '../../conformance/client/run/job.js';
import type { ClientFunction } from '../../conformance/client/types.js';
import { loadDefaultScenarios } from '../../conformance/explore/explored-scenarios.js';
import { assignPriorities, listCandidates } from '../../conformance/explore/schedule/candidates.js';
import { readTrace } from '../../conformance/explore/schedule/traced-run.js';
import { openTools, runSchedule } from '../../conformance/explore/search-tools.js';
import type { Schedule } from '../../conformance/explore/types.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { loadEdited, readEdits } from '../clients/edited-clients.js';
import { listForms } from './first-failure.js';

const FIXTURES = new URL('../../fixtures/clients/', import.meta.url);
const BOUNDS = { holdMs: 4000, delayMs: 3000, longDelayMs: 35_000 };

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

/** The number of schedules up to the first failure, by scenario: unchanged, then with each single deviation in the order of a search. */
async function findFailing(run: ClientFunction): Promise<Map<string, number>> {
  const tools = await openTools({ kind: 'function', run }, 1);
  const failing = new Map<string, number>();
  const play = async (schedule: Schedule) => {
    const result = await runSchedule(tools, schedule, true, new AbortController().signal);
    return { ...result!, isFailed: result?.found?.findings.some(({ level }) => level === 'must') === true };
  };
  for (const scenario of scenarios) {
    const { trace, isFailed } = await play({ scenario, deviations: [] });
    const candidates = isFailed ? [] : listCandidates(scenario, readTrace(trace), [], BOUNDS);
    const priorities = assignPriorities(candidates);
    const ordered = candidates.map(({ deviation }, index) => ({ deviation, priority: priorities[index]! }));
    ordered.sort((one, other) => one.priority - other.priority);
    let count = 1;
    let isFound = isFailed;
    for (const { deviation } of ordered) {
      count++;
      isFound = (await play({ scenario, deviations: [deviation] })).isFailed;
      if (isFound) break;
    }
    if (isFound) failing.set(scenario.name, count);
    singles.set(scenario.name, Math.max(singles.get(scenario.name) ?? 0, 1 + candidates.length));
  }
  await tools.close();
  return failing;
}

/** The largest number of schedules of each scenario with at most one deviation. */
const singles = new Map<string, number>();

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
const restoreTime = prepareVirtualTime();
const finds = new Map(scenarios.map(({ name }) => [name, new Set<string>()]));
const missed: string[] = [];
for (const { name, load } of clients) {
  const failing = await findFailing(await load());
  for (const scenario of failing.keys()) finds.get(scenario)!.add(name);
  if (failing.size === 0) missed.push(name);
  console.error(`${name}: ${[...failing].map(([scenario, count]) => `${scenario} (${count})`).join(', ')}`);
}
restoreTime();
const smallest = new Map(selectSmallest(finds));
console.log(
  '| Scenario | Schedules | Clients that it finds | Found by no other | In the smallest set |\n|---|---|---|---|---|',
);
for (const [scenario, found] of finds) {
  const own = [...found].filter((name) =>
    [...finds].every(([other, theirs]) => other === scenario || !theirs.has(name)),
  );
  const more = smallest.has(scenario) ? `${smallest.get(scenario)} more` : '';
  console.log(`| \`${scenario}\` | ${singles.get(scenario)} | ${found.size} | ${own.join(', ')} | ${more} |`);
}
console.log(`\n${clients.length - missed.length} of ${clients.length} clients; missed: ${missed.join(', ')}`);

/**
 * `npx tsx test/independent/print-default-scenarios.ts [races|buggy|edits|library|first|NAME]... [FILE.jsonl]`: which default scenarios of
 * `explore` find which buggy clients, unchanged and with one deviation, and the smallest set that finds all of them. `library`: measures
 * every scenario of the library too. NAME: a client, or (with a slash) a scenario; all if there is none. `first`: a client is measured up
 * to the first scenario that finds it. FILE: has the results of earlier runs, which are not measured again, and gets those of this one.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { explainUnplayable } from '../../conformance/client/run/job.js';
import type { ClientFunction } from '../../conformance/client/types.js';
import { loadDefaultScenarios } from '../../conformance/explore/explored-scenarios.js';
import { assignPriorities, listCandidates } from '../../conformance/explore/schedule/candidates.js';
import { readTrace } from '../../conformance/explore/schedule/traced-run.js';
import { openTools, runSchedule } from '../../conformance/explore/search-tools.js';
import type { Schedule } from '../../conformance/explore/types.js';
import { prepareVirtualTime } from '../../mock/virtual-time/virtual-run.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import type { Scenario } from '../../scenarios/format/types.js';
import { addStepIds } from '../../scenarios/format/write.js';
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

/** What one client shows in one scenario, unchanged and then with each single deviation in the order of a search. */
interface Measured {
  client: string;
  scenario: string;
  /** The number of schedules up to the first failure; null without one. */
  found: number | null;
  /** All schedules with at most one deviation. Unknown if the unchanged scenario fails. */
  singles?: number;
}

async function measure(name: string, run: ClientFunction, scenario: Scenario): Promise<Measured> {
  const tools = await openTools({ kind: 'function', run }, 1);
  const play = async (schedule: Schedule) => {
    const result = await runSchedule(tools, schedule, true, new AbortController().signal);
    return { ...result!, isFailed: result?.found?.findings.some(({ level }) => level === 'must') === true };
  };
  const measured = { client: name, scenario: scenario.name };
  try {
    const { trace, isFailed } = await play({ scenario, deviations: [] });
    if (isFailed) return { ...measured, found: 1 };
    const candidates = listCandidates(scenario, readTrace(trace), [], BOUNDS);
    const priorities = assignPriorities(candidates);
    const ordered = candidates.map(({ deviation }, index) => ({ deviation, priority: priorities[index]! }));
    ordered.sort((one, other) => one.priority - other.priority);
    const singles = 1 + ordered.length;
    for (const [index, { deviation }] of ordered.entries())
      if ((await play({ scenario, deviations: [deviation] })).isFailed)
        return { ...measured, found: index + 2, singles };
    return { ...measured, found: null, singles };
  } finally {
    await tools.close();
  }
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
const file = args.find((each) => each.endsWith('.jsonl'));
const kinds = Object.keys(KINDS).filter((kind) => args.includes(kind));
const names = args.filter((each) => ![file, 'library', 'first', ...kinds].includes(each));
const isNamed = (name: string, all: readonly string[]) => all.length === 0 || all.includes(name);
const clientNames = names.filter((each) => !each.includes('/'));
const scenarioNames = names.filter((each) => each.includes('/'));
const clients = (kinds.length > 0 ? kinds : Object.keys(KINDS))
  .flatMap((kind) => KINDS[kind]!())
  .filter(({ name }) => isNamed(name, clientNames));
const defaults = await loadDefaultScenarios();
const others = args.includes('library') ? await loadLibrary() : [];
const scenarios = [...defaults, ...others.filter((each) => !explainUnplayable(each))].filter(
  ({ name }, index, all) =>
    isNamed(name, scenarioNames) && all.findIndex((each) => each.name === name) === index,
);
const lines = file && existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const known = new Map<string, Measured>();
const remember = (each: Measured) => known.set(`${each.client} in ${each.scenario}`, each);
for (const line of lines) remember(JSON.parse(line) as Measured);

const restoreTime = prepareVirtualTime();
const finds = new Map(scenarios.map(({ name }) => [name, new Set<string>()]));
const singles = new Map<string, number>();
const missed: string[] = [];
for (const { name, load } of clients) {
  const shown: string[] = [];
  for (const scenario of scenarios) {
    let measured = known.get(`${name} in ${scenario.name}`);
    if (!measured) {
      measured = await measure(name, await load(), addStepIds(scenario));
      if (file) appendFileSync(file, `${JSON.stringify(measured)}\n`);
    }
    singles.set(scenario.name, Math.max(singles.get(scenario.name) ?? 1, measured.singles ?? 1));
    if (measured.found === null) continue;
    finds.get(scenario.name)!.add(name);
    shown.push(`${scenario.name} (${measured.found})`);
    if (args.includes('first')) break;
  }
  if (shown.length === 0) missed.push(name);
  console.error(`${name}: ${shown.join(', ')}`);
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

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { checkCommand } from '../../../cli/check.js';
import { clientCommand } from '../../../cli/client.js';
import { conformCommand } from '../../../cli/conform.js';
import { EXIT } from '../../../cli/exit-codes.js';
import { exploreCommand } from '../../../cli/explore.js';
import { mergeReportsCommand } from '../../../cli/merge-reports.js';
import { mockCommand } from '../../../cli/mock.js';
import { proxyCommand } from '../../../cli/proxy.js';
import { SHARD_SOURCES } from '../../../cli/shard.js';
import { boundOf, defaultScenarios } from '../../../conformance/explore/default-scenarios.js';
import { FORMATS } from '../../../conformance/report/formats.js';
import { ALLOWANCES, KEY_NAMES } from '../../../conformance/service/test-case/test-case.js';
import { LARGEST_ADMIN_BODY } from '../../../mock/admin/admin-request.js';
import { LARGEST_RECORDED_BODY } from '../../../mock/exchange/recorder.js';
import { Mock } from '../../../mock/mock.js';
import { DEFAULT_LIMITS } from '../../../mock/options/mock-options.js';
import { KEY_MEANINGS } from '../../../mock/pipeline/organisations.js';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import { DEEPEST_YAML, MOST_ALIASES } from '../../../scenarios/format/load/parse-yaml.js';
import { LARGEST_FILE_BYTES } from '../../../scenarios/format/load/source.js';
import { PARTS } from '../../../scenarios/format/needs.js';
import { parseNetworkSpec } from '../../../scenarios/format/network/shorthand.js';
import { ASKS } from '../../../scenarios/format/types.js';
import { codesIn, type Table } from './markdown.js';

const ROOT = join(import.meta.dirname, '../../..');

type Check = (rows: readonly string[][]) => void | Promise<void>;

/** Each table of the pages and what it is held against. */
const CHECKS: Readonly<Record<string, Check>> = {
  'what is bounded': (rows) => {
    const bounds = new Map(rows.map(([input, bound]) => [input!.replace(/ \(.*/, ''), bound!]));
    const MIB = 1024 * 1024;
    const count = (n: number) => n.toLocaleString('en');
    const known: Readonly<Record<string, readonly string[]>> = {
      'Body of an admin request': [`${LARGEST_ADMIN_BODY / MIB} MiB`],
      YAML: [`${LARGEST_FILE_BYTES / MIB} MiB`, `${DEEPEST_YAML} levels`, `${MOST_ALIASES} uses of aliases`],
      'Exchanges of one key': [
        count(DEFAULT_LIMITS.exchanges),
        `${DEFAULT_LIMITS.journalCharacters / MIB} Mi characters`,
      ],
      'Exchanges of all keys': [
        count(DEFAULT_LIMITS.totalExchanges),
        `${DEFAULT_LIMITS.totalCharacters / MIB} Mi characters`,
      ],
      'Body that the proxy keeps or decompresses': [`${LARGEST_RECORDED_BODY / MIB} MiB`],
    };
    for (const [input, parts] of Object.entries(known))
      for (const part of parts) expect(bounds.get(input), input).toContain(part);
  },
  'flags of mock': (rows) => {
    const options = mockCommand().options.map(({ flags, defaultValue }) => [
      flags,
      String(defaultValue ?? ''),
    ]);
    expect(rows.map(([flag, value]) => [codesIn(flag!)[0], value])).toEqual(options);
  },
  commands: (rows) => {
    const help = execFileSync(process.execPath, [join(ROOT, 'dist/command/main.js'), '--help']).toString();
    const listed = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+) +.*$/gm)];
    const commands = listed.map(([, name]) => name).filter((name) => !['help', 'taskdouble'].includes(name!));
    expect(names(rows)).toEqual(commands.map((name) => `taskdouble ${name}`));
  },
  'flags of conform': (rows) => {
    expect(names(rows)).toEqual(conformCommand().options.map(({ flags }) => flags));
  },
  'flags of client': (rows) => expect(names(rows)).toEqual(clientCommand().options.map(({ flags }) => flags)),
  'flags of check': (rows) => expect(names(rows)).toEqual(checkCommand().options.map(({ flags }) => flags)),
  'flags of explore': (rows) =>
    expect(names(rows)).toEqual(exploreCommand().options.map(({ flags }) => flags)),
  'flags of proxy': (rows) => expect(names(rows)).toEqual(proxyCommand().options.map(({ flags }) => flags)),
  'flags of merge-reports': (rows) =>
    expect(names(rows)).toEqual(mergeReportsCommand().options.map(({ flags }) => flags)),
  'shard sources': (rows) => {
    const shown = rows.map(([name, index, total]) => [
      ...[name!, codesIn(index!)[0], codesIn(total!)[0]],
      Number(/from (\d)/.exec(index!)?.[1]),
    ]);
    expect(shown).toEqual(SHARD_SOURCES.map(({ name, index, total, first }) => [name, index, total, first]));
  },
  'default scenarios': async (rows) => {
    const shown = rows.flatMap(([cell, , most]) => codesIn(cell!).map((name) => `${name} ${most}`));
    const explored = (await defaultScenarios()).map((each) => `${each.name} ${boundOf(each, 2)}`);
    expect(shown.sort()).toEqual(explored.sort());
  },
  asks: (rows) => expect(rows.flatMap(([cell]) => codesIn(cell!))).toEqual([...ASKS]),
  'keys of conform': (rows) => expect(names(rows)).toEqual(KEY_NAMES.filter((name) => name !== 'main')),
  allowances: (rows) => expect(names(rows)).toEqual(ALLOWANCES),
  reports: (rows) => expect(names(rows)).toEqual(FORMATS),
  'exit codes': (rows) => expect(rows.map(([code]) => Number(code))).toEqual(Object.values(EXIT)),
  dialects: (rows) => {
    const files = readdirSync(join(ROOT, 'spec/dialects'));
    expect(names(rows)).toEqual(files.map((file) => basename(file, '.yaml')).sort());
  },
  dependencies: (rows) => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(names(rows)).toEqual(Object.keys(dependencies).sort());
  },
  fixtures: (rows) => {
    const entries = readdirSync(join(ROOT, 'fixtures'), { withFileTypes: true });
    const shown = entries.filter(({ name }) => !/\.(md|test\.ts)$/.test(name));
    const paths = shown.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    expect(rows.flatMap(([, where]) => codesIn(where!)).sort()).toEqual(paths.sort());
  },
  parts: (rows) =>
    expect(rows.flatMap(([name]) => codesIn(name!))).toEqual(expect.arrayContaining([...PARTS])),
  keys: (rows) => expect(names(rows)).toEqual(Object.keys(KEY_MEANINGS)),
  clocks: (rows) => {
    const clock = mockCommand().options.find(({ long }) => long === '--clock');
    expect(names(rows)).toEqual(clock?.argChoices);
  },
  admin: async (rows) => {
    const mock = new Mock();
    const answer = await mock.fetch('http://localhost/__admin');
    const { operations } = (await answer.json()) as { operations: { method: string; path: string }[] };
    await mock.close();
    expect(names(rows)).toEqual(operations.map(({ method, path }) => `${method} ${path}`));
  },
  'network rules': (rows) => {
    for (const rule of names(rows)) expect(parseNetworkSpec(rule).problems, rule).toEqual([]);
    expect(rows.length).toBeGreaterThan(5);
  },
  after: (rows) => {
    const codes = rows.flatMap(([cell]) => codesIn(cell!));
    expect(codes.length).toBeGreaterThan(5);
    for (const after of codes) expect(problemsOfAfter(parse(after)), after).toEqual([]);
  },
  files: (rows) => {
    // A part in capitals, or with a star, stands for any name: the folder has to be there.
    const fixed = rows
      .flatMap(([cell]) => codesIn(cell!))
      .map((path) => path.replace(/[^/]*([A-Z]{4,}|\*).*/, ''));
    expect(fixed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  },
  /** Cause, scenario, rule, remedy: a buggy client shows that this scenario finds it by this rule. */
  symptoms: (rows) => {
    const { buggy } = JSON.parse(readFileSync(join(ROOT, 'fixtures/clients/catalogue.json'), 'utf8')) as {
      buggy: { scenario: string; finding: string }[];
    };
    const known = buggy.map(({ scenario, finding }) => `${scenario} ${finding}`);
    const shown = rows.map(([, scenario, rule]) => `${codesIn(scenario!)[0]} ${codesIn(rule!)[0]}`);
    expect(known).toEqual(expect.arrayContaining(shown));
  },
  /** What can be held of a comparison: every row says something of each tool, and where taskdouble documents it. */
  'other tools': (rows) => {
    for (const row of rows) expect(row.filter(Boolean), row[0]).toHaveLength(5);
    for (const row of rows) expect(row[4], row[0]).toMatch(/\]\(docs\//);
  },
  'service verbs': (rows) => expect(names(rows)).toEqual(verbsOf('service')),
  'client verbs': (rows) => expect(names(rows)).toEqual(verbsOf('client')),
  'network verbs': (rows) => expect(names(rows)).toEqual(verbsOf('network')),
};

/** The tables that some page has to have. */
export const TABLES = Object.keys(CHECKS);

/** Holds a table against its source. Throws for one that has none. */
export async function checkTable({ check, rows, line }: Table): Promise<void> {
  const run = check === undefined ? undefined : CHECKS[check];
  if (!run) {
    throw new Error(
      `line ${line}: expected <!-- check: NAME --> above the table, NAME one of ${TABLES.join(', ')}`,
    );
  }
  await run(rows);
}

/** The first code of each first cell. */
function names(rows: readonly string[][]): string[] {
  return rows.map(([cell]) => codesIn(cell!)[0]!);
}

function verbsOf(actor: string): string[] {
  const schema = JSON.parse(readFileSync(join(ROOT, 'scenarios/scenario.schema.json'), 'utf8'));
  const verbs = Object.keys(schema.$defs).filter((name) => name.startsWith(`${actor}.`));
  return verbs.map((name) => `${actor}: ${name.slice(actor.length + 1)}`);
}

function problemsOfAfter(after: unknown): unknown[] {
  const tool = { name: 't', description: 'd', inputs: {}, output: 'o' };
  const timeline = [
    { service: 'tool_call', id: 'ID', tool: 't' },
    { service: 'finish', after },
  ];
  const text = JSON.stringify({ title: 'x', request: { task: 'x', custom_tools: [tool] }, timeline });
  return loadScenarioText(text, { file: 'after', name: 'after' }).problems;
}

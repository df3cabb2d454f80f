import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { createCheckCommand } from '../../../cli/check.js';
import { createClientCommand } from '../../../cli/client.js';
import { createConformCommand } from '../../../cli/conform.js';
import { EXIT } from '../../../cli/exit-codes.js';
import { createExploreCommand } from '../../../cli/explore.js';
import { createMergeReportsCommand } from '../../../cli/merge-reports.js';
import { createMockCommand } from '../../../cli/mock.js';
import { createProxyCommand } from '../../../cli/proxy.js';
import { SHARD_SOURCES } from '../../../cli/shard.js';
import { createJob } from '../../../conformance/client/run/job.js';
import { limitDeviations, loadDefaultScenarios } from '../../../conformance/explore/explored-scenarios.js';
import { FORMATS } from '../../../conformance/report/formats.js';
import { STAGES } from '../../../conformance/report/verdict.js';
import { ALLOWANCES, KEY_NAMES } from '../../../conformance/service/test-case/test-case.js';
import { LARGEST_ADMIN_BODY } from '../../../mock/admin/admin-request.js';
import { LARGEST_RECORDED_BODY } from '../../../mock/exchange/recorder.js';
import { Mock } from '../../../mock/mock.js';
import { DEFAULT_LIMITS } from '../../../mock/options/mock-options.js';
import { KEY_MEANINGS } from '../../../mock/pipeline/organisations.js';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import { DEEPEST_YAML, LARGEST_FILE_BYTES, MOST_ALIASES } from '../../../scenarios/format/load/source.js';
import { CAPABILITIES } from '../../../scenarios/format/needs.js';
import { parseNetworkSpec } from '../../../scenarios/format/network/shorthand.js';
import { ASKS } from '../../../scenarios/format/types.js';
import { FILTER_FIELDS, parseFilter } from '../../../spec/filter-words.js';
import { listCodes, type MarkdownTable } from './markdown.js';

const ROOT = join(import.meta.dirname, '../../..');

type TableCheck = (rows: readonly string[][]) => void | Promise<void>;

/** Each table of the pages and what it is held against. */
const CHECKS: Readonly<Record<string, TableCheck>> = {
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
    const options = createMockCommand().options.map(({ flags, defaultValue }) => [
      flags,
      String(defaultValue ?? ''),
    ]);
    expect(rows.map(([flag, value]) => [listCodes(flag!)[0], value])).toEqual(options);
  },
  commands: (rows) => {
    const help = execFileSync(process.execPath, [join(ROOT, 'dist/command/main.js'), '--help']).toString();
    const listed = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+) +.*$/gm)];
    const commands = listed.map(([, name]) => name).filter((name) => !['help', 'taskdouble'].includes(name!));
    expect(listNames(rows)).toEqual(commands.map((name) => `taskdouble ${name}`));
  },
  'flags of conform': (rows) => {
    expect(listNames(rows)).toEqual(createConformCommand().options.map(({ flags }) => flags));
  },
  'flags of client': (rows) =>
    expect(listNames(rows)).toEqual(createClientCommand().options.map(({ flags }) => flags)),
  'flags of check': (rows) =>
    expect(listNames(rows)).toEqual(createCheckCommand().options.map(({ flags }) => flags)),
  'flags of explore': (rows) =>
    expect(listNames(rows)).toEqual(createExploreCommand().options.map(({ flags }) => flags)),
  'flags of proxy': (rows) =>
    expect(listNames(rows)).toEqual(createProxyCommand().options.map(({ flags }) => flags)),
  'flags of merge-reports': (rows) =>
    expect(listNames(rows)).toEqual(createMergeReportsCommand().options.map(({ flags }) => flags)),
  'shard sources': (rows) => {
    const shown = rows.map(([name, index, total]) => [
      ...[name!, listCodes(index!)[0], listCodes(total!)[0]],
      Number(/from (\d)/.exec(index!)?.[1]),
    ]);
    expect(shown).toEqual(SHARD_SOURCES.map(({ name, index, total, first }) => [name, index, total, first]));
  },
  'default scenarios': async (rows) => {
    const shown = rows.flatMap(([cell, , most]) => listCodes(cell!).map((name) => `${name} ${most}`));
    const explored = (await loadDefaultScenarios()).map((each) => `${each.name} ${limitDeviations(each, 2)}`);
    expect(shown.sort()).toEqual(explored.sort());
  },
  asks: (rows) => expect(rows.flatMap(([cell]) => listCodes(cell!))).toEqual([...ASKS]),
  'keys of conform': (rows) => expect(listNames(rows)).toEqual(KEY_NAMES.filter((name) => name !== 'main')),
  allowances: (rows) => expect(listNames(rows)).toEqual(ALLOWANCES),
  reports: (rows) => expect(listNames(rows)).toEqual(FORMATS),
  'exit codes': (rows) => expect(rows.map(([code]) => Number(code))).toEqual(Object.values(EXIT)),
  dialects: (rows) => {
    const files = readdirSync(join(ROOT, 'spec/dialects'));
    expect(listNames(rows)).toEqual(files.map((file) => basename(file, '.yaml')).sort());
  },
  dependencies: (rows) => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(listNames(rows)).toEqual(Object.keys(dependencies).sort());
  },
  fixtures: (rows) => {
    const entries = readdirSync(join(ROOT, 'fixtures'), { withFileTypes: true });
    const shown = entries.filter(({ name }) => !/\.(md|test\.ts)$/.test(name));
    const paths = shown.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    expect(rows.flatMap(([, where]) => listCodes(where!)).sort()).toEqual(paths.sort());
  },
  parts: (rows) =>
    expect(rows.flatMap(([name]) => listCodes(name!))).toEqual(expect.arrayContaining([...CAPABILITIES])),
  keys: (rows) => expect(listNames(rows)).toEqual(Object.keys(KEY_MEANINGS)),
  clocks: (rows) => {
    const clock = createMockCommand().options.find(({ long }) => long === '--clock');
    expect(listNames(rows)).toEqual(clock?.argChoices);
  },
  admin: async (rows) => {
    const mock = new Mock();
    const answer = await mock.fetch('http://localhost/__admin');
    const { operations } = (await answer.json()) as { operations: { method: string; path: string }[] };
    await mock.close();
    expect(listNames(rows)).toEqual(operations.map(({ method, path }) => `${method} ${path}`));
  },
  'network rules': (rows) => {
    for (const rule of listNames(rows)) expect(parseNetworkSpec(rule).problems, rule).toEqual([]);
    expect(rows.length).toBeGreaterThan(5);
  },
  after: (rows) => {
    const codes = rows.flatMap(([cell]) => listCodes(cell!));
    expect(codes.length).toBeGreaterThan(5);
    for (const after of codes) expect(checkAfter(parse(after)), after).toEqual([]);
  },
  files: (rows) => {
    // A part in capitals, or with a star, stands for any name: the folder has to be there.
    const fixed = rows
      .flatMap(([cell]) => listCodes(cell!))
      .map((path) => path.replace(/[^/]*([A-Z]{4,}|\*).*/, ''));
    expect(fixed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  },
  /** Cause, scenario, rule, remedy: a buggy client shows that this scenario finds it by this rule. */
  symptoms: (rows) => {
    const { buggy } = JSON.parse(readFileSync(join(ROOT, 'fixtures/clients/catalogue.json'), 'utf8')) as {
      buggy: { scenario: string; finding: string }[];
    };
    const known = buggy.map(({ scenario, finding }) => `${scenario} ${finding}`);
    const shown = rows.map(([, scenario, rule]) => `${listCodes(scenario!)[0]} ${listCodes(rule!)[0]}`);
    expect(known).toEqual(expect.arrayContaining(shown));
  },
  /** What can be held of a comparison: every row says something of each tool, and where taskdouble documents it. */
  'other tools': (rows) => {
    for (const row of rows) expect(row.filter(Boolean), row[0]).toHaveLength(5);
    for (const row of rows) expect(row[4], row[0]).toMatch(/\]\(docs\//);
  },
  'members of the Python fixture': (rows) => {
    const code = readFileSync(join(ROOT, 'python/taskdouble/task_double.py'), 'utf8');
    const [body = ''] = /(?<=^class TaskDouble:\n).*?(?=^class )/ms.exec(code) ?? [];
    const members = [...body.matchAll(/^ {4}def ([a-z]\w+)|^ {8}self\.([a-z]\w+) =/gm)].map(
      (each) => each[1] ?? each[2],
    );
    const shown = rows.flatMap(([cell]) => listCodes(cell!).map((name) => /^\w+/.exec(name)?.[0]));
    expect(shown.sort()).toEqual(members.sort());
  },
  /** Every field, and a word without one. */
  'filter words': (rows) => {
    const words = rows.flatMap(([cell]) => listCodes(cell!)).flatMap(parseFilter);
    expect(new Set(words.map(({ field }) => field))).toEqual(new Set([...FILTER_FIELDS, undefined]));
  },
  /** Each command has the options that a row gives it. */
  'ways to find a defect': (rows) => {
    const commands = {
      client: createClientCommand(),
      explore: createExploreCommand(),
      conform: createConformCommand(),
    };
    for (const row of rows) {
      const [name, ...words] = listCodes(row[2]!)[0]!.split(' ');
      const known = commands[name as keyof typeof commands].options.map(({ long }) => long);
      const flags = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined);
      expect(known, row[2]).toEqual(expect.arrayContaining(flags.filter((word) => word.startsWith('--'))));
    }
  },
  'fields of a job': async (rows) => {
    const [scenario] = await loadDefaultScenarios();
    expect(listNames(rows)).toEqual(Object.keys(createJob(scenario!, 1)));
  },
  /** The steps and suites of the line that ends a report. */
  'order of work': (rows) => {
    const shown = rows.map(([step, , suites]) => [
      /^[\w ]+/.exec(step!)![0].toLowerCase().split(' and limits')[0],
      listCodes(suites!),
    ]);
    expect(shown).toEqual(STAGES.map(({ name, suites }) => [name, suites]));
  },
  'tools of mcp': (rows) => {
    const folder = join(ROOT, 'cli/mcp');
    const files = [
      'start-tools',
      'mock-tools',
      'run-client-tool',
      'client-tools',
      'judge-tools',
      'knowledge',
    ];
    const code = files.map((file) => readFileSync(join(folder, `${file}.ts`), 'utf8'));
    const tools = [...code.join('\n').matchAll(/registerTool\(\s*'(\w+)'/g)].map(([, name]) => name);
    expect(listNames(rows)).toEqual(tools);
  },
  'service verbs': (rows) => expect(listNames(rows)).toEqual(listVerbs('service')),
  'client verbs': (rows) => expect(listNames(rows)).toEqual(listVerbs('client')),
  'network verbs': (rows) => expect(listNames(rows)).toEqual(listVerbs('network')),
};

/** The tables that some page has to have. */
export const TABLES = Object.keys(CHECKS);

/** Holds a table against its source. Throws for one that has none. */
export async function checkTable({ check, rows, line }: MarkdownTable): Promise<void> {
  const run = check === undefined ? undefined : CHECKS[check];
  if (!run) {
    throw new Error(
      `line ${line}: expected <!-- check: NAME --> above the table, NAME one of ${TABLES.join(', ')}`,
    );
  }
  await run(rows);
}

/** The first code of each first cell. */
function listNames(rows: readonly string[][]): string[] {
  return rows.map(([cell]) => listCodes(cell!)[0]!);
}

function listVerbs(actor: string): string[] {
  const schema = JSON.parse(readFileSync(join(ROOT, 'scenarios/scenario.schema.json'), 'utf8'));
  const verbs = Object.keys(schema.$defs).filter((name) => name.startsWith(`${actor}.`));
  return verbs.map((name) => `${actor}: ${name.slice(actor.length + 1)}`);
}

function checkAfter(after: unknown): unknown[] {
  const tool = { name: 't', description: 'd', inputs: {}, output: 'o' };
  const timeline = [
    { service: 'tool_call', id: 'ID', tool: 't' },
    { service: 'finish', after },
  ];
  const text = JSON.stringify({ title: 'x', request: { task: 'x', custom_tools: [tool] }, timeline });
  return loadScenarioText(text, { file: 'after', name: 'after' }).problems;
}

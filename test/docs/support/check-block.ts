import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../../conformance/config/config.js';
import { loadBaseline } from '../../../conformance/report/baseline.js';
import { readFixtures } from '../../../mock/fixtures/fixtures.js';
import { readDialect } from '../../../mock/options/files.js';
import { checkStep } from '../../../scenarios/format/check/schema-check.js';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import { loadNetworkText } from '../../../scenarios/format/network/shorthand.js';
import { requirements } from '../../../spec/index.js';
import { compileMessageSchema, loadReportSchema } from '../../support/json-schema.js';
import { checkGitlabJobs } from './gitlab-jobs.js';
import type { MarkdownBlock } from './markdown.js';
import { isShown, normalizeOutput } from './output.js';
import type { Workbench, WorkbenchRun } from './workbench.js';

const ROOT = join(import.meta.dirname, '../../..');
const REQUIREMENTS = new Set<string>(requirements.map(({ id }) => id));

/** What a page has done so far. */
export interface PageState {
  bench: Workbench;
  /** What the last block printed that was run; undefined where the one before was none. */
  last: WorkbenchRun | undefined;
  /** Takes what a page should show in place of what it shows; undefined where a difference is a failure. */
  correct: ((block: MarkdownBlock, output: string) => void) | undefined;
  /** Files of `file` blocks that nothing has used yet, with their lines. */
  unused: Map<string, number>;
}

type BlockCheck = (block: MarkdownBlock, reading: PageState) => void | Promise<void>;

/** Runs a block; what it printed is what the block below it may show. */
const checkRun =
  (run: (block: MarkdownBlock, bench: Workbench) => Promise<WorkbenchRun>): BlockCheck =>
  async (block, reading) => {
    reading.last = await run(block, reading.bench);
    expect(reading.last.code, reading.last.output).toBe(readExitCode(block));
  };

/** How each kind of block is checked. A kind that does not stand here is a mistake. */
const CHECKS: Readonly<Record<string, BlockCheck>> = {
  'sh script': ({ text }) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const commands = text.split('\n').flatMap((line) => line.replace(/#.*/, '').split('&&'));
    for (const command of commands.map((each) => each.trim()).filter(Boolean)) {
      const [, name] = /^npm (?:run )?([\w:]+)$/.exec(command) ?? [];
      expect(['ci', ...Object.keys(scripts)], command).toContain(name);
    }
  },
  /** How to use the files of a release: they have this version, and the command these names. */
  'sh release': ({ text }) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const files = [
      ...['taskdouble.mjs', 'taskdouble-linux-x64', 'taskdouble-linux-arm64', 'SHA256SUMS'],
      ...[`taskdouble-${version}.tgz`, `taskdouble-${version}-py3-none-any.whl`],
    ];
    for (const line of text.split('\n')) {
      const start =
        /^(?:node taskdouble\.mjs|npx taskdouble|taskdouble|\.\/taskdouble-linux-(?:x64|arm64)) (\S+)/;
      const [, name] = start.exec(line) ?? [];
      if (name !== undefined) expect(existsSync(join(ROOT, 'cli', `${name}.ts`)), line).toBe(true);
      else expect(files, line).toContain(line.replace(/^.*[ /]/, ''));
    }
  },
  'sh start': ({ text }, { bench }) => bench.start(text),
  'sh mock': async ({ text }, { bench }) => {
    for (const line of text.split('\n')) {
      await bench.start(line);
      await bench.stop();
    }
  },
  'sh run': checkRun(({ text }, bench) => bench.run(text)),
  /** Modules that import the package by its name; TypeScript has to satisfy a strict compiler first. */
  'js run': checkRun((block, bench) => bench.runModule(block.text, 'js', findName(block))),
  'ts run': checkRun((block, bench) => bench.runModule(block.text, 'ts', findName(block))),
  /** Files of tests, run by vitest as a team would. */
  'js vitest': checkRun((block, bench) => bench.runTests(block.text, 'js', findName(block))),
  'ts vitest': checkRun((block, bench) => bench.runTests(block.text, 'ts', findName(block))),
  /** Files of tests, run by pytest with the plugin of the kit. */
  'py pytest': checkRun((block, bench) => bench.runPytest(block.text, findName(block)!)),
  /** A file of the package, as it stands there; the tests of the package run it. */
  'js example': (block) => {
    const file = findName(block) ?? '';
    expect(file).toMatch(/^fixtures\/examples\//);
    expect(readFileSync(join(ROOT, file), 'utf8')).toBe(`${block.text}\n`);
  },
  'text output': (block, { last, bench, correct }) => {
    if (!last) throw new Error('There is nothing above that this is the output of.');
    const output = normalizeOutput(last.output, bench.base_url);
    if (isShown(output, block.text)) return;
    if (correct) correct(block, output);
    else expect(output).toBe(block.text);
  },
  /** A diagram that the command above has shown. */
  /** Generated pages only: `npm run check:spec` holds them against their sources. */
  'text generated': () => {},
  'mermaid shown': ({ text }, { last }) => {
    if (!last) throw new Error('There is nothing above that shows this.');
    expect(last.output).toContain(text);
  },
  'yaml scenario': (block, { bench }) => {
    const { file } = saveBlock(block, bench);
    const { problems } = loadScenarioText(block.text, { file, name: 'page', requirements: REQUIREMENTS });
    expect(problems).toEqual([]);
  },
  /** Its mistakes are what the page wants to show. */
  'yaml broken': (block, { bench }) => {
    const { file } = saveBlock(block, bench);
    expect(loadScenarioText(block.text, { file, name: 'page' }).problems.length).toBeGreaterThan(0);
  },
  /** Steps of a timeline, one or a list of them. */
  'yaml step': ({ text }) => {
    for (const step of [parse(text)].flat()) expect(checkStep(step, []), JSON.stringify(step)).toEqual([]);
  },
  /** A workflow of GitHub: what it hands to our action has to be inputs of it. */
  'yaml workflow': ({ text }) => {
    const { inputs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
    const { permissions, jobs } = parse(text) as {
      permissions: object;
      jobs: Record<string, { steps: { uses?: string; run?: string; with?: object }[] }>;
    };
    expect(permissions).toEqual({ contents: 'read' });
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const ours = steps.filter(({ uses }) => uses === './node_modules/taskdouble');
    const commands = steps.filter(({ run }) => run?.startsWith('node taskdouble.mjs '));
    expect(ours.length + commands.length).toBeGreaterThan(0);
    for (const { with: given } of ours)
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given!)));
  },
  /** A pipeline of GitLab: each job runs against a mock, and leaves the reports that it names. */
  'yaml gitlab': ({ text }, { bench }) => checkGitlabJobs(text, bench),
  'yaml network': (block, { bench }) => {
    expect(loadNetworkText(block.text, { file: saveBlock(block, bench).path }).problems).toEqual([]);
  },
  'yaml dialect': (block, { bench }) => {
    readDialect(block.text, saveBlock(block, bench).path);
  },
  'yaml config': (block, { bench }) => {
    readConfig(block.text, saveBlock(block, bench).path, { OTHER_KEY: 'of-another' });
  },
  'yaml baseline': (block, { bench }) => {
    expect(loadBaseline(block.text, saveBlock(block, bench).path).problems).toEqual([]);
  },
  'yaml fixtures': (block, { bench }) => {
    readFixtures(block.text, saveBlock(block, bench).path);
  },
  /** Lines of the adapter or the time protocol, held against the schema that the package publishes. */
  'json message': (block) => {
    const isMessage = compileMessageSchema(findName(block));
    for (const line of block.text.split('\n'))
      expect(isMessage(JSON.parse(line.replace(/^taskdouble:/, ''))), line).toBe(true);
  },
  /** A report of `--report json`, held against the schema that the package publishes. */
  'json report': (block, { bench }) => {
    saveBlock(block, bench);
    const isReport = loadReportSchema();
    expect(isReport(JSON.parse(block.text)), JSON.stringify(isReport.errors)).toBe(true);
  },
};

/** Checks one block as its info string says. Throws for one that it does not know how to check. */
export async function checkBlock(block: MarkdownBlock, reading: PageState): Promise<void> {
  const [language, kind] = block.info;
  for (const name of reading.unused.keys()) {
    if (block.text.includes(basename(name).replace(/\.\w+$/, ''))) reading.unused.delete(name);
  }
  if (kind === 'file') {
    reading.unused.set(saveBlock(block, reading.bench).file, block.line);
    return;
  }
  const check = CHECKS[`${language} ${kind}`];
  if (!check) {
    throw new Error(
      `line ${block.line}: "${block.info.join(' ')}" is no kind of block that is checked; there are ${Object.keys(CHECKS).join(', ')}, and LANGUAGE file NAME for one that a block below uses`,
    );
  }
  const { last } = reading;
  await check(block, reading);
  if (reading.last === last) reading.last = undefined;
}

/** The word behind the kind, unless it is `exit`. */
function findName({ info: [, , name] }: MarkdownBlock): string | undefined {
  return name === 'exit' ? undefined : name;
}

/** `exit N` at the end says how a run ends; 0 unless it stands there. */
function readExitCode({ info }: MarkdownBlock): number {
  return info.at(-2) === 'exit' ? Number(info.at(-1)) : 0;
}

function saveBlock(block: MarkdownBlock, bench: Workbench): { file: string; path: string } {
  const file = findName(block);
  if (file === undefined) throw new Error(`line ${block.line}: "${block.info.join(' ')}" needs a name`);
  return { file, path: bench.save(file, block.text) };
}

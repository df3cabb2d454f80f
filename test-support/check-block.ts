import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readConfig } from '../conformance/config.js';
import { loadBaseline } from '../conformance/report/baseline.js';
import { readDialect } from '../mock/dialect-text.js';
import { readFixtures } from '../mock/fixtures-text.js';
import { loadScenarioText } from '../scenarios/load.js';
import { loadNetworkText } from '../scenarios/network-file.js';
import { requirements } from '../spec/index.js';
import type { Block } from './markdown.js';
import { isShown, presentable } from './output.js';
import type { Ran, Workbench } from './workbench.js';

const ROOT = join(import.meta.dirname, '..');
const REQUIREMENTS = new Set<string>(requirements.map(({ id }) => id));

/** What a page has done so far. */
export interface Reading {
  bench: Workbench;
  /** What the last block printed that was run; undefined where the one before was none. */
  last: Ran | undefined;
  /** Takes what a page should show in place of what it shows; undefined where a difference is a failure. */
  correct: ((block: Block, output: string) => void) | undefined;
}

type Check = (block: Block, reading: Reading) => void | Promise<void>;

/** How each kind of block is checked. A kind that does not stand here is a mistake. */
const CHECKS: Readonly<Record<string, Check>> = {
  'sh script': ({ text }) => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const commands = text.split('\n').flatMap((line) => line.replace(/#.*/, '').split('&&'));
    for (const command of commands.map((each) => each.trim()).filter(Boolean)) {
      const [, name] = /^npm (?:run )?([\w:]+)$/.exec(command) ?? [];
      expect(['ci', ...Object.keys(scripts)], command).toContain(name);
    }
  },
  'sh start': ({ text }, { bench }) => bench.start(text),
  'sh mock': async ({ text }, { bench }) => {
    for (const line of text.split('\n')) {
      await bench.start(line);
      await bench.stop();
    }
  },
  'sh run': async ({ text, info }, reading) => {
    const wanted = info[2] === 'exit' ? Number(info[3]) : 0;
    reading.last = await reading.bench.run(text);
    expect(reading.last.code, reading.last.output).toBe(wanted);
  },
  'js run': async ({ text }, reading) => {
    reading.last = await reading.bench.runModule(text);
    expect(reading.last.code, reading.last.output).toBe(0);
  },
  /** A file of tests, run by vitest as a team would. */
  'js vitest': async ({ text }, reading) => {
    reading.last = await reading.bench.runTests(text);
    expect(reading.last.code, reading.last.output).toBe(0);
  },
  'text output': (block, { last, bench, correct }) => {
    if (!last) throw new Error('There is nothing above that this is the output of.');
    const output = presentable(last.output, bench.base_url);
    if (isShown(output, block.text)) return;
    if (correct) correct(block, output);
    else expect(output).toBe(block.text);
  },
  /** A diagram that the command above has shown. */
  'mermaid shown': ({ text }, { last }) => {
    if (!last) throw new Error('There is nothing above that shows this.');
    expect(last.output).toContain(text);
  },
  'yaml scenario': ({ text, info }, { bench }) => {
    bench.save(info[2]!, text);
    const { problems } = loadScenarioText(text, { file: info[2]!, name: 'page', requirements: REQUIREMENTS });
    expect(problems).toEqual([]);
  },
  /** Its mistakes are what the page wants to show. */
  'yaml broken': ({ text, info }, { bench }) => {
    bench.save(info[2]!, text);
    const { problems } = loadScenarioText(text, { file: info[2]!, name: 'page' });
    expect(problems.length).toBeGreaterThan(0);
  },
  'yaml network': ({ text, info }, { bench }) => {
    const { problems } = loadNetworkText(text, { file: bench.save(info[2]!, text) });
    expect(problems).toEqual([]);
  },
  'yaml dialect': ({ text, info }, { bench }) => {
    readDialect(text, bench.save(info[2]!, text));
  },
  'yaml config': ({ text, info }, { bench }) => {
    readConfig(text, bench.save(info[2]!, text), { OTHER_KEY: 'of-another' });
  },
  'yaml baseline': ({ text, info }, { bench }) => {
    const { problems } = loadBaseline(text, bench.save(info[2]!, text));
    expect(problems).toEqual([]);
  },
  'yaml fixtures': ({ text, info }, { bench }) => {
    readFixtures(text, bench.save(info[2]!, text));
  },
};

/** Checks one block as its info string says. Throws for one that it does not know how to check. */
export async function checkBlock(block: Block, reading: Reading): Promise<void> {
  const [language, kind] = block.info;
  const check = CHECKS[`${language} ${kind}`];
  if (!check) {
    throw new Error(
      `line ${block.line}: "${block.info.join(' ')}" is no kind of block that is checked; there are ${Object.keys(CHECKS).join(', ')}`,
    );
  }
  const { last } = reading;
  await check(block, reading);
  if (reading.last === last) reading.last = undefined;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadScenarioText } from '../../scenarios/format/load/load-text.js';
import { checkClient } from './check-client.js';

/** A client that does nothing. The run of conversation 1 ends behind that of conversation 2. */
const SLOW_FIRST = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
const [, , mark] = process.argv;
const { TASKDOUBLE_SCENARIO: scenario } = process.env;
if (scenario === 'generated/1-1') while (!existsSync(mark)) await setTimeout(5);
if (scenario === 'generated/1-2') process.on('exit', () => writeFileSync(mark, ''));
console.log('{}');
`;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'first-failure-'));
  await writeFile(join(directory, 'client.mjs'), SLOW_FIRST);
});
afterAll(() => rm(directory, { recursive: true }));

it('the first failure is that of the conversation with the lowest number, whichever ends first', async () => {
  const found: string[] = [];
  const { checks } = await checkClient(
    {
      client: ['node', join(directory, 'client.mjs'), join(directory, 'mark')],
      scenarios: ['polling/one-shot'],
      search: 2,
      jobs: 2,
      unknownScenario: false,
    },
    (event) => {
      if (event.type === 'failure') found.push(event.yaml);
    },
  );
  expect([...new Set(checks.map((check) => check.case))]).toEqual([
    'polling/one-shot',
    'generated/1-1',
    'generated/1-2',
  ]);
  expect(found.length).toBeGreaterThan(0);
  const { scenario } = loadScenarioText(found[0]!, { file: 'x.yaml', name: 'x' });
  expect(scenario!.description).toBe('What is left of generated/1-1 shows it.');
});

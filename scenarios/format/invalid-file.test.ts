import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Mock } from '../../mock/mock.js';
import type { MockOptions } from '../../mock/options/mock-options.js';
import { startMock } from '../../test/support/mock/mock.js';
import { InvalidFile } from './invalid-file.js';

/** What `ready` of a mock with these options says. */
async function said(options: object): Promise<string[]> {
  const mock = new Mock(options as MockOptions);
  return mock.ready.then(
    () => [],
    (error) => error.message.split('\n'),
  );
}

const request = { task: 'x' };

it('names the path of every error in a scenario that was given as an object', async () => {
  const timeline = [
    { service: 'finish', after: { tim: '1s' } },
    { service: 'tool_call', tol: 'x' },
    { service: 'finish', status: 'dne' },
  ];
  expect(await said({ scenarios: [{ name: 'mine', title: 3, request, timeline }] })).toEqual([
    'scenario "mine": title: expected a line of text; found 3 (at title)',
    'scenario "mine": unknown key "tim" in after; did you mean time? (at timeline[0].after.tim)',
    'scenario "mine": unknown key "tol" in step service: tool_call; did you mean tool? (at timeline[1].tol)',
    'scenario "mine": status: expected one of done, failed, cancelled; found "dne"; did you mean done? (at timeline[2].status)',
  ]);
  const unnamed = { title: 'x', request, timeline: [{ service: 'finsh' }] };
  expect((await said({ scenarios: [unnamed] }))[0]).toMatch(
    /^scenario: service: expected one of .* \(at timeline\[0\]\.service\)$/,
  );
  expect((await said({ scenarios: [unnamed, unnamed] }))[1]).toMatch(
    /^scenario 2: service: .*timeline\[0\]\.service/,
  );
});

it('names the path of every error in fixtures that were given as an object', async () => {
  const fixtures = { organisation: { plan: 'gold' }, keys: { 'a-key': { profiles: [{ id: 3 }] } } };
  expect(await said({ fixtures })).toEqual([
    'fixtures: organisation.plan: expected one of free, starter, growth, enterprise; found "gold" (at organisation.plan)',
    expect.stringMatching(
      /^fixtures: keys\.a-key\.profiles\[0\]\.id: .* \(at keys\.a-key\.profiles\[0\]\.id\)$/,
    ),
  ]);
});

it('names shorthand rules from code `network`, not the command line', async () => {
  expect(await said({ network: 'fial 503; delay 3q' })).toEqual([
    expect.stringMatching(/^network:1:1: network: expected one of .* did you mean fail\?$/),
    expect.stringMatching(/^network:1:17: time: expected a duration/),
  ]);
});

it('names file, line and column of every error in a file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'taskdouble-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'x.yaml');
  writeFileSync(file, 'title: x\nrequest: { task: x }\ntimeline:\n  - service: finsh\n  - service: finih\n');
  expect(await said({ scenarios: [file] })).toEqual([
    expect.stringContaining(`${file}:4:14: service: expected one of`),
    expect.stringContaining(`${file}:5:14: service: expected one of`),
  ]);
});

it('names the path of an error in rules that a test sets as objects', async () => {
  const { control } = await startMock();
  await expect(control.network.set([{ network: 'delay', tim: '1s' }] as never)).rejects.toThrow(
    /^rules: unknown key "tim" in .* \(at \[0\]\.tim\)$/,
  );
});

it('reports at most twenty problems', () => {
  const problem = { file: 'f', line: 1, column: 1, message: 'm' };
  const { message } = new InvalidFile(Array.from({ length: 23 }, () => problem));
  expect(message.split('\n')).toHaveLength(21);
  expect(message).toMatch(/\n\(and 3 more\)$/);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runVitest } from '../../test/support/in-tests/run.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-describe-client-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SCENARIOS = ['polling/one-shot', 'status-codes/failed', 'tool-calls/one-call'];

interface ReportedTest {
  title: string;
  status: string;
  failureMessages: string[];
}

/** Runs the tests of the client in a separate vitest. */
async function runTests(options: object, env: Record<string, string> = {}, args: readonly string[] = []) {
  const file = join(directory, 'options.json');
  writeFileSync(file, JSON.stringify(options));
  const { stdout, stderr } = await runVitest(
    'test/support/describe-client',
    ['--reporter', 'json', ...args],
    {
      CLIENT_OPTIONS: file,
      ...env,
    },
  );
  if (!stdout.includes('{')) throw new Error(stderr);
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    testResults: { assertionResults: ReportedTest[]; message: string }[];
  };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const outcomes = Object.fromEntries(tests.map(({ title, status }) => [title.split(':')[0], status]));
  const messages = tests.flatMap(({ failureMessages }) => failureMessages).join('\n');
  return { outcomes, messages: `${messages}${report.testResults.map(({ message }) => message).join('\n')}` };
}

const LAST = 'something was tested, and nothing else was broken';

describe('describeClient', () => {
  it('has a test for each scenario, and skips what the client lacks', async () => {
    const { outcomes, messages } = await runTests({ scenarios: SCENARIOS, lacks: ['tools'] });
    expect(outcomes, messages).toEqual({
      'polling/one-shot': 'passed',
      'status-codes/failed': 'passed',
      'tool-calls/one-call': 'skipped',
      [LAST]: 'passed',
    });
  });

  it('fails the scenarios in which the client is wrong, with the exchange that shows it', async () => {
    const { outcomes, messages } = await runTests({ scenarios: SCENARIOS }, { CLIENT_FAULT: 'status' });
    expect(outcomes).toEqual({
      'polling/one-shot': 'passed',
      'status-codes/failed': 'failed',
      'tool-calls/one-call': 'failed',
      [LAST]: 'passed',
    });
    expect(messages).toMatch(
      /status-codes\/failed#line\/status: .*\n {2}#\d+ GET \/api\/v1\/task\/\S+ → 200/,
    );
  });

  it('plays only the selected scenarios, and fails a client that does nothing', async () => {
    const only = await runTests({ scenarios: SCENARIOS }, {}, ['-t', 'polling/one-shot']);
    expect(only.outcomes).toMatchObject({ 'polling/one-shot': 'passed', 'tool-calls/one-call': 'skipped' });
    const nothing = await runTests({ scenarios: SCENARIOS }, { CLIENT_FAULT: 'nothing' });
    for (const name of SCENARIOS) expect(nothing.outcomes[name]).toBe('failed');
  });

  it('has the whole library by default, and refuses what leaves no scenario', async () => {
    const { outcomes } = await runTests({}, {}, ['-t', 'no such test']);
    expect(Object.keys(outcomes).length).toBeGreaterThan(60);
    expect(outcomes).toMatchObject({ 'races/reply-response-lost': 'skipped' });
    const none = await runTests({ exclude: ['*'] });
    expect(none.messages).toContain('expected at least one scenario, found none');
    const unknown = await runTests({ scenarios: ['pollign/*'] });
    expect(unknown.messages).toContain('there is no scenario "pollign/*"; did you mean "polling/*"?');
  });
});

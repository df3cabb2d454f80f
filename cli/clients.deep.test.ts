import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endAll, type StartedMock, startMock } from '../test/support/cli/command.js';
import { EXAMPLE_CLIENTS, type ExampleClientRun, runClient } from '../test/support/cli/example-client.js';

/** The example clients, as they stand in the package, against the started command over a port. */
let mock: StartedMock;

beforeAll(async () => {
  mock = await startMock('--clock', 'skipping', '--quiet');
});
afterAll(endAll);

describe.each(EXAMPLE_CLIENTS)('the client in $language', (client) => {
  const { language, missing } = client;
  const why = missing === undefined ? '' : ` (skipped: ${missing})`;
  const test = it.skipIf(missing !== undefined);

  function run(
    args: string[],
    scenario?: string,
    env: Record<string, string> = {},
  ): Promise<ExampleClientRun> {
    return runClient(client, args, {
      TASKDOUBLE_BASE_URL: mock.base_url,
      TASKDOUBLE_API_KEY: `client-${language}`,
      ...(scenario === undefined ? {} : { TASKDOUBLE_SCENARIO: scenario }),
      ...env,
    });
  }

  test(`runs a one-shot task to its end${why}`, async () => {
    const { code, report, stderr } = await run(['task', 'Find the price of tea']);
    expect(report, stderr).toEqual({
      status: 'done',
      output: expect.any(String),
      results: [],
      tool_runs: [],
    });
    expect(code).toBe(0);
  });

  test(`replies to a tool call, and the one with a corrected input${why}`, async () => {
    const { code, report, stderr } = await run(['task', 'Weather?', '--tools'], 'tool-calls/corrected-input');
    expect(report, stderr).toEqual({
      status: 'done',
      output: 'It is 21 °C in New York.',
      results: [],
      tool_runs: [
        { name: 'get_weather', input: { city: '?' } },
        { name: 'get_weather', input: { city: 'New York' } },
      ],
    });
    expect(code).toBe(0);
    // What the service saw: the first input was refused.
    const codes = await repliesSeen(`client-${language}`);
    expect(codes).toEqual([400, 200]);
  });

  test(`drives a session: goto, extract, evaluate_js, run_task, close${why}`, async () => {
    const { code, report, stderr } = await run(['session', 'https://example.com']);
    expect(report.status, stderr).toBe('done');
    expect(report.results.map(({ name, code }) => [name, code])).toEqual([
      ['goto', 200],
      ['extract', 200],
      ['evaluate_js', 200],
      ['run_task', 200],
      ['close', 200],
    ]);
    expect(report.results[1]?.output).toMatchObject({ output: { title: expect.any(String) } });
    expect(code).toBe(0);
  });

  test(`exits with 1 when the task fails${why}`, async () => {
    const { code, report } = await run(['task', 'Do what cannot be done'], 'status-codes/failed');
    expect(report.status).toBe('failed');
    expect(code).toBe(1);
  });

  test(`exits with 1 when it is refused${why}`, async () => {
    const { code, report, stderr } = await run(['task', 'x'], undefined, {
      TASKDOUBLE_API_KEY: 'invalid-key',
    });
    expect(report.status).toBeNull();
    expect(stderr).toMatch(/HTTP 401.*not valid/);
    expect(code).toBe(1);
  });

  test(`exits with 1 when no scenario has that name${why}`, async () => {
    const { code, stderr } = await run(['task', 'x'], 'no/such-scenario');
    expect(stderr).toMatch(/HTTP 400.*no such scenario/);
    expect(code).toBe(1);
  });
});

/** Codes of the replies that the mock took down in its journal. */
async function repliesSeen(key: string): Promise<number[]> {
  const { body } = await mock.callAdmin('GET', `/journal?key=${encodeURIComponent(key)}`);
  const exchanges = body.exchanges as { kind: string; request: { body?: string } }[];
  return exchanges
    .filter(({ kind }) => kind === 'reply')
    .map(({ request }) => JSON.parse(request.body ?? '{}').payload.code);
}

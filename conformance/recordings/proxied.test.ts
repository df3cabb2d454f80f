import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
// @ts-expect-error: a client in plain JavaScript
import { makeClient, pieces } from '../../fixtures/clients/reference.mjs';
import { toHar } from '../../mock/exchange/readers/har-writer.js';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { loadScenarioText } from '../../scenarios/format/load/load-text.js';
import type { Exchange } from '../../spec/vocabulary.js';
import { PLAIN_JOB } from '../../test/support/client/run.js';
import { closeAll, closeLater } from '../../test/support/proxy/servers.js';
import { createOtherService } from '../../test/support/recordings/other-service.js';
import { extractContent } from '../../test/support/recordings/round-trip.js';
import { createJob } from '../client/run/job.js';
import { play } from '../client/run/play.js';
import type { ClientFunction, Job } from '../client/types.js';
import { createMock } from '../in-tests/create-mock.js';
import { createProxy } from '../proxy/service-proxy.js';
import { listSides } from '../report/verdict.js';
import { checkRecordings } from './check-recordings.js';
import { convertExchanges } from './scenario/convert-recording.js';

const directory = mkdtempSync(join(tmpdir(), 'taskdouble-proxied-'));
afterEach(closeAll);
afterAll(() => rmSync(directory, { recursive: true }));

/** Pauses are not needed: the clock of the mock jumps, and the other service has no timing. */
const QUICK = { pause: () => 1 };
const right: ClientFunction = makeClient(QUICK);
/** Replies to each call with an unknown code, and then correctly. */
const wrong: ClientFunction = makeClient({
  ...QUICK,
  async reply(call: unknown, outcome: object) {
    await pieces.reply.call(this, call, { ...outcome, code: 501 }).catch(() => {});
    return pieces.reply.call(this, call, outcome);
  },
});

/** A proxy in process, and a function that runs clients through it. */
function proxied(service: typeof fetch) {
  const proxy = createProxy({ target: 'http://service.example', fetch: service as never });
  closeLater(() => proxy.close());
  const run = (client: ClientFunction, job: Job, apiKey = 'one', scenario = '') =>
    client({
      ...{ baseUrl: 'http://proxy.example', apiKey, scenario, job },
      fetch: proxy.fetch as typeof fetch,
      signal: new AbortController().signal,
    });
  return { proxy, run };
}

function mockService(): typeof fetch {
  const mock = createMock({ clock: 'skipping' });
  closeLater(() => mock.close());
  return mock.fetch as typeof fetch;
}

/** The recording as a journal and as a HAR file. */
function written(exchanges: readonly Exchange[]): string[] {
  const files = {
    'r.jsonl': `${exchanges.map((each) => JSON.stringify(each)).join('\n')}\n`,
    'r.har': JSON.stringify(toHar(exchanges)),
  };
  return Object.entries(files).map(([name, text]) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  });
}

async function failedIn(path: string): Promise<string[]> {
  const report = await checkRecordings([path]);
  expect(listSides(report), path).toEqual(['client', 'service']);
  expect(report.summary.passed, path).toBeGreaterThan(10);
  return report.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

const NAME = 'tool-calls/corrected-input';
const jobFor = async (name: string) =>
  createJob((await loadLibrary()).find((each) => each.name === name)!, 15_000);

describe('a recording of the proxy, as a journal and as a HAR', () => {
  it('shows the defect of a client', async () => {
    const { proxy, run } = proxied(mockService());
    await run(wrong, await jobFor(NAME), 'one', NAME);
    for (const path of written(proxy.journal()))
      expect(await failedIn(path), path).toContain('client#replies/code');
  });

  it('with two organisations at once shows nothing that neither did', async () => {
    const { proxy, run } = proxied(mockService());
    const job = await jobFor(NAME);
    const lines = await Promise.all(['one', 'two'].map((key) => run(right, job, key, NAME)));
    expect(lines.map((line) => line?.status)).toEqual(['done', 'done']);
    expect(new Set(proxy.journal().map(({ organisation }) => organisation)).size).toBe(2);
    for (const path of written(proxy.journal())) expect(await failedIn(path), path).toEqual([]);
  });
});

describe('a service that shares no code with the mock', () => {
  const tool = {
    name: 'look_up',
    description: 'Looks a place up',
    inputs: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
    output: 'What is known of it',
  };
  const job: Job = {
    ...PLAIN_JOB,
    request: { task: 'Look Kyiv up', custom_tools: [tool] },
    tools: {
      look_up: [
        { code: 400, output: 'place must not be empty' },
        { code: 200, output: { people: 2_952_000 } },
      ],
    },
  };

  it('recorded once, is played by the mock: the same conversation with the same client', async () => {
    const { proxy, run } = proxied(createOtherService());
    const line = await run(right, job);
    expect(line).toMatchObject({ status: 'done', output: 'Found: {"people":2952000}' });
    const exchanges = proxy.journal();
    for (const path of written(exchanges)) expect(await failedIn(path), path).toEqual([]);
    const { scenarios, leftOut } = convertExchanges(exchanges, 'proxy');
    expect([scenarios.length, leftOut]).toEqual([1, []]);
    const { yaml } = scenarios[0]!;
    expect(yaml).not.toContain(':call:');
    const { scenario, problems } = loadScenarioText(yaml, { file: 'other.yaml', name: 'other' });
    expect(problems, yaml).toEqual([]);
    const again = await play(scenario!, { kind: 'function', run: makeClient() });
    expect(extractContent(again)).toEqual(extractContent({ exchanges, line }));
  });
});

import { afterEach, describe, expect, it } from 'vitest';
// @ts-expect-error: it has no types.
import { makeClient, pieces } from '../../fixtures/clients/reference.mjs';
import { loadLibrary } from '../../scenarios/format/library/library.js';
import { closeAll, closeLater, startProxy } from '../../test/support/proxy/servers.js';
import { createJob } from '../client/run/job.js';
import type { ClientFunction } from '../client/types.js';
import { createMock } from '../in-tests/create-mock.js';
import { decideVerdict, selectSide } from '../report/verdict.js';
import type { ProxyOptions } from './proxy-options.js';
import { createProxy } from './service-proxy.js';

afterEach(closeAll);

const KEY = 'a-very-secret-key';
const SCENARIO = 'tool-calls/corrected-input';

/** A mock on a port, whose time does not pass while clients wait. */
async function startMock(): Promise<string> {
  const mock = createMock({ clock: 'skipping' });
  closeLater(() => mock.close());
  return (await mock.listen()).baseUrl;
}

/** The fixtures' client, which need not wait here: time jumps at the mock. */
const rightClient: ClientFunction = makeClient({ pause: () => 1 });
/** It replies to each call twice, the second time at once when it has the response to the first. */
const wrongClient: ClientFunction = makeClient({
  pause: () => 1,
  async reply(...reply: unknown[]) {
    await pieces.reply.apply(this, reply);
    return pieces.reply.apply(this, reply);
  },
});

/** Lets a client do the job of a scenario. */
async function play(
  client: ClientFunction,
  baseUrl: string,
  fetch = globalThis.fetch,
  name = SCENARIO,
): Promise<unknown> {
  const scenario = (await loadLibrary()).find((each) => each.name === name)!;
  const { signal } = new AbortController();
  const job = createJob(scenario, 15_000);
  return client({ baseUrl, apiKey: KEY, fetch, scenario: name, job, signal });
}

const outcomes = (checks: readonly { id: string; outcome: string }[], wanted: string) =>
  checks.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);

describe('client and service at the two ends of a proxy', () => {
  it('are both judged correctly', async () => {
    const { proxy, url } = await startProxy(await startMock());
    expect(await play(rightClient, url)).toMatchObject({ status: 'done' });
    const report = proxy.report();
    expect(outcomes(report.checks, 'failed')).toEqual([]);
    expect(decideVerdict(report)).toBe('conforms');
    const passed = outcomes(report.checks, 'passed');
    for (const each of ['client#replies/code', 'client#replies/once', 'service#TOOL-02', 'service#POLL-02'])
      expect(passed).toContain(each);
  });

  it('shows a defect of the client, as it happens', async () => {
    const told: string[] = [];
    const onFinding: ProxyOptions['onFinding'] = ({ side, rule, level }) =>
      level === 'must' && told.push(`${side} ${rule}`);
    const { proxy, url } = await startProxy(await startMock(), { onFinding });
    await play(wrongClient, url);
    expect([...new Set(told)]).toEqual(['client replies/once']);
    const report = proxy.report();
    expect(decideVerdict(selectSide(report, 'client'))).toBe('violations');
    expect(decideVerdict(selectSide(report, 'service'))).toBe('conforms');
  });

  it('reports no fault in a session that is done with the result of its action', async () => {
    const { proxy, url } = await startProxy(await startMock());
    await play(rightClient, url, globalThis.fetch, 'races/result-with-terminal');
    expect(outcomes(proxy.report().checks, 'failed')).toEqual([]);
  });

  it('treats two concurrent requests as independent of the response to the other', async () => {
    const { proxy, url } = await startProxy(await startMock());
    const send = (path: string, body: object) =>
      fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { apikey: KEY, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await send('/topup?amount=1', {});
    await Promise.all([send('/topup?amount=2', {}), send('/topup?amount=3', {})]);
    await send('/topup?amount=4', {});
    const [first, ...rest] = proxy.journal().map(({ order }) => order);
    expect(first).toEqual({ after: 0, response: 1 });
    expect(rest.map((order) => order?.after)).toEqual([1, 1, 3]);
  });

  it('reports the last known state of a task that its client has left', async () => {
    const { proxy, url } = await startProxy(await startMock());
    // It takes the call for handled, and ends.
    const leaving: ClientFunction = makeClient({
      pause: () => 1,
      reply() {
        throw new Error('the tool has no handler');
      },
    });
    await play(leaving, url).catch(() => {});
    const followed = proxy.report().checks.find(({ id }) => id === 'client#tasks/followed');
    expect(followed).toMatchObject({
      outcome: 'inconclusive',
      message: expect.stringMatching(
        /^The task \S+ was running in the last response about it \(exchange \d+, .* before the end of the proxy\): the call "\S+" of \S+ was delivered in exchange \d+ and has no reply\./,
      ),
    });
    const { proxy: other, url: there } = await startProxy(await startMock());
    await play(rightClient, there);
    expect(outcomes(other.report().checks, 'passed')).toContain('client#tasks/followed');
  });

  it('shows a defect of the service', async () => {
    const target = await startMock();
    // It counts no credits.
    const broken: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const text = (await response.text()).replace(/"credits_used":\d+/, '"credits_used":"many"');
      const { status } = response;
      return new Response(text, { status, headers: { 'content-type': 'application/json' } });
    };
    const { proxy, url } = await startProxy(target, { fetch: broken as ProxyOptions['fetch'] });
    await play(rightClient, url);
    const report = proxy.report();
    expect(decideVerdict(selectSide(report, 'service'))).toBe('violations');
    expect(outcomes(report.checks, 'failed').filter((id) => id.startsWith('client'))).toEqual([]);
  });

  it('contain no API key anywhere', async () => {
    const seen: unknown[] = [];
    const { proxy, url } = await startProxy(await startMock(), { onExchange: (each) => seen.push(each) });
    await proxy.network.set('fail 500 of poll times 1');
    await play(rightClient, url);
    await fetch(`${url}/api/v1/task?apikey=${KEY}`, { headers: { cookie: `apikey=${KEY}` } });
    expect(seen.length).toBeGreaterThan(5);
    const all = JSON.stringify([seen, proxy.journal(), proxy.findings(), proxy.report(), proxy.health()]);
    expect(all).not.toContain(KEY);
  });

  it('work in process too, without a port', async () => {
    const mock = createMock({ clock: 'skipping' });
    const proxy = createProxy({
      target: 'http://service.example',
      fetch: mock.fetch as ProxyOptions['fetch'],
    });
    closeLater(() => proxy.close());
    await play(rightClient, 'http://proxy.example', proxy.fetch as typeof fetch);
    expect(decideVerdict(proxy.report())).toBe('conforms');
    expect(proxy.journal().length).toBe(mock.journal().length);
  });

  it('are judged separately by the key of the client, and deleted on request', async () => {
    const { proxy, url } = await startProxy(await startMock());
    const ask = (key: string) => fetch(`${url}/api/v1/usage`, { headers: key === '' ? {} : { apikey: key } });
    await ask('one');
    await ask('two');
    await ask('');
    expect(proxy.journal().map(({ seq, organisation }) => [seq, organisation])).toEqual([
      [1, 'org-1'],
      [2, 'org-2'],
      [3, 'org-3'],
    ]);
    expect(proxy.journal({ key: 'two' })).toHaveLength(1);
    expect(proxy.findings().map(({ rule }) => rule)).toEqual(['auth/key-sent']);
    expect(proxy.findings('two')).toEqual([]);
    proxy.reset();
    expect([proxy.findings(), proxy.journal(), proxy.judged]).toEqual([[], [], 0]);
  });
});

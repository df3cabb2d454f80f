import { describe, expect, it } from 'vitest';
import { Mock } from '../mock.js';
import type { MockOptions } from '../options/mock-options.js';
import { getService } from '../service.js';

function setUp(options: MockOptions = {}) {
  const mock = new Mock({ clock: 'manual', ...options });
  return { mock, call: createCaller(mock) };
}

function createCaller(mock: Mock) {
  return async (method: string, path: string, body?: unknown, signal?: AbortSignal) => {
    const response = await mock.fetch(`http://mock.test/api/v1${path}`, {
      method,
      headers: { apikey: 'test' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.status, r: (await response.json()).r };
  };
}

/** Waits until all work that needs no time is done. */
const awaitIdle = () => new Promise((resolve) => setImmediate(resolve));

describe('concurrent requests', () => {
  it('get the same responses while the mock is loading as afterwards', async () => {
    const { mock, call } = setUp();
    const ids = async () => {
      const responses = await Promise.all([
        call('POST', '/task', { task: 'x' }),
        call('POST', '/profile', { id: null }),
      ]);
      return responses.map(({ r }) => r.id);
    };
    const first = await ids();
    mock.reset();
    expect(await ids()).toEqual(first);
  });
});

it('a mock that cannot load a module reports it, and responds to all other requests', async () => {
  const faults: unknown[] = [];
  const { mock, call } = setUp({ onFault: (error) => faults.push(error) });
  const service = getService(mock);
  const load = service.load.bind(service);
  service.load = ({ operation }) =>
    operation?.id === 'createTask' ? Promise.reject(new Error('no such file')) : undefined;
  const responses = await Promise.all([call('POST', '/task', { task: 'x' }), call('GET', '/usage')]);
  expect(responses.map(({ status }) => status)).toEqual([500, 200]);
  expect(faults).toEqual([new Error('no such file')]);
  expect(mock.health().inFlight).toBe(0);
  service.load = load;
  expect((await call('POST', '/task', { task: 'x' })).status).toBe(200);
});

describe('a rule at the start of a timeline that applies to creates in flight', () => {
  const OTHER = { network: 'delay', time_ms: 0, of: { operation: 'getJob' } } as const;
  it.each([
    ['while no other rule is set', []],
    ['while another is', [OTHER]],
  ])('does not apply to the create already handled, %s', async (_, network) => {
    const { mock, call } = setUp({ network });
    const timeline = [{ network: 'fail', status: 503, of: { create: true } }];
    await mock.scenario({ name: 'test', title: 'Test', request: { task: 'x' }, timeline }, 'test');
    const responses = [];
    for (let n = 0; n < 3; n++) responses.push(await call('POST', '/task', { task: 'y' }));
    expect(responses.map(({ status }) => status)).toEqual([200, 503, 200]);
  });
});

describe('a client that disconnects while it waits', () => {
  it('has no response in the journal if a rule held the request', async () => {
    const network = [{ network: 'hold', until: { gate: 'go' } }] as const;
    const { mock, call } = setUp({ network });
    const leave = new AbortController();
    const usage = call('GET', '/usage', undefined, leave.signal);
    usage.catch(() => {});
    await awaitIdle();
    leave.abort();
    await awaitIdle();
    await expect(usage).rejects.toThrow();
    expect(mock.journal().map(({ response }) => response)).toEqual([undefined]);
    expect(mock.health().inFlight).toBe(0);
  });

  it('has not seen the news that it waited for', async () => {
    const { mock, call } = setUp({ dialect: { 'poll.long-poll': 'on' } });
    const session = (await call('POST', '/task', { task: null })).r.id;
    const leave = new AbortController();
    const poll = call('GET', `/task/${session}`, undefined, leave.signal);
    poll.catch(() => {});
    await awaitIdle();
    leave.abort();
    await awaitIdle();
    await expect(poll).rejects.toThrow();
    expect(mock.journal({ kind: 'poll' }).map(({ response }) => response)).toEqual([undefined]);
    expect(mock.task(session)).toMatchObject({ polls: 0 });
    // Only the session's time-out is planned; the finished poll has left nothing.
    expect(mock.clock.view('test')[0]!.pending).toBe(1);
  });
});

it('a scripted output of null is null', async () => {
  const { mock, call } = setUp();
  const timeline = [{ service: 'finish', output: null }];
  await mock.scenario({ name: 'test', title: 'Test', request: { task: 'x' }, timeline }, 'test');
  expect((await call('POST', '/task', { task: 'x' })).r).toMatchObject({ status: 'done', output: null });
});

import { describe, expect, it } from 'vitest';
import { listLeadingCreateRules } from '../../scenarios/format/network/rule.js';
import type { NetworkRule, Scenario, Step } from '../../scenarios/format/types.js';
import { createScenario, startMock, type TestMock } from '../../test/support/mock/mock.js';
import { formatTraceEntry, type TraceEntry } from './tracer.js';

const TOOL = { name: 'look', description: 'Looks', inputs: { type: 'object' }, output: 'What is there' };
const LATER: Step = { service: 'finish', after: { time_ms: 3_600_000 } };
const CALLS: Step[] = [
  { service: 'tool_call', id: 'c1', tool: 'look', input: {} },
  { service: 'tool_call', id: 'c2', tool: 'look', input: {} },
];

async function traced(
  given: Scenario,
  network: readonly NetworkRule[] = [],
): Promise<{ mock: TestMock; trace: TraceEntry[]; lines: () => string[]; create: () => Promise<string> }> {
  const trace: TraceEntry[] = [];
  const mock = await startMock({
    scenarios: [{ ...given, match: {} }],
    network,
    onTrace: (entry) => trace.push(entry),
  });
  const request = { task: 'Do it', custom_tools: [TOOL] };
  return {
    mock,
    trace,
    lines: () => trace.map(formatTraceEntry),
    create: async () => {
      await mock.send('POST', '/task', request);
      return [...mock.service.organisations.get('a')!.tasks.keys()].at(-1)!;
    },
  };
}

/** Polls, replies to both calls (twice to the second), polls again. */
async function converse({ mock, create }: Awaited<ReturnType<typeof traced>>): Promise<void> {
  const id = await create();
  const { r } = await mock.poll(id);
  const calls = r?.events ?? [];
  const reply = (index: number) =>
    mock.sendEvent(id, { id: calls[index]?.id, name: 'tool_call', payload: { code: 200, output: 1 } });
  await reply(1);
  await reply(0);
  await reply(1);
  await mock.sendEvent(id, { id: 'made-up', name: 'tool_call', payload: { code: 200, output: 1 } });
  await mock.poll(id, calls.at(-1)?.timestamp);
}

describe('the trace', () => {
  it('records steps, arrivals and responses in order, by stable names', async () => {
    const run = await traced(createScenario('t', [...CALLS, LATER]));
    await converse(run);
    expect(run.lines()).toEqual([
      'arrive create#1',
      'service tool_call c1',
      'service tool_call c2',
      'response create#1 200',
      'arrive poll#1',
      'response poll#1 202 [c1, c2]',
      'arrive reply c2#1',
      'response reply c2#1 200',
      'arrive reply c1#1',
      'response reply c1#1 200',
      'arrive reply c2#2',
      'response reply c2#2 200',
      'arrive reply ?#1',
      'response reply ?#1 404',
      'arrive poll#2',
      'response poll#2 202',
    ]);
  });

  it('marks a lost response', async () => {
    const run = await traced(
      createScenario('t', [{ network: 'drop', side: 'response', of: { poll: 1 } }, ...CALLS, LATER]),
    );
    const id = await run.create();
    const response = await run.mock.service.pipeline.handle({
      method: 'GET',
      url: `/api/v1/task/${id}`,
      headers: { apikey: 'a' },
      body: null,
      loopback: true,
    });
    expect(response.fault).toEqual({ kind: 'drop' });
    expect(run.lines().at(-1)).toBe('response poll#1 lost');
  });

  it('names each request so that a rule hits this one and no other in the next run', async () => {
    const first = await traced(createScenario('t', [...CALLS, LATER]));
    await converse(first);
    const arrivals = first.trace.filter((entry) => entry.what === 'arrive');
    expect(arrivals).toHaveLength(7);
    for (const { name, of, skip } of arrivals) {
      const step: Step = { network: 'fail', status: 418, side: 'response', of, skip, id: 'd1' };
      const again = await traced(createScenario('t', [step, ...CALLS, LATER]));
      // A client that ignores statuses sends the same requests again.
      if (name === 'create#1') await again.create();
      else await converse(again);
      const hit = again.trace.filter((entry) => entry.what === 'response' && entry.status === 418);
      expect(hit, name).toMatchObject([{ name }]);
    }
  });

  it('names improvised steps by their action', async () => {
    const trace: TraceEntry[] = [];
    const mock = await startMock({ onTrace: (entry) => trace.push(entry) });
    const id = await mock.create({ task: null });
    await mock.sendEvent(id, {
      id: 'e1',
      name: 'browser_action',
      payload: { name: 'goto', input: { url: 'https://example.com' } },
    });
    await mock.control.clock.set({ advance: '5s' });
    await mock.poll(id);
    expect(trace.map(formatTraceEntry).slice(2)).toEqual([
      'arrive action goto#1',
      'response action goto#1 200',
      'service result goto',
      'arrive poll#1',
      'response poll#1 202 [result goto]',
    ]);
    expect(trace.find(({ what }) => what === 'step')).toMatchObject({ step: undefined, task: id });
    expect(trace[2]).toMatchObject({ of: { action: 'goto' }, skip: 0 });
  });
});

describe('rules about creates that a timeline begins with', () => {
  const timeline: Step[] = [{ network: 'drop', side: 'request', of: { create: true }, id: 'd1' }, LATER];

  it('concern the first create when they are set beforehand, and no other', async () => {
    const given = createScenario('t', timeline);
    const run = await traced(given, listLeadingCreateRules(given));
    const send = () =>
      run.mock.service.pipeline.handle({
        method: 'POST',
        url: '/api/v1/task',
        headers: { apikey: 'a', 'content-type': 'application/json' },
        body: '{"task":"Do it"}',
        loopback: true,
      });
    await send();
    await send();
    await send();
    expect(run.lines().filter((line) => line.startsWith('response'))).toEqual([
      'response create#1 lost',
      'response create#2 200',
      'response create#3 200',
    ]);
    const network = run.mock.service.organisations.get('a')!.network as unknown as { list(): unknown[] };
    expect(network.list()).toMatchObject([{ id: 'd1', step: 'd1', fired: 1 }]);
  });
});

import { describe, expect, it } from 'vitest';
import { createScenario, startMock } from '../../test/support/mock/mock.js';
import { MANUAL_START_MS } from '../engine/clock.js';

describe('gates', () => {
  it('open a waiting step, for one task, one organisation or all', async () => {
    const gated = createScenario('g', [{ service: 'finish', after: { gate: 'go' } }]);
    const mock = await startMock({ scenarios: [gated] });
    const [one, two] = [await mock.create({ task: 'g' }), await mock.create({ task: 'g' })];
    const other = await mock.create({ task: 'g' }, 'b');
    expect(mock.control.gates('a')).toEqual([
      {
        organisation: 'org-1',
        open: [],
        openForTasks: [],
        held: [],
        waiting: [
          { task: one, gate: 'go', step: 0 },
          { task: two, gate: 'go', step: 0 },
        ],
      },
    ]);
    mock.control.openGate('go', { task: one });
    const statuses = () => [one, two, other].map((id) => mock.control.task(id).status);
    expect(statuses()).toEqual(['done', 'running', 'running']);
    mock.control.openGate('go', { key: 'a' });
    expect(statuses()).toEqual(['done', 'done', 'running']);
    mock.control.openGate('go');
    expect(statuses()).toEqual(['done', 'done', 'done']);
    expect(mock.control.gates('a')[0]!.open).toEqual(['go']);
  });
});

describe('gates of the network', () => {
  it('show which rule holds how many requests, and release them', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: 'x' });
    await mock.control.network.set([{ network: 'hold', until: { gate: 'go' }, of: 'poll' }], 'a');
    const polls = [mock.poll(id), mock.poll(id)];
    expect(mock.control.gates('a')[0]!.held).toEqual([{ gate: 'go', rule: 'rule-1', requests: 2 }]);
    const held = { rule: 'rule-1', gate: 'go', since: MANUAL_START_MS, latest: expect.any(Number) };
    expect(mock.control.task(id).held).toEqual([
      { ...held, exchange: 2 },
      { ...held, exchange: 3 },
    ]);
    expect(mock.control.health().inFlight).toBe(2);
    mock.control.openGate('go', { key: 'a' });
    expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([202, 202]);
    expect(mock.control.gates('a')[0]!.held).toEqual([]);
    expect(mock.control.task(id).held).toEqual([]);
  });
});

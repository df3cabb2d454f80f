import { describe, expect, it } from 'vitest';
import { REQUEST, TOOL_SCENARIO } from '../../test/support/admin/tool-scenario.js';
import { createScenario, startMock } from '../../test/support/mock/mock.js';
import { MANUAL_START_MS } from '../engine/clock.js';
import { MockError } from '../exchange/errors.js';

describe('the internal state of a task', () => {
  it('describes what it waits for and since when', async () => {
    const mock = await startMock({ scenarios: [TOOL_SCENARIO] });
    const id = await mock.create(REQUEST);
    const waiting = () => mock.control.task(id).runs[0]!.next;
    expect(waiting()).toEqual({
      index: 0,
      step: 'service tool_call get_weather (first)',
      waitsFor: ['300 ms more'],
      missing: [{ kind: 'time', due: MANUAL_START_MS + 300 }],
      since: MANUAL_START_MS,
      polls: 0,
      due: MANUAL_START_MS + 300,
    });
    await mock.control.clock.set({ advance: 300 }, 'a');
    const [call] = mock.control.task(id).calls;
    expect(waiting()).toMatchObject({
      step: 'client reply first',
      waitsFor: [`the client to reply to ${call!.id}`],
      missing: [{ kind: 'reply', call: call!.id, tool: 'get_weather', input: call!.input }],
      since: MANUAL_START_MS + 300,
    });
    await mock.sendEvent(id, { name: 'tool_call', id: call!.id, payload: { code: 200, output: 1 } });
    expect(waiting()).toMatchObject({ step: 'service finish', waitsFor: ['gate go to be opened'] });
    expect(mock.control.task(id)).toMatchObject({
      organisation: 'org-1',
      scenario: 'talk',
      status: 'running',
      polls: 0,
      calls: [{ tool: 'get_weather', reply: { code: 200, output: 1 } }],
    });
  });

  it('lists the polls and actions that it waits for', async () => {
    const mock = await startMock({
      scenarios: [
        createScenario('p', [
          { client: 'poll', times: 2 },
          { service: 'finish', after: { polls: 1 } },
        ]),
      ],
    });
    const id = await mock.create({ task: 'p' });
    expect(mock.control.task(id).runs[0]!.next!.waitsFor).toEqual(['2 more polls']);
    await mock.poll(id);
    expect(mock.control.task(id).runs[0]!.next!.waitsFor).toEqual(['1 more poll']);
    await mock.poll(id);
    expect(mock.control.task(id).runs[0]!.next).toMatchObject({
      step: 'service finish',
      waitsFor: ['1 more poll'],
    });
  });

  it('shows the remaining time in the queue', async () => {
    const mock = await startMock({ dialect: { 'task.first-status': 'waiting' } });
    const id = await mock.create({ task: 'x' });
    expect(mock.control.task(id).status).toBe('waiting');
    expect(mock.control.task(id).runs[0]!.next!.waitsFor[0]).toMatch(
      /^\d+(?: ms|(?:\.\d+)? s) more in the queue$/,
    );
  });

  it('reports an unknown task', async () => {
    const mock = await startMock();
    expect(() => mock.control.task('nope')).toThrow(
      new MockError('missing', 'There is no task "nope" in any organisation.'),
    );
  });
});

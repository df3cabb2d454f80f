import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../../scenarios/format/load/load.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { createScenario } from '../../../test/support/client/scenarios.js';
import { createJob, estimateDeadline, explainUnplayable } from './job.js';

const library = new Map((await readLibrary()).map((each) => [each.name, each]));
const named = (name: string): Scenario => library.get(name)!;
const job = (name: string) => createJob(named(name), 15_000);

describe('the job of a client', () => {
  it('is only the request if the scenario has nothing else', () => {
    expect(job('polling/one-shot')).toEqual({
      request: { task: 'Tell me the title of the page at https://example.com.' },
      tools: {},
      actions: [],
      close: null,
      cancel_after_ms: null,
      deadline_ms: 15_000,
      optional_fields: [],
      asks: [],
    });
    expect(job('resources/downloads').asks).toEqual(['downloads_url']);
  });

  it('makes fields optional that the API description does not have, unless the scenario lists them', () => {
    const request = { task: 'x', files: ['f'], session_id: 's', max_steps: 2 };
    expect(createJob(createScenario([], { request }), 1).optional_fields).toEqual([
      'session_id',
      'max_steps',
    ]);
    expect(createJob(createScenario([], { request, optional_fields: ['files'] }), 1).optional_fields).toEqual(
      ['files'],
    );
  });

  it('has the outcome of the n-th tool run from the reply to the n-th call', () => {
    expect(job('tool-calls/corrected-input').tools).toEqual({
      get_weather: [
        { code: 400, output: 'there is no city called "?"' },
        { code: 200, output: { temp_c: 21 } },
      ],
    });
  });

  it('uses the order of the calls, not of the replies', () => {
    const { timeline, request } = named('tool-calls/parallel-calls');
    const turned = [...timeline.slice(0, 3), ...timeline.slice(3, 6).reverse(), ...timeline.slice(6)];
    const { tools } = createJob(createScenario(turned, { request }), 1);
    expect(tools.get_weather?.map(({ output }) => output)).toEqual([
      { temp_c: 22 },
      { temp_c: 15 },
      { temp_c: 14 },
    ]);
  });

  it('makes a tool fail if the scenario has steps for that, and succeed otherwise', () => {
    expect(job('tool-calls/retried-only-if-refused').tools).toEqual({
      lookup_order: [
        { code: 400, output: 'try again' },
        { code: 200, output: null },
      ],
    });
  });

  it('omits outcomes that repeat the last one', () => {
    const call = (id: string) => ({ service: 'tool_call', id, tool: 't', input: {} });
    const reply = (to: string, output: unknown) => ({ client: 'reply', to, code: 200, output });
    const tool = { name: 't', description: '', inputs: {}, output: '' };
    const timeline = [1, 0, 0, 0].flatMap((output, n) => [call(`c${n}`), reply(`c${n}`, output)]);
    const { tools } = createJob(
      createScenario(timeline, { request: { task: 'x', custom_tools: [tool] } }),
      1,
    );
    expect(tools.t!.map(({ output }) => output)).toEqual([1, 0]);
  });

  it('has every registered tool except unknown ones', () => {
    const tool = (name: string) => ({ name, description: '', inputs: {}, output: '' });
    const request = { task: 'x', custom_tools: [tool('never_called'), tool('gone')] };
    const timeline = [
      { service: 'tool_call', id: 'a', tool: 'gone', input: {} },
      { client: 'reply', to: 'a', unknown_tool: true },
      { service: 'event', id: 'b', name: 'tool_call', payload: { name: 'not_registered', input: {} } },
      { client: 'reply', to: 'b', code: 400 },
    ];
    expect(createJob(createScenario(timeline, { request }), 1).tools).toEqual({
      never_called: [{ code: 200, output: null }],
    });
  });

  it('has the actions in order with the names of their events, and the close', () => {
    const { actions, close } = job('sessions/goto-extract-evaluate-close');
    expect(actions.map(({ name, payload }) => `${name} ${payload.name}`)).toEqual([
      'browser_action goto',
      'browser_action extract',
      'browser_action evaluate_js',
    ]);
    expect(actions[0]!.payload).toEqual({
      name: 'goto',
      input: { url: 'https://shop.example/kettles?page=2' },
    });
    expect(close).toBe('event');
    expect(job('sessions/run-task-with-tools').actions[0]!.name).toBe('session_action');
    expect(job('sessions/close-by-delete').close).toBe('delete');
  });

  it('counts the time of a cancel from the creation of the task', () => {
    expect(job('status-codes/cancelled-by-client').cancel_after_ms).toBe(1000);
    const timeline = [
      { service: 'tool_call', id: 'c', tool: 't', after: { time_ms: 300 } },
      { service: 'open', gate: 'g', after: { time_ms: 9000 }, meanwhile: true },
      { client: 'cancel', after: { time_ms: 400, polls: 2 } },
    ];
    expect(createJob(createScenario(timeline), 1).cancel_after_ms).toBe(1700);
  });

  it('can be created from every scenario', () => {
    for (const each of library.values())
      expect(() => JSON.stringify(createJob(each, 1)), each.name).not.toThrow();
  });
});

describe('scenarios that a client with one action at a time cannot play', () => {
  it('have a reason', () => {
    expect(explainUnplayable(named('sessions/two-actions-at-once'))).toMatch(
      /send extract while evaluate_js is in progress/,
    );
    expect(explainUnplayable(named('sessions/close-during-run-task'))).toMatch(
      /send close while run_task is in progress/,
    );
    const goto = { client: 'action', id: 'a', name: 'goto' };
    expect(explainUnplayable(createScenario([{ client: 'close', id: 'c' }, goto]))).toMatch(
      /goto after the close/,
    );
  });

  it('exclude a concurrent result, and an action without a result step', () => {
    const timeline = [
      { client: 'action', id: 'a', name: 'goto' },
      { service: 'result', to: 'a', meanwhile: true },
      { client: 'action', id: 'b', name: 'extract' },
      { client: 'close', id: 'c' },
    ];
    expect(explainUnplayable(createScenario(timeline))).toBeUndefined();
  });

  it('are rare in the library', () => {
    const not = [...library.values()].filter((each) => explainUnplayable(each) !== undefined);
    expect(not.length).toBeLessThan(library.size / 10);
  });
});

describe('the deadline of a job', () => {
  it.each([
    ['polling/one-shot', 20_000],
    ['polling/slow-agent', 50_000],
    ['polling/done-after-three-polls', 50_000],
    ['sessions/goto-extract-evaluate-close', 60_000],
    ['errors/unavailable-then-fine', 70_000],
  ])('of %s leaves time for a client that polls every 10 s: %i ms at least', (name, least_ms) => {
    const deadline = estimateDeadline(named(name));
    expect(deadline).toBeGreaterThanOrEqual(least_ms);
    expect(deadline).toBeLessThanOrEqual(2 * least_ms);
  });
});

import { describe, expect, it } from 'vitest';
import { listResponseErrors, readSchemaPointer } from '../test/support/response-errors.js';
import { openapi } from './generated/documents.js';
import { operations } from './generated/operations.js';
import { type ValidatorName, validators } from './generated/validators.js';
import { createValidator } from './json-schema/evaluate.js';

const tool = {
  name: 'get_weather',
  description: 'Weather of a city',
  inputs: { type: 'object' },
  output: 'text',
};

/** For each schema bodies that fit, and bodies that do not with the place that is wrong. */
const CASES: Record<string, { good: unknown[]; bad: [unknown, string][] }> = {
  TaskRequest: {
    good: [
      {},
      { task: null, url: 'https://example.com' },
      {
        task: 'x',
        device: null,
        custom_tools: null,
        max_steps: null,
        metadata: null,
        files: null,
        agent: null,
      },
      { task: 'x', use_stealth: null, certificates: null, session_id: null, of_tomorrow: [1] },
      { max_steps: 2 },
      { max_steps: 128, metadata: { a: 'x'.repeat(2048), b: 1, c: true } },
      { metadata: { emoji: '🌦'.repeat(2048) } },
      { custom_tools: [tool] },
    ],
    bad: [
      [[], ''],
      ['x', ''],
      [{ task: 5 }, '/task'],
      [{ max_steps: 1 }, '/max_steps'],
      [{ max_steps: 129 }, '/max_steps'],
      [{ max_steps: 2.5 }, '/max_steps'],
      [{ device: 'watch' }, '/device'],
      [{ agent: 'other' }, '/agent'],
      [{ files: 'one' }, '/files'],
      [{ custom_tools: [{ ...tool, output: undefined }] }, '/custom_tools/0'],
      [{ metadata: { a: 'x'.repeat(2049) } }, '/metadata/a'],
      [{ metadata: { a: null } }, '/metadata/a'],
      [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, n])) }, '/metadata'],
      [{ response_model: [] }, '/response_model'],
    ],
  },
  CustomToolDefinition: { good: [tool], bad: [[{ ...tool, inputs: 'none' }, '/inputs']] },
  TaskEvent: {
    good: [
      { name: 'session_action', payload: { name: 'close' } },
      { name: 'tool_call', payload: { code: 200, output: null }, id: null, timestamp: null },
      { name: 'browser_action', payload: {}, id: 'a', timestamp: 1 },
    ],
    bad: [
      [{ name: 'navigate', payload: {} }, '/name'],
      [{ name: 'tool_call' }, ''],
      [{ name: 'tool_call', payload: [] }, '/payload'],
      [{ name: 'tool_call', payload: {}, id: 1 }, '/id'],
      [{ name: 'tool_call', payload: {}, timestamp: '1' }, '/timestamp'],
    ],
  },
  Event: {
    good: [{ id: 'a', name: 'tool_call', payload: {}, timestamp: 1 }],
    bad: [[{ id: 'a', name: 'tool_call', payload: {}, timestamp: 1.5 }, '/timestamp']],
  },
  GotoPayload: {
    good: [{ name: 'goto', input: { url: 'https://example.com' } }],
    bad: [
      [{ name: 'goto', input: {} }, '/input'],
      [{ name: 'navigate', input: { url: 'x' } }, '/name'],
    ],
  },
  ExtractPayload: {
    good: [{ name: 'extract', input: { schema: {}, prompt: null } }],
    bad: [[{ name: 'extract', input: { prompt: 'x' } }, '/input']],
  },
  EvaluateJsPayload: {
    good: [{ name: 'evaluate_js', input: { js: '1', args: null } }],
    bad: [[{ name: 'evaluate_js', input: { js: 1 } }, '/input/js']],
  },
  RunTaskPayload: {
    good: [{ name: 'run_task', input: { task: 'x', max_steps: null, secrets: { a: { value: 'b' } } } }],
    bad: [[{ name: 'run_task', input: { task: 'x', max_steps: 129 } }, '/input/max_steps']],
  },
  ClosePayload: { good: [{ name: 'close' }], bad: [[{}, '']] },
  ToolCallPayload: { good: [{ name: 'a', input: {} }], bad: [[{ name: 'a', input: 'b' }, '/input']] },
  ResultPayload: {
    good: [{ code: 500, output: null }],
    bad: [
      [{ code: 501, output: null }, '/code'],
      [{ code: 200 }, ''],
    ],
  },
  TaskUpdateRequest: {
    good: [{ tool_response: { id: 'a', code: 200, output: '{}' } }, { tool_response: null }],
    bad: [[{ tool_response: { id: 'a' } }, '/tool_response']],
  },
  ProfileRequest: { good: [{}, { id: null }, { id: 'a' }], bad: [[{ id: 1 }, '/id']] },
  BrowserSessionRequest: {
    good: [{}, { profile_id: null, live_view: null }],
    bad: [[{ live_view: 'yes' }, '/live_view']],
  },
  TelemetryRequest: {
    good: [{ events: [] }, { events: [{ event: 'a', timestamp: '2026-01-01T00:00:00Z', properties: {} }] }],
    bad: [
      [{}, ''],
      [{ events: Array.from({ length: 11 }, () => ({ event: 'a' })) }, '/events'],
      [{ events: [{}] }, '/events/0'],
    ],
  },
  ITask: { good: [{ task: 'x', url: null }], bad: [[{}, '']] },
  UpdateAttachmentRequest: { good: [{}, { name: null }], bad: [[{ content: 1 }, '/content']] },
  ConnectAppRequest: {
    good: [{}, { protocol: -1 }, { protocol: null }],
    bad: [[{ protocol: 3 }, '/protocol']],
  },
  SOPRequest: { good: [{ title: 'a', content: 'b' }], bad: [[{ title: 'a' }, '']] },
  AutomationCreationRequest: {
    good: [{ name: 'a', task: 'b', enabled: null }],
    bad: [[{ name: 'a', task: 'b', enabled: 1 }, '/enabled']],
  },
  AutomationWebhookRequest: { good: [{ automation_id: 'a', payload: 1 }], bad: [[{ payload: 1 }, '']] },
};

describe.each(Object.entries(CASES))('%s', (name, { good, bad }) => {
  const interpret = createValidator(openapi, `/components/schemas/${name}`);
  const isBody = name in validators;

  it.each(good.map((value) => [JSON.stringify(value).slice(0, 80), value]))('takes %s', (_, value) => {
    expect(interpret(value)).toEqual([]);
    if (isBody) expect(validators[name as ValidatorName](value)).toBeUndefined();
  });

  it.each(bad.map(([value, at]) => [JSON.stringify(value).slice(0, 80), at, value]))(
    'refuses %s at "%s"',
    (_, at, value) => {
      const wrong = { instancePath: at, message: expect.any(String) };
      expect(interpret(value)[0]).toMatchObject(wrong);
      if (isBody) expect(validators[name as ValidatorName](value)?.[0]).toMatchObject(wrong);
    },
  );
});

describe('the validators', () => {
  it('cover every JSON body', () => {
    const bodies = Object.values(operations).flatMap(({ body }) => (body?.kind === 'json' ? [body] : []));
    const named = bodies.map(({ schema }) => schema);
    expect(named).toHaveLength(12);
    const payloads = ['Goto', 'Extract', 'EvaluateJs', 'RunTask', 'Close'].map((name) => `${name}Payload`);
    expect(new Set([...named, ...payloads])).toEqual(new Set(Object.keys(validators)));
  });

  it('leave the value as it was', () => {
    const value = { task: 'x', more: 1 };
    validators.TaskRequest(value);
    expect(value).toEqual({ task: 'x', more: 1 });
  });
});

describe('the schemas of responses', () => {
  const task = { id: 'a', status: 'running', output: null, live_url: null, events: [] };

  it('exist for every success', () => {
    for (const { id, successStatuses } of Object.values(operations))
      for (const status of successStatuses) expect(() => readSchemaPointer(id, status)).not.toThrow();
  });

  it('take a task, and fields they do not know', () => {
    expect(listResponseErrors('getTask', 202, { r: task })).toEqual([]);
    expect(listResponseErrors('getTask', 202, { r: { ...task, brand_new: 1 }, also: 2 })).toEqual([]);
  });

  it('take a task that has no events, however it says so', () => {
    expect(listResponseErrors('getTask', 202, { r: { id: 'a', status: 'running' } })).toEqual([]);
    expect(listResponseErrors('getTask', 202, { r: { ...task, events: null } })).toEqual([]);
  });

  it.each([
    ['without the envelope', task, ''],
    ['of another status', { r: { ...task, status: 'completed' } }, '/r/status'],
    ['with a text for events', { r: { ...task, events: '' } }, '/r/events'],
    ['with half an event', { r: { ...task, events: [{ id: 'b' }] } }, '/r/events/0'],
  ])('refuse a task %s', (_, body, at) => {
    expect(listResponseErrors('getTask', 202, body)[0]).toMatchObject({ instancePath: at });
  });

  it('take any body where no shape is stated', () => {
    for (const body of [{ r: true }, {}, { ok: 1 }])
      expect(listResponseErrors('deleteTask', 200, body)).toEqual([]);
  });

  it('take a text where a plan or a text may come', () => {
    expect(listResponseErrors('setPlan', 200, { r: 'https://example.com/pay' })).toEqual([]);
    expect(listResponseErrors('setPlan', 200, { r: 1 })).not.toEqual([]);
  });
});

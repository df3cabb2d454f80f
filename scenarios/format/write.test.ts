import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLibrary } from './load/load.js';
import { loadScenarioText } from './load/load-text.js';
import type { NetworkRule, Scenario, Step } from './types.js';
import { addStepIds, writeScenario } from './write.js';

const library = await readLibrary();

/** The scenario as it is wherever its file stands. */
function bare({ file: _file, timeline, ...scenario }: Scenario): unknown {
  return { ...scenario, timeline: timeline.map(({ line: _line, ...step }) => step) };
}

function readBack(scenario: Scenario, comment?: string): Scenario {
  const text = writeScenario(scenario, comment === undefined ? {} : { comment });
  const { scenario: read, problems } = loadScenarioText(text, { file: 'w.yaml', name: scenario.name });
  expect(problems, text).toEqual([]);
  return read!;
}

const TOOL = { name: 't', description: 'd', inputs: { type: 'object' }, output: 'o' };

function scenario(timeline: Step[], more: Partial<Scenario> = {}): Scenario {
  const request = { task: 'x', custom_tools: [TOOL] };
  return {
    name: 'w',
    title: 'T',
    covers: [],
    match: { task: 'x', session: false, tools: ['t'] },
    request,
    timeline,
    ...more,
  };
}

describe('a scenario that is written', () => {
  it.each(library.map((each) => [each.name, each] as const))('%s loads as it was', (_, each) => {
    expect(bare(readBack(each))).toEqual(bare(each));
    const named = addStepIds(each);
    expect(bare(readBack(named, 'with ids'))).toEqual(bare(named));
  });

  it('keeps every network step', () => {
    const rules: NetworkRule[] = [
      {
        network: 'delay',
        time_ms: 1500,
        jitter_ms: 20,
        side: 'request',
        of: { poll: true },
        times: 3,
        skip: 1,
      },
      { network: 'hold', until: { arrive: { reply: 'c' } }, of: { step: 'c' }, at_most_ms: 61_001 },
      { network: 'hold', until: { response: {} }, side: 'response', of: { poll: 2 } },
      { network: 'hold', until: { gate: 'g' } },
      { network: 'hold', until: { step: 'c' }, of: { operation: 'getTask' } },
      { network: 'drop', of: { method: 'GET', path: '/usage' }, probability: 0.25, expires_ms: 3_600_000 },
      { network: 'duplicate', of: { reply: 'c' } },
      { network: 'reorder', at_most_ms: 0 },
      { network: 'same-instant', of: { step: 'c' } },
      { network: 'fail', status: 429, detail: 'no: "more" # of it', retry_after_s: 2 },
      { network: 'quota', requests: 3, per_ms: 1000 },
      { network: 'garble', status: 502, body: '<a>\n</a>\n', content_type: 'text/html' },
      { network: 'truncate', bytes: 7, of: { cancel: 1 } },
      { network: 'at-once', of: { step: 'f' } },
      { network: 'redeliver', of: { poll: 3 } },
      { network: 'repeat', of: { poll: true } },
      { network: 'shuffle' },
      { network: 'reissue', of: { step: 'c' } },
      { network: 'reshape', events: null, extra: { mood: null, deep: { list: [] } } },
      { network: 'reshape', events: 'absent' },
    ];
    const call: Step = { service: 'tool_call', id: 'c', tool: 't', input: {}, after: { polls: 1 } };
    const given = scenario([
      ...rules.map((rule, index): Step => ({ ...rule, id: `d${index}` })),
      call,
      { client: 'reply', to: 'c', unknown_tool: true, after: { time_ms: 90_061, polls: 2 } },
      { service: 'finish', id: 'f', if: { reply: 'c', code: [200, 400] }, meanwhile: true },
    ]);
    expect(bare(readBack(given))).toEqual(bare(given));
  });

  it('keeps any value', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, fc.string(), (output, text) => {
        const given = scenario([{ service: 'finish', output, if: { reply: 'c', code: [200] } }], {
          title: `T ${JSON.stringify(text)}`,
          request: { task: `x${text}`, custom_tools: [TOOL], metadata: { text } },
          match: 'never',
          optional_fields: ['metadata'],
        });
        given.timeline.unshift({ service: 'tool_call', id: 'c', tool: 't', input: { text } });
        expect(JSON.stringify(bare(readBack(given, text)))).toBe(JSON.stringify(bare(given)));
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  it('reads as one that a person has written', () => {
    const given = scenario(
      [
        { network: 'drop', side: 'response', of: { poll: true }, id: 'd1', line: 9 },
        { service: 'tool_call', id: 'c', tool: 't', input: { city: 'Rome' }, after: { time_ms: 300 } },
        { client: 'reply', to: 'c', code: 200, output: null },
        { service: 'finish', after: { time_ms: 1500, polls: 1 } },
      ],
      { covers: ['POLL-01'], match: {} },
    );
    expect(
      writeScenario(given, { comment: 'Found with seed 7.\n\nSee it again.' }),
    ).toBe(`# Found with seed 7.
#
# See it again.
title: T
covers: [ POLL-01 ]
request:
  task: x
  custom_tools: [ { name: t, description: d, inputs: { type: object }, output: o } ]
timeline:
  - network: drop
    id: d1
    side: response
    of: poll
  - service: tool_call
    id: c
    tool: t
    input: { city: Rome }
    after: 300ms
  - client: reply
    to: c
    code: 200
    output: null
  - service: finish
    after: { time: 1.5s, polls: 1 }
`);
  });
});

it('keeps blanks at the beginnings and ends of lines, also within a list', () => {
  const texts = ['0\n \nhttps://example.com/a?b=c&d=%C3%A9#f', ' a \n b \n', '\n\n \u2028\u0085'];
  const output = [texts, ...texts];
  const text = writeScenario(scenario([{ service: 'finish', status: 'done', output }]));
  const loaded = loadScenarioText(text, { file: 'x.yaml', name: 'x' });
  expect(loaded.scenario?.timeline[0]).toMatchObject({ output });
});

describe('ids for the steps of the service', () => {
  it('describe the steps, are unique, and keep given ids', () => {
    const { timeline } = addStepIds(
      scenario([
        { service: 'tool_call', tool: 't' },
        { service: 'tool_call', tool: 't' },
        { service: 'tool_call', tool: 't', id: 'call-t-2' },
        { client: 'action', name: 'goto', id: 'go' },
        { service: 'result', to: 'go' },
        { network: 'drop' },
        { service: 'open', gate: 'two words' },
        { service: 'finish' },
      ]),
    );
    expect(timeline.map(({ id }) => id)).toEqual([
      'call-t',
      'call-t-3',
      'call-t-2',
      'go',
      'result-go',
      undefined,
      'open-two-words',
      'finish',
    ]);
  });
});

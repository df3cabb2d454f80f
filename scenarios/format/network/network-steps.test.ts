import { describe, expect, it } from 'vitest';
import { draw } from '../draw.js';
import { loadScenarioText } from '../load/load-text.js';
import type { NetworkRule } from '../types.js';
import { describeRule } from './rule.js';
import { loadNetworkText, parseNetworkSpec } from './shorthand.js';

const STEPS = `title: t
request: { task: x, custom_tools: [{ name: a, description: d, inputs: {}, output: o }] }
timeline:
  - { service: tool_call, id: c, tool: a }
  - { client: reply, to: c }
  - { service: event, id: raw, name: tool_call, payload: {} }
  - { client: reply, to: raw, unknown_tool: true }
  - { service: finish, id: f }
`;

function load(step: string) {
  // Lines 1 to 8 are those above.
  return loadScenarioText(`${STEPS}  - ${step}\n`, { file: 's.yaml', name: 's' });
}

describe('a network step about a step or a response', () => {
  it.each<[string, NetworkRule, string]>([
    [
      '{ network: hold, of: { step: c }, until: { arrive: { poll: 3 } }, at_most: 5s }',
      { network: 'hold', of: { step: 'c' }, until: { arrive: { poll: 3 } }, at_most_ms: 5000 },
      'hold until poll 3 arrives, at most 5s, of step c',
    ],
    [
      '{ network: hold, of: reply, until: { response: { reply: c } } }',
      { network: 'hold', of: { reply: true }, until: { response: { reply: 'c' } } },
      'hold until reply to c has its response of reply',
    ],
    [
      '{ network: hold, until: { response: poll } }',
      { network: 'hold', until: { response: { poll: true } } },
      'hold until poll has its response',
    ],
    [
      '{ network: at-once, of: { step: f } }',
      { network: 'at-once', of: { step: 'f' } },
      'step f ends the task at once, with its last event',
    ],
    [
      '{ network: redeliver, of: { poll: 2 } }',
      { network: 'redeliver', of: { poll: 2 } },
      'list all events again in poll 2',
    ],
    [
      '{ network: repeat, of: poll }',
      { network: 'repeat', of: { poll: true } },
      'list every event twice in poll',
    ],
    ['{ network: shuffle }', { network: 'shuffle' }, 'list events in reverse order'],
    [
      '{ network: reissue, of: { step: raw } }',
      { network: 'reissue', of: { step: 'raw' } },
      'the event of step raw comes again',
    ],
    [
      '{ network: reshape, events: null, extra: { mood: fine }, times: 3 }',
      { network: 'reshape', events: null, extra: { mood: 'fine' }, times: 3 },
      'no events as null, unknown fields mood 3 times',
    ],
  ])('%s', (text, rule, words) => {
    const { scenario, problems } = load(text);
    expect(problems).toEqual([]);
    const { line: _line, ...step } = scenario!.timeline.at(-1)!;
    expect(step).toEqual(rule);
    expect(describeRule(rule)).toBe(words);
    expect(draw(scenario!)).toContain(`Note over Client,Service: network: ${words}\n`);
  });

  it.each<[string, RegExp]>([
    ['{ network: at-once }', /"of".*missing/],
    ['{ network: at-once, of: poll }', /at-once: expected of: \{ step: id of the finish \}/],
    ['{ network: at-once, of: { step: c } }', /step: expected the id of a finish step.*"c" is another kind/],
    ['{ network: reissue, of: { step: f } }', /step: expected the id of a service step that sends an event/],
    ['{ network: reissue, of: { poll: 1 } }', /reissue: expected of: \{ step:/],
    ['{ network: drop, of: { step: c } }', /of\.step: drop is about requests; only hold, same-instant/],
    [
      '{ network: hold, of: { step: d }, until: { gate: g } }',
      /step: expected the id of a step of the service/,
    ],
    ['{ network: hold, of: { step: c, poll: 1 }, until: { gate: g } }', /a step or requests, found both/],
    ['{ network: hold, of: { step: c }, until: { gate: g }, side: response }', /side: a step has none/],
    [
      '{ network: hold, until: { response: pol } }',
      /response: expected any, create, poll.*did you mean poll\?/,
    ],
    ['{ network: hold, until: { response: { reply: d } } }', /reply: expected the id of a tool_call step/],
    [
      '{ network: repeat, of: reply }',
      /of: repeat changes the events in the responses to polls.*found "reply"/,
    ],
    ['{ network: shuffle, of: { create: 1 } }', /of: shuffle changes the events/],
    ['{ network: reshape }', /reshape: expected events .* or extra/],
    ['{ network: reshape, events: none }', /events: expected one of absent, null, empty; found "none"/],
  ])('%s is refused', (text, message) => {
    const { problems } = load(text);
    expect(problems.map((problem) => problem.message).join('\n')).toMatch(message);
    expect(problems[0]).toMatchObject({ file: 's.yaml', line: 9 });
  });

  it('is drawn with the tool that the client does not have', () => {
    const { scenario } = load('{ network: shuffle }');
    expect(draw(scenario!)).toContain('Client->>Service: reply to raw (a tool that it does not have)');
  });
});

describe('the short form', () => {
  it.each<[string, NetworkRule[]]>([
    ['redeliver of poll 3', [{ network: 'redeliver', of: { poll: 3 } }]],
    ['repeat of poll; shuffle', [{ network: 'repeat', of: { poll: true } }, { network: 'shuffle' }]],
    ['reshape null of poll', [{ network: 'reshape', events: null, of: { poll: true } }]],
    ['reshape events absent times 2', [{ network: 'reshape', events: 'absent', times: 2 }]],
    [
      'hold of reply until response poll 2',
      [{ network: 'hold', of: { reply: true }, until: { response: { poll: 2 } } }],
    ],
  ])('reads %s', (spec, rules) => {
    expect(parseNetworkSpec(spec)).toEqual({ rules, problems: [] });
  });

  it.each(['- { network: at-once, of: { step: f } }', '- { network: hold, of: { step: c }, until: g }'])(
    'and network files know no steps: %s',
    (text) => {
      const { problems } = loadNetworkText(text, { file: 'net.yaml' });
      expect(problems).toMatchObject([
        { message: expect.stringMatching(/steps are named in timelines only/) },
      ]);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { draw } from './draw.js';
import { loadScenarioText } from './load/load-text.js';

function drawn(text: string): string {
  const { scenario, problems } = loadScenarioText(text, { file: 's.yaml', name: 's' });
  expect(problems).toEqual([]);
  return draw(scenario!);
}

const TOOL = '{ name: t, description: d, inputs: {}, output: o }';

describe('draw', () => {
  it('shows calls, replies, waits and what the network does', () => {
    const diagram = drawn(`
title: Lost answer
request: { task: Do it; now, custom_tools: [${TOOL}] }
timeline:
  - { service: tool_call, id: a, tool: t, input: { x: 1 }, after: 300ms }
  - { network: drop, side: response, of: { reply: a } }
  - { client: reply, to: a, code: 200, output: fine, after: 2 polls }
  - { service: tool_call, id: b, tool: t, if: { reply: a, code: 400 } }
  - { client: reply, to: b, if: { reply: a, code: 400 } }
  - { service: finish, output: ok, after: { time: 1s, gate: g } }
`);
    expect(diagram).toBe(`sequenceDiagram
  title Lost answer
  participant Client
  participant Service
  Client->>Service: POST /task "Do it#59; now" with t
  Service-->>Client: task accepted
  Note over Service: 300ms later
  Service-)Client: tool_call t {"x":1}
  Note over Client,Service: network: drop response of reply to a
  Note over Client: after 2 polls
  Client->>Service: reply 200 to t (a) "fine"
  opt reply to a has code 400
    Service-)Client: tool_call t
    Client->>Service: reply to t (b)
  end
  Note over Service: 1s later, once gate g is open
  Service-)Client: task done "ok"
`);
  });

  it('shows a session', () => {
    const diagram = drawn(`
title: Session
request: { task: null, url: "https://a.example" }
timeline:
  - { client: action, id: go, name: goto, input: { url: "https://b.example" } }
  - { service: result, to: go }
  - { service: open, gate: g, meanwhile: true, after: 1s }
  - { client: close, by: delete }
`);
    expect(diagram.split('\n').slice(4)).toEqual([
      '  Client->>Service: POST /task session at https://a.example',
      '  Service-->>Client: task accepted',
      '  Client->>Service: goto {"url":"https://b.example"}',
      '  Service-)Client: result 200 of goto',
      '  Note over Service: meanwhile, 1s later',
      '  Note over Service: gate g opens',
      '  Client->>Service: close (DELETE)',
      '',
    ]);
  });

  it('keeps every text on one line and harmless', () => {
    const diagram = drawn(`
title: "two\\nlines # <b>"
request: { task: "${'long '.repeat(60)}" }
timeline: [{ service: finish, output: "a\\nend\\n" }]
`);
    const lines = diagram.trimEnd().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toBe('  title two lines # #60;b#62;');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(140);
  });
});

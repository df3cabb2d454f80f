import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScenarios } from './load.js';
import { loadScenarioText } from './load-text.js';

const requirements = new Set(['POLL-01', 'POLL-02', 'TOOL-01']);

function load(text: string) {
  return loadScenarioText(text, { file: 's.yaml', name: 's', requirements });
}

const HEAD =
  'title: t\nrequest: { task: x, custom_tools: [{ name: a, description: d, inputs: {}, output: o }] }\n';
/** Steps begin on line 4. */
const steps = (...lines: string[]) => `${HEAD}timeline:\n${lines.map((line) => `  - ${line}\n`).join('')}`;

describe('an invalid scenario is refused, with the position', () => {
  it.each<[what: string, text: string, place: string, parts: RegExp]>([
    [
      'an action in a one-shot task',
      steps('{ client: action, name: goto, input: { url: x } }'),
      '4:5',
      /client: action belongs to sessions.*400.*request\.task to null/,
    ],
    ['a close in a one-shot task', steps('client: close'), '4:5', /client: close.*client: cancel/],
    [
      'a request that the API refuses',
      'title: t\nrequest:\n  task: x\n  device: 3\ntimeline: [{ service: finish }]\n',
      '4:11',
      /request\.device: the API refuses this: .*; found 3/,
    ],
    [
      'two tools of one name',
      `${HEAD.replace('o }] }', 'o }, { name: a, description: d, inputs: {}, output: o }] }')}timeline: [{ service: finish }]\n`,
      '2:96',
      /found "a", which another tool above has already/,
    ],
    ['nothing at all', '', '1:1', /expected a mapping with title, request and timeline; found nothing/],
    ['a list', '- a\n', '1:1', /expected a mapping with title.*found \["a"\]/],
    [
      'no title',
      'request: {}\ntimeline: [{ service: finish }]\n',
      '1:1',
      /expected the key "title".*missing/,
    ],
    ['an unknown key', `${HEAD}timelin: []\n`, '3:1', /unknown key "timelin"; did you mean timeline\?/],
    [
      'an empty timeline',
      `${HEAD}timeline: []\n`,
      '3:11',
      /timeline: expected a list of 1 to 10000 steps; found \[\]/,
    ],
    [
      'a title that is a number',
      'title: 3\nrequest: {}\ntimeline: [{ service: finish }]\n',
      '1:8',
      /title: expected a line of text; found 3/,
    ],
    [
      'a task that is a number',
      'title: t\nrequest: { task: 3 }\ntimeline: [{ service: finish }]\n',
      '2:18',
      /request\.task: expected a text for a one-shot task, or null.*found 3/,
    ],
    [
      'a tool without a part',
      'title: t\nrequest:\n  custom_tools:\n    - { name: a, description: d, inputs: {} }\ntimeline: [{ service: finish }]\n',
      '4:7',
      /the key "output" in request\.custom_tools\[0\].*missing/,
    ],
    [
      'a requirement that is not there',
      `${steps('service: finish')}covers: [POLL-01, POL-02]\n`,
      '5:19',
      /no requirement "POL-02"; did you mean POLL-02\?/,
    ],
    ['a step that is a text', steps('finish'), '4:5', /expected a step.*found "finish"/],
    [
      'a step without an actor',
      steps('sevice: finish'),
      '4:5',
      /service, client or network.*did you mean service for "sevice"\?/,
    ],
    [
      'a step with two actors',
      steps('{ service: finish, client: poll }'),
      '4:5',
      /expected one actor in a step, found service and client/,
    ],
    [
      'an unknown verb',
      steps('service: tool-call'),
      '4:14',
      /expected one of status, tool_call, result,.*found "tool-call"; did you mean tool_call\?/,
    ],
    [
      'an unknown verb of the client',
      steps('client: answer'),
      '4:13',
      /expected one of reply, action, close, cancel, poll/,
    ],
    [
      'a missing key',
      steps('service: tool_call'),
      '4:5',
      /the key "tool" in step service: tool_call.*missing/,
    ],
    [
      'an unknown key of a step',
      steps('service: finish', 'client: poll\n    tmes: 3'),
      '6:5',
      /unknown key "tmes" in step client: poll; did you mean times\?/,
    ],
    [
      'a bad duration',
      steps('service: finish\n    after: 3 pols'),
      '5:12',
      /after: expected a duration.*polls.*found "3 pols"/,
    ],
    [
      'a negative time',
      steps('service: finish\n    after: { time: -1 }'),
      '5:20',
      /after\.time: expected a duration.*found -1/,
    ],
    [
      'an unknown trigger',
      steps('service: finish\n    after: { poll: 1 }'),
      '5:14',
      /unknown key "poll" in after; did you mean polls\?/,
    ],
    [
      'a bad status',
      steps('{ service: finish, status: completed }'),
      '4:32',
      /status: expected one of done, failed, cancelled; found "completed"/,
    ],
    [
      'a bad code',
      steps('{ client: reply, to: x, code: 201 }'),
      '4:35',
      /code: expected one of 200, 400, 500; found 201/,
    ],
    [
      'a bad code in a list',
      steps('{ service: finish, if: { reply: x, code: [200, 404] } }'),
      '4:52',
      /if\.code\[1\]: expected one of 200, 400, 500; found 404/,
    ],
    [
      'poll number 0',
      steps('{ network: drop, of: { poll: 0 } }'),
      '4:34',
      /of\.poll: expected true, or n for the n-th; found 0/,
    ],
    [
      'of: false',
      steps('{ network: drop, of: { reply: false } }'),
      '4:35',
      /of\.reply: expected true, or an id; found false/,
    ],
    ['a word that is no target', steps('{ network: drop, of: pool }'), '4:26', /did you mean poll\?/],
    [
      'an unknown operation',
      steps('{ network: drop, of: { operation: listTask } }'),
      '4:39',
      /did you mean listTasks\?/,
    ],
    [
      'a probability above 1',
      steps('{ network: drop, probability: 1.5 }'),
      '4:35',
      /probability: expected a number from 0 to 1.*found 1\.5/,
    ],
    [
      'two ways to hold',
      steps('{ network: hold, until: { gate: a, step: b } }'),
      '4:29',
      /until: expected the name of a gate, or one of/,
    ],
    ['same-instant without a step', steps('{ network: same-instant, of: poll }'), '4:34', /of: \{ step:/],
    [
      'half a second of Retry-After',
      steps('{ network: fail, status: 429, retry_after: 500ms }'),
      '4:48',
      /whole seconds.*found "500ms"/,
    ],
    [
      'an id twice',
      steps('{ service: tool_call, tool: a, id: b }', '{ service: tool_call, tool: a, id: b }'),
      '5:40',
      /found "b", which another step above has already/,
    ],
    ['an id with a dot', steps('{ service: finish, id: a.b }'), '4:28', /id: expected an id of letters/],
    [
      'a reply to nothing',
      steps('{ service: tool_call, tool: a, id: first }', '{ client: reply, to: frist }'),
      '5:26',
      /found "frist", which no step has; did you mean first\?/,
    ],
    [
      'a reply to what is no call',
      steps('{ service: open, gate: g, id: first }', '{ client: reply, to: first }'),
      '5:26',
      /expected the id of a tool_call step; "first" is another kind/,
    ],
    [
      'a reply above its call',
      steps('{ client: reply, to: b }', '{ service: tool_call, tool: a, id: b }'),
      '4:26',
      /"b" stands below this one.*for ever/,
    ],
    [
      'a wait for a step below',
      steps('{ service: open, gate: g, after: { step: b } }', '{ service: finish, id: b }'),
      '4:46',
      /after\.step: step "b" stands below/,
    ],
    [
      'a result of no action',
      steps('{ service: result, to: open }'),
      '4:28',
      /expected the id of an action or close step/,
    ],
    [
      'a network step about nothing',
      steps('{ network: drop, of: { reply: b } }'),
      '4:35',
      /expected the id of a tool_call step, found "b"/,
    ],
    [
      'an unregistered tool',
      steps('{ service: tool_call, tool: b }'),
      '4:33',
      /expected one of request\.custom_tools, found "b"; did you mean a\?/,
    ],
    ...['text', '"{{first.output}}"', '7', 'null', '[1]'].map((input): [string, string, string, RegExp] => [
      `the input ${input} of a call`,
      steps(`{ service: tool_call, tool: a, input: ${input} }`),
      '4:43',
      /input: expected a mapping \(a step `service: event` sends any other input\); found/,
    ]),
    [
      'a step after the end',
      steps('service: finish', 'service: tool_call\n    tool: a'),
      '5:5',
      /tool_call can never happen: the finish above it/,
    ],
    [
      'a finish after a cancel',
      steps('client: cancel', 'service: finish'),
      '5:5',
      /can never happen: the cancel above it/,
    ],
    [
      'a place that leads nowhere',
      steps('{ service: tool_call, tool: a, id: first }', '{ service: finish, output: "{{frist.output}}" }'),
      '5:32',
      /\{\{frist\.output\}\}.*did you mean first\?/,
    ],
    [
      'a place with a wrong field',
      steps('{ service: tool_call, tool: a, id: b }', '{ service: finish, output: { x: "{{b.result}}" } }'),
      '5:37',
      /expected code or output after "b\."/,
    ],
    [
      'a match that is nothing',
      `${steps('service: finish')}match: always\n`,
      '5:8',
      /match: expected never, or a mapping.*found "always"/,
    ],
    [
      'a pattern with look-ahead',
      `${steps('service: finish')}match: { task: { pattern: "(?=a)b" } }\n`,
      '5:27',
      /linear-time syntax/,
    ],
    ['a key twice', `${HEAD}title: u\n`, '3:1', /not valid YAML: Map keys must be unique/],
    ['a tab', 'title: t\nrequest:\n\ttask: x\n', '3:1', /found a tab/],
    ['an open bracket', 'title: [a\n', '2:1', /not valid YAML/],
    ['two documents', `${steps('service: finish')}---\na: 1\n`, '5:1', /another after "---"/],
    [
      'a reference and nowhere to read',
      'title: t\nrequest: { custom_tools: [{ $ref: a.yaml }] }\ntimeline: [{ service: finish }]\n',
      '2:35',
      /\$ref: there is no directory/,
    ],
  ])('%s', (_, text, place, parts) => {
    const { scenario, problems } = load(text);
    expect(scenario).toBeUndefined();
    expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual([place]);
    expect(problems[0]!.file).toBe('s.yaml');
    expect(problems[0]!.message).toMatch(parts);
    expect(problems[0]!.message).not.toContain('\n');
  });

  it('reports all problems at once, in the order of the file', () => {
    const { problems } = load(
      steps('service: finsh', '{ service: tool_call, tool: b }', '{ client: reply, to: c, after: never }') +
        'extra: 1\n',
    );
    expect(problems.map(({ line }) => line)).toEqual([4, 5, 6, 7]);
  });

  it('stops telling after a hundred', () => {
    const { problems } = load(steps(...Array.from({ length: 150 }, () => 'service: nothing')));
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)!.message).toBe('and 50 problems more');
  });

  it('is bounded: size, steps, aliases, depth', () => {
    expect(load(`title: ${'x'.repeat(1024 * 1024)}`).problems[0]!.message).toMatch(/at most 1 MiB/);
    const many = `${HEAD}timeline: [${'{client: poll},'.repeat(10_001)}]`;
    expect(load(many).problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/1 to 10000 steps/),
    ]);
    const levels = Array.from({ length: 20 }, (_, i) => `l${i + 1}: &l${i + 1} [*l${i}, *l${i}, *l${i}]\n`);
    expect(load(`l0: &l0 a\n${levels.join('')}`).problems[0]!.message).toMatch(/at most 100 uses of aliases/);
    expect(load(`title: ${'['.repeat(20_000)}`).problems[0]!.message).toMatch(
      /at most 100 levels of nesting/,
    );
  });
});

describe('a valid scenario', () => {
  it('is spelled out', () => {
    const { scenario, problems } = load(
      `\uFEFF${steps(
        '{ service: status, status: waiting, after: 2s }',
        '{ service: status, status: running, after: 3 polls }',
        '{ service: tool_call, id: a, tool: a, after: { time: 1m, gate: g, polls: 1 }, meanwhile: true }',
        '{ network: delay, time: 1s, jitter: 100, expires: 1h, of: poll }',
        '{ network: hold, until: g, at_most: 5s, of: any }',
        '{ network: hold, until: { arrive: reply } }',
        '{ network: quota, requests: 3, per: 1s, of: { path: /task/* } }',
        '{ network: fail, status: 429, retry_after: 2s, of: listTasks }',
        '{ client: close, by: delete, if: { reply: a, code: 500 } }',
        '{ client: reply, to: a, if: { reply: a, code: 400 } }',
        '{ service: finish, output: { time: 5m } }',
        '{ service: recording_url, value: "", after: 1 poll }',
      )}covers: [POLL-01]\n`,
    );
    expect(problems).toEqual([]);
    expect(scenario).toMatchObject({
      name: 's',
      title: 't',
      covers: ['POLL-01'],
      match: { task: 'x', tools: ['a'] },
      file: 's.yaml',
    });
    expect(scenario!.timeline).toEqual([
      { service: 'status', status: 'waiting', after: { time_ms: 2000 }, line: 4 },
      { service: 'status', status: 'running', after: { polls: 3 }, line: 5 },
      {
        service: 'tool_call',
        id: 'a',
        tool: 'a',
        after: { time_ms: 60_000, gate: 'g', polls: 1 },
        meanwhile: true,
        line: 6,
      },
      { network: 'delay', time_ms: 1000, jitter_ms: 100, expires_ms: 3_600_000, of: { poll: true }, line: 7 },
      { network: 'hold', until: { gate: 'g' }, at_most_ms: 5000, line: 8 },
      { network: 'hold', until: { arrive: { reply: true } }, line: 9 },
      { network: 'quota', requests: 3, per_ms: 1000, of: { path: '/task/*' }, line: 10 },
      { network: 'fail', status: 429, retry_after_s: 2, of: { operation: 'listTasks' }, line: 11 },
      { client: 'close', by: 'delete', if: { reply: 'a', code: [500] }, id: 'action-1', line: 12 },
      { client: 'reply', to: 'a', if: { reply: 'a', code: [400] }, line: 13 },
      { service: 'finish', output: { time: '5m' }, line: 14 },
      { service: 'recording_url', value: '', after: { polls: 1 }, line: 15 },
    ]);
  });

  it('keeps a match that is given', () => {
    expect(load(`${steps('service: finish')}match: never\n`).scenario!.match).toBe('never');
    const match = load(`${steps('service: finish')}match: { task: { pattern: "^a+$" }, session: false }\n`)
      .scenario!.match;
    expect(match).toEqual({ task: { pattern: '^a+$' }, session: false });
  });

  it('may be JSON', () => {
    const text = JSON.stringify({ title: 't', request: { task: null }, timeline: [{ client: 'close' }] });
    expect(load(text).scenario).toMatchObject({
      match: 'never',
      timeline: [{ client: 'close', id: 'action-1' }],
    });
  });
});

describe('loadScenarios', () => {
  let root: string;
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    return join(root, path);
  };
  const withTool = (reference: string) =>
    `title: t\nrequest:\n  task: x\n  custom_tools:\n    - $ref: ${reference}\ntimeline: [{ service: tool_call, tool: a }]\n`;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'scenarios-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('finds all files below, sorted, with names and references', async () => {
    write('one/b/second.yml', withTool('../fixtures/a.yaml'));
    write('one/a/first.yaml', steps('service: finish'));
    write('one/fixtures/a.yaml', 'name: a\ndescription: d\noutput: o\ninputs: { $ref: ../inputs.json }\n');
    write('one/inputs.json', '{ "type": "object", "$defs": { "x": { "$ref": "#/type" } } }');
    write('one/.hidden/c.yaml', 'bad');
    write(
      'one/third.json',
      '{ "title": "t", "request": { "task": "y" }, "timeline": [{ "service": "finish" }] }',
    );
    write('one/third.schema.json', '{ "timeline": 1 }');
    write('one/note.txt', 'bad');
    const { scenarios, problems } = await loadScenarios([join(root, 'one')]);
    expect(problems).toEqual([]);
    expect(scenarios.map(({ name }) => name)).toEqual(['a/first', 'b/second', 'third']);
    expect(scenarios[1]!.request.custom_tools).toEqual([
      {
        name: 'a',
        description: 'd',
        output: 'o',
        inputs: { type: 'object', $defs: { x: { $ref: '#/type' } } },
      },
    ]);
  });

  it('points into the referenced file when the problem is there', async () => {
    write('two/s.yaml', withTool('t.json'));
    write('two/t.json', '{\n  "name": "a",\n  "description": 3, "inputs": {}, "output": "o"\n}');
    const { problems } = await loadScenarios([join(root, 'two/s.yaml')]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      line: 3,
      column: 18,
      message: expect.stringMatching(/custom_tools\[0\]\.description: expected a text; found 3/),
    });
    expect(problems[0]!.file).toMatch(/two\/t\.json$/);
  });

  it.each([
    ['outside', '../one/fixtures/a.yaml', /expected a file below .*found "\.\.\/one/],
    ['a link to outside', 'link.yaml', /expected a file below/],
    ['missing', 'gone.yaml', /found nothing there/],
    ['another kind of file', 'note.txt', /expected a \.yaml or \.json file/],
    ['itself', 's.yaml', /leads back to itself/],
    ['a number', '3', /expected the path of a file, found 3/],
  ])('refuses a reference to what is %s', async (_, reference, message) => {
    write('three/note.txt', 'a');
    write('three/s.yaml', withTool(reference));
    write('one/fixtures/a.yaml', 'name: a\n');
    try {
      symlinkSync(join(root, 'one/fixtures/a.yaml'), join(root, 'three/link.yaml'));
    } catch {
      // It is there from the case before.
    }
    const { scenarios, problems } = await loadScenarios([join(root, 'three/s.yaml')]);
    expect(scenarios).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: 5, column: 13, message: expect.stringMatching(message) });
  });

  it('refuses circles of references', async () => {
    write('four/s.yaml', withTool('x.yaml'));
    write('four/x.yaml', 'name: a\ninputs:\n  y: { $ref: y.yaml }\n');
    write('four/y.yaml', 'x: { $ref: x.yaml }\n');
    const { problems } = await loadScenarios([join(root, 'four/s.yaml')]);
    expect(problems.map(({ message }) => message).join()).toMatch(/leads back to itself/);
  });

  it('reads the fixtures of the package from anywhere', async () => {
    const fixture = join(import.meta.dirname, '../../../fixtures/tools/get_weather.yaml');
    const text = withTool(JSON.stringify(fixture)).replace('tool: a', 'tool: get_weather');
    const { problems, scenarios } = await loadScenarios([write('five/s.yaml', text)]);
    expect(problems).toEqual([]);
    expect(scenarios[0]).toMatchObject({ name: 's', match: { tools: ['get_weather'] } });
  });

  it('names a file alone with its folder if that is a folder of the library', async () => {
    const files = [
      write('six/races/x.yaml', steps('service: finish')),
      write('six/other/y.yaml', steps('service: finish')),
    ];
    const { scenarios } = await loadScenarios(files);
    expect(scenarios.map(({ name }) => name)).toEqual(['races/x', 'y']);
  });

  it('refuses the same name from two places, and takes the same file twice for one', async () => {
    const first = write('seven/a/x.yaml', steps('service: finish'));
    const second = write('seven/b/x.yaml', steps('service: finish'));
    expect((await loadScenarios([first, first])).scenarios).toHaveLength(1);
    const { problems } = await loadScenarios([first, second]);
    expect(problems).toMatchObject([
      { file: second, message: expect.stringMatching(/found "x", which .* has already/) },
    ]);
  });

  it('says what is wrong with a path', async () => {
    mkdirSync(join(root, 'empty'));
    const bad = write(
      'bad.yaml',
      Buffer.concat([Buffer.from('title: ok\ndescription: ab'), Buffer.from([0xff, 0x0a])]),
    );
    const { problems } = await loadScenarios([join(root, 'gone'), join(root, 'empty'), bad]);
    expect(problems).toMatchObject([
      { file: join(root, 'gone'), message: expect.stringMatching(/found nothing there/) },
      { file: join(root, 'empty'), message: expect.stringMatching(/found none in this directory/) },
      { file: bad, line: 2, column: 16, message: expect.stringMatching(/expected UTF-8/) },
    ]);
  });

  it('knows the requirements by default', async () => {
    const file = write('eight/s.yaml', `${steps('service: finish')}covers: [POLL-02, NOPE-01]\n`);
    expect((await loadScenarios([file])).problems).toMatchObject([{ line: 5, column: 19 }]);
  });
});

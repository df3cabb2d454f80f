import { describe, expect, it } from 'vitest';
import { createMock } from '../create.js';
import { MANUAL_START_MS } from '../engine/clock.js';
import { scenario, startMock, WEATHER } from '../test-support/mock.js';
import { ControlError } from './control-error.js';

const TALK = scenario(
  'talk',
  [
    {
      service: 'tool_call',
      id: 'first',
      tool: 'get_weather',
      input: { city: 'Oslo' },
      after: { time_ms: 300 },
    },
    { client: 'reply', to: 'first' },
    { service: 'finish', output: 'mild', after: { gate: 'go' } },
  ],
  { custom_tools: [WEATHER] },
);
const REQUEST = { task: 'talk', custom_tools: [WEATHER] };

describe('the clock', () => {
  it('runs due work in order, each at its own time, and returns when it has happened', async () => {
    const order: string[] = [];
    const timeline = (gap: number) => [
      { service: 'tool_call' as const, tool: 'get_weather', input: {}, after: { time_ms: gap } },
      { service: 'tool_call' as const, tool: 'get_weather', input: {}, after: { time_ms: gap } },
    ];
    const mock = await startMock({
      scenarios: [scenario('slow', timeline(300)), scenario('fast', timeline(200))],
    });
    const slow = await mock.create({ task: 'slow', custom_tools: [WEATHER] });
    const fast = await mock.create({ task: 'fast', custom_tools: [WEATHER] });
    const [clock] = await mock.control.setClock({ advance: '5m' }, 'a');
    expect(clock).toMatchObject({ organisation: 'org-1', now: MANUAL_START_MS + 300_000, mode: 'manual' });
    expect(clock!.iso).toBe('2026-01-01T00:05:00.000Z');
    for (const [name, id] of [
      ['slow', slow],
      ['fast', fast],
    ] as const) {
      for (const event of mock.control.task(id).events)
        order.push(`${event.timestamp - MANUAL_START_MS} ${name}`);
    }
    expect(order.sort()).toEqual(['200 fast', '300 slow', '400 fast', '600 slow']);
  });

  it('goes to the next due work, and stays where nothing is due', async () => {
    const mock = await startMock({ scenarios: [TALK], dialect: { 'task.total-timeout': 0 } });
    const id = await mock.create(REQUEST);
    expect(mock.control.clock('a')[0]).toMatchObject({ next_due: MANUAL_START_MS + 300, pending: 1 });
    const [there] = await mock.control.setClock({ to: 'next' }, 'a');
    expect(there).toMatchObject({ now: MANUAL_START_MS + 300, next_due: null, pending: 0 });
    expect(mock.control.task(id).calls).toHaveLength(1);
    expect((await mock.control.setClock({ to: 'next' }, 'a'))[0]!.now).toBe(MANUAL_START_MS + 300);
    expect((await mock.control.setClock({ to: MANUAL_START_MS + 1000 }, 'a'))[0]!.now).toBe(
      MANUAL_START_MS + 1000,
    );
  });

  it('has delayed requests handled at their own time, not at the end of a long jump', async () => {
    const mock = await startMock();
    await mock.control.setNetwork([{ network: 'delay', time: '2s', of: 'create', side: 'request' }], 'a');
    const creating = mock.create({ task: 'x' });
    await mock.control.setClock({ advance: '1m' }, 'a');
    const id = await creating;
    expect(mock.control.task(id).created_at).toBe(MANUAL_START_MS + 2000);
    expect(mock.control.task(id)).toMatchObject({ status: 'done' });
  });

  it("is each organisation's own; without a key all move", async () => {
    const mock = await startMock();
    await mock.create({ task: 'x' }, 'a');
    await mock.create({ task: 'x' }, 'b');
    await mock.control.setClock({ advance: 1000 }, 'a');
    expect(mock.control.clock().map(({ now }) => now - MANUAL_START_MS)).toEqual([1000, 0]);
    await mock.control.setClock({ advance: '2s' });
    expect(mock.control.clock().map(({ now }) => now - MANUAL_START_MS)).toEqual([3000, 2000]);
  });

  it('pauses, goes on and changes its speed, also for organisations that are opened later', async () => {
    let wall = 0;
    const mock = await startMock({ clock: 'real', wall: () => wall, timers: { set: () => 0, clear() {} } });
    const now = (key: string) => mock.control.clock(key)[0]!.now;
    mock.control.clock('a');
    await mock.control.setClock({ pause: true });
    wall += 500;
    expect(now('a')).toBe(0);
    await mock.control.setClock({ pause: false, speed: 10 });
    wall += 500;
    expect(now('a')).toBe(5000);
    expect(mock.control.clock('b')[0]).toMatchObject({ mode: 'real', speed: 10 });
    await mock.control.setClock({ mode: 'manual' });
    expect(mock.control.clock('c')[0]).toMatchObject({ mode: 'manual', now: MANUAL_START_MS });
    mock.control.reset();
    expect(mock.control.clock('c')[0]).toMatchObject({ mode: 'real', speed: 1 });
  });

  it('takes a speed for a clock that is real, or will be', async () => {
    const manual = await startMock();
    await expect(manual.control.setClock({ speed: 5 })).rejects.toThrow('speed is for the real clock');
    await manual.control.setClock({ mode: 'real' });
    await manual.control.setClock({ speed: 5 });
    expect(manual.control.clock('a')[0]).toMatchObject({ mode: 'real', speed: 5 });
    const real = await startMock({ clock: 'real', timers: { set: () => 0, clear() {} } });
    await real.control.setClock({ pause: true });
    real.control.clock('a');
    await real.control.setClock({ speed: 7 });
    await real.control.setClock({ pause: false });
    expect(real.control.clock('a')[0]).toMatchObject({ mode: 'real', speed: 7 });
  });

  it('moves by a duration of several units', async () => {
    const mock = await startMock();
    const [clock] = await mock.control.setClock({ advance: '4m59s' }, 'a');
    expect(clock!.now).toBe(MANUAL_START_MS + 299_000);
  });

  it('wakes those who wait for time once it goes on', async () => {
    const armed: (() => void)[] = [];
    let wall = 0;
    const timers = { set: (wake: () => void) => armed.push(wake), clear() {} };
    const mock = await startMock({ clock: 'real', wall: () => wall, timers });
    await mock.control.setNetwork([{ network: 'delay', time: '5s', of: 'create' }], 'a');
    await mock.control.setClock({ pause: true }, 'a');
    let answered = false;
    const creating = mock.create({ task: 'x' }).then(() => {
      answered = true;
    });
    expect(armed).toEqual([]);
    await mock.control.setClock({ pause: false, speed: 5 }, 'a');
    expect(armed).toHaveLength(1);
    wall += 1000;
    expect(answered).toBe(false);
    armed[0]!();
    await creating;
  });

  it.each([
    [{ advance: '5 minutes' }, /advance: expected a duration/],
    [{ advance: -1 }, /advance: expected a duration/],
    [{ advance: 1e300 }, /No clock goes that far/],
    [{ to: 5 }, /a clock never goes back/],
    [{ to: 'tomorrow' }, /to \(a time in ms/],
    [{ speed: 0 }, /speed: expected a number from 0.001/],
    [{ mode: 'fast' }, /mode: expected one of/],
    [{ pause: true, mode: 'real' }, /give one of them/],
    [{ advance: 1, to: 'next' }, /give one of them/],
    [{}, /nothing to change: give advance/],
    [{ speed: 5 }, /speed is for the real clock, and this one is manual/],
    [{ mode: 'skipping', speed: 5 }, /this one is skipping/],
    [{ ahead: 5 }, /no other fields than mode/],
  ])('%j is refused and changes nothing', async (change, message) => {
    const mock = await startMock();
    const before = mock.control.clock('a');
    await expect(mock.control.setClock(change as never, 'a')).rejects.toThrow(message);
    expect(mock.control.clock('a')).toEqual(before);
  });
});

describe('a task from inside', () => {
  it('says in words what it waits for and since when', async () => {
    const mock = await startMock({ scenarios: [TALK] });
    const id = await mock.create(REQUEST);
    const waiting = () => mock.control.task(id).runs[0]!.next;
    expect(waiting()).toEqual({
      index: 0,
      step: 'service tool_call get_weather (first)',
      waits_for: ['300 ms more'],
      since: MANUAL_START_MS,
    });
    await mock.control.setClock({ advance: 300 }, 'a');
    const [call] = mock.control.task(id).calls;
    expect(waiting()).toMatchObject({
      step: 'client reply to first',
      waits_for: [`the client to reply to ${call!.id}`],
      since: MANUAL_START_MS + 300,
    });
    await mock.sendEvent(id, { name: 'tool_call', id: call!.id, payload: { code: 200, output: 1 } });
    expect(waiting()).toMatchObject({ step: 'service finish done', waits_for: ['gate go to be opened'] });
    expect(mock.control.task(id)).toMatchObject({
      organisation: 'org-1',
      scenario: 'talk',
      status: 'running',
      polls: 0,
      calls: [{ tool: 'get_weather', reply: { code: 200, output: 1 } }],
    });
  });

  it('tells the polls and actions that are waited for', async () => {
    const mock = await startMock({
      scenarios: [
        scenario('p', [
          { client: 'poll', times: 2 },
          { service: 'finish', after: { polls: 1 } },
        ]),
      ],
    });
    const id = await mock.create({ task: 'p' });
    expect(mock.control.task(id).runs[0]!.next!.waits_for).toEqual(['2 more polls']);
    await mock.poll(id);
    expect(mock.control.task(id).runs[0]!.next!.waits_for).toEqual(['1 more poll']);
    await mock.poll(id);
    expect(mock.control.task(id).runs[0]!.next).toMatchObject({
      step: 'service finish done',
      waits_for: ['1 more poll'],
    });
  });

  it('tells how long it has to queue', async () => {
    const mock = await startMock({ dialect: { 'task.first-status': 'waiting' } });
    const id = await mock.create({ task: 'x' });
    expect(mock.control.task(id).status).toBe('waiting');
    expect(mock.control.task(id).runs[0]!.next!.waits_for[0]).toMatch(/^\d+ ms more in the queue$/);
  });

  it('says that there is no such task', async () => {
    const mock = await startMock();
    expect(() => mock.control.task('nope')).toThrow(
      new ControlError('missing', 'There is no task "nope" in any organisation.'),
    );
  });
});

describe('gates', () => {
  it('open a waiting step, for one task, one organisation or all', async () => {
    const gated = scenario('g', [{ service: 'finish', after: { gate: 'go' } }]);
    const mock = await startMock({ scenarios: [gated] });
    const [one, two] = [await mock.create({ task: 'g' }), await mock.create({ task: 'g' })];
    const other = await mock.create({ task: 'g' }, 'b');
    expect(mock.control.gates('a')).toEqual([
      {
        organisation: 'org-1',
        open: [],
        open_for_tasks: [],
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
  it('say which rule holds how many requests, and let them go', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: 'x' });
    await mock.control.setNetwork([{ network: 'hold', until: { gate: 'go' }, of: 'poll' }], 'a');
    const polls = [mock.poll(id), mock.poll(id)];
    expect(mock.control.gates('a')[0]!.held).toEqual([{ gate: 'go', rule: 'rule-1', requests: 2 }]);
    expect(mock.control.health().in_flight).toBe(2);
    mock.control.openGate('go', { key: 'a' });
    expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([202, 202]);
    expect(mock.control.gates('a')[0]!.held).toEqual([]);
  });
});

describe('an injected step', () => {
  it('happens at once, beside the timeline', async () => {
    const mock = await startMock({ scenarios: [TALK] });
    const id = await mock.create(REQUEST);
    await mock.control.inject(id, {
      service: 'tool_call',
      id: 'extra',
      tool: 'get_weather',
      input: { city: 'Rome' },
    });
    await mock.control.inject(id, {
      service: 'event',
      name: 'tool_call',
      payload: { odd: true },
      after: '100ms',
    });
    await mock.control.setClock({ advance: 300 }, 'a');
    const times = mock.control
      .task(id)
      .events.map(({ timestamp, payload }) => [timestamp - MANUAL_START_MS, payload]);
    expect(times).toEqual([
      [0, { name: 'get_weather', input: { city: 'Rome' } }],
      [100, { odd: true }],
      [300, { name: 'get_weather', input: { city: 'Oslo' } }],
    ]);
    expect(mock.control.task(id).runs[0]!.next!.step).toBe('client reply to first');
    await mock.control.inject(id, {
      service: 'finish',
      status: 'failed',
      output: 'pulled the plug',
      at_once: true,
    });
    expect((await mock.poll(id)).r).toMatchObject({ status: 'failed', output: 'pulled the plug' });
  });

  it('answers an action of a session', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: null });
    await mock.sendEvent(id, {
      name: 'browser_action',
      id: 'e1',
      payload: { name: 'goto', input: { url: 'https://a.example' } },
    });
    await mock.control.inject(id, { service: 'result', to: 'e1', code: 500, output: 'crashed' });
    expect(mock.control.task(id).events).toMatchObject([
      { id: 'e1', payload: { code: 500, output: 'crashed' } },
    ]);
  });

  it('waits for the last result to be seen before it ends a task, as any finish', async () => {
    const mock = await startMock({ scenarios: [TALK] });
    const id = await mock.create(REQUEST);
    await mock.control.setClock({ advance: 300 }, 'a');
    const view = await mock.control.inject(id, { service: 'finish' });
    expect(view.status).toBe('running');
    expect(view.runs[0]!.meanwhile).toMatchObject([{ step: 'service finish done' }]);
    expect(view.runs[0]!.meanwhile[0]!.waits_for[0]).toContain('on a 202 first');
    expect((await mock.poll(id)).status).toBe(202);
    expect((await mock.poll(id)).status).toBe(200);
  });

  it.each([
    [{ service: 'finsh' }, /finish/],
    [{ client: 'reply', to: 'first' }, /service/],
    [{ service: 'tool_call', tool: 'nope' }, /tool: expected one of the task's custom_tools, got "nope"/],
    [{ service: 'result', to: 'nope' }, /to: expected the id of an action/],
    [{ service: 'finish', status: 'completed' }, /status: expected one of/],
    [{ service: 'finish', if: { reply: 'first', code: 200 } }, /no condition/],
    ['finish', /expected a service step/],
  ])('%j is refused', async (step, message) => {
    const mock = await startMock({ scenarios: [TALK] });
    const id = await mock.create(REQUEST);
    await expect(mock.control.inject(id, step)).rejects.toThrow(message);
    expect(mock.control.task(id).runs[0]).toMatchObject({ steps: 3, done: 0, meanwhile: [] });
  });

  it('is refused by a task that is over, and by one that is not there', async () => {
    const mock = await startMock();
    const id = await mock.create({ task: 'x' });
    await mock.send('DELETE', `/task/${id}`);
    await expect(mock.control.inject(id, { service: 'finish' })).rejects.toThrow(
      /is cancelled: nothing happens to it any more/,
    );
    await expect(mock.control.inject('nope', { service: 'finish' })).rejects.toThrow(
      /There is no task "nope"/,
    );
  });
});

describe('scenarios', () => {
  const yaml =
    'title: From text\nrequest: { task: Hello }\ntimeline:\n  - service: finish\n    output: from text\n';

  it('are added from text and from objects, and replace those of the same name', async () => {
    const mock = await startMock();
    expect(await mock.control.addScenarios(yaml)).toEqual({ added: ['given/from-text'], problems: [] });
    const object = {
      title: 'From an object',
      request: { task: 'Hi' },
      timeline: [{ service: 'finish', output: 'object' }],
    };
    expect(
      await mock.control.addScenarios([object, { ...object, name: 'mine', title: 'Mine' }]),
    ).toMatchObject({
      added: ['given/from-an-object', 'mine'],
    });
    await mock.control.addScenarios({ ...object, name: 'mine', title: 'Mine again', covers: ['POLL-01'] });
    const given = (await mock.control.scenarios()).filter(({ from }) => from === 'given');
    expect(given.map(({ name, title }) => [name, title])).toEqual([
      ['given/from-text', 'From text'],
      ['given/from-an-object', 'From an object'],
      ['mine', 'Mine again'],
    ]);
    expect((await mock.control.scenarios()).some(({ from }) => from === 'library')).toBe(true);
    const id = await mock.create({ task: 'Hello' });
    expect((await mock.poll(id)).r.output).toBe('from text');
  });

  it('with a mistake are returned with their problems, and none is added', async () => {
    const mock = await startMock();
    const good = { title: 'Good', request: { task: 'x' }, timeline: [{ service: 'finish' }] };
    const { added, problems } = await mock.control.addScenarios([
      good,
      { ...good, name: 'bad', timeline: [{ service: 'finsh' }] },
    ]);
    expect(added).toEqual([]);
    expect(problems).toMatchObject([
      { file: 'bad', message: expect.stringContaining('did you mean finish?') },
    ]);
    expect((await mock.control.addScenarios('title: x\n  y')).problems[0]!.line).toBeGreaterThan(0);
    expect((await mock.control.scenarios()).filter(({ from }) => from === 'given')).toEqual([]);
  });

  it('are queued for one organisation, or for all and those that are opened later', async () => {
    const done = (name: string) => scenario(name, [{ service: 'finish', output: name }]);
    const mock = await startMock({ scenarios: [done('one'), done('two')] });
    await mock.control.nextScenario(['one', 'two'], 'a');
    const outputs = async (key: string) =>
      (await mock.poll(await mock.create({ task: 'x' }, key), 0, key)).r.output;
    expect(await outputs('a')).toBe('one');
    expect(await outputs('a')).toBe('two');
    await mock.control.nextScenario('two');
    expect([await outputs('a'), await outputs('later')]).toEqual(['two', 'two']);
    expect(await outputs('later')).not.toBe('two');
    mock.control.reset();
    expect(await outputs('later again')).not.toBe('two');
    await expect(mock.control.nextScenario('tow', 'a')).rejects.toThrow(
      'There is no scenario "tow": did you mean two?',
    );
  });
});

describe('the network', () => {
  it('is set, shown and cleared for one organisation or all', async () => {
    const mock = await startMock();
    await mock.send('GET', '/usage');
    await mock.control.setNetwork('- network: fail\n  status: 503\n  of: getUsage\n', 'b');
    expect((await mock.send('GET', '/usage')).status).toBe(200);
    expect((await mock.send('GET', '/usage', undefined, 'b')).status).toBe(503);
    expect(mock.control.network('b')).toMatchObject([
      { organisation: 'org-2', rules: [{ id: 'rule-1', fired: 1 }] },
    ]);
    await mock.control.setNetwork({ rules: [{ network: 'fail', status: 500, of: 'getUsage' }] });
    expect((await mock.send('GET', '/usage', undefined, 'later')).status).toBe(500);
    mock.control.clearNetwork('b', 'rule-1');
    expect((await mock.send('GET', '/usage', undefined, 'b')).status).toBe(200);
    expect(() => mock.control.clearNetwork('b', 'rule-9')).toThrow('There is no network rule "rule-9".');
    mock.control.clearNetwork();
    expect((await mock.send('GET', '/usage')).status).toBe(200);
    expect((await mock.send('GET', '/usage', undefined, 'even later')).status).toBe(200);
  });

  it.each<unknown>(['fail 503 of GET /usage', '"fail 503 of GET /usage"', { rules: 'fail 503 of getUsage' }])(
    'takes rules in short: %j',
    async (rules) => {
      const mock = await startMock();
      await mock.control.setNetwork(rules, 'a');
      expect((await mock.send('GET', '/usage')).status).toBe(503);
    },
  );

  it('opens no organisation by being looked at', async () => {
    const { control } = await startMock();
    expect(control.network('never')).toEqual([]);
    expect(control.state('never').organisations).toEqual([]);
    expect(control.health().organisations).toBe(0);
  });

  it('refuses rules with a mistake and keeps those there are', async () => {
    const mock = await startMock();
    await mock.control.setNetwork([{ network: 'fail', status: 503, of: 'getUsage' }], 'a');
    await expect(mock.control.setNetwork([{ network: 'explode' }], 'a')).rejects.toThrow(
      /rules:\d+:\d+: network: expected one of/,
    );
    expect((await mock.send('GET', '/usage')).status).toBe(503);
  });
});

describe('the journal', () => {
  it('is filtered by task, kind and seq, and holds no key', async () => {
    const mock = await startMock();
    const secret = 'key-that-is-secret';
    const [one, two] = [await mock.create({ task: 'x' }, secret), await mock.create({ task: 'y' }, secret)];
    await mock.poll(one, 0, secret);
    await mock.poll(two, 0, secret);
    await mock.poll(one, 0, secret);
    await mock.send('GET', '/usage');
    const seqs = (query: Parameters<typeof mock.control.journal>[0]) =>
      mock.control.journal({ key: secret, ...query }).map(({ seq }) => seq);
    expect(seqs({})).toEqual([1, 2, 3, 4, 5]);
    expect(seqs({ task: one })).toEqual([1, 3, 5]);
    expect(seqs({ kind: 'poll' })).toEqual([3, 4, 5]);
    expect(seqs({ task: one, kind: 'poll', limit: 1 })).toEqual([5]);
    expect(seqs({ since: 2 })).toEqual([3, 4, 5]);
    expect(seqs({ since: 2, limit: 2 })).toEqual([3, 4]);
    expect(mock.control.journal()).toHaveLength(6);
    expect(mock.control.journal({ key: 'nobody' })).toEqual([]);
    expect(JSON.stringify(mock.control.journal())).not.toContain(secret);
  });

  it('is what the judge gets to see', async () => {
    const judge = (exchanges: { seq: number }[]) => [
      {
        rule: 'count',
        requirement: 'POLL-01',
        side: 'client' as const,
        level: 'must' as const,
        message: `${exchanges.length}`,
        evidence: [],
      },
    ];
    const mock = await startMock({ judge });
    await mock.send('GET', '/usage', undefined, 'a');
    await mock.send('GET', '/usage', undefined, 'b');
    await mock.send('GET', '/usage', undefined, 'b');
    expect(mock.control.findings().map(({ message }) => message)).toEqual(['1', '2']);
    expect(mock.control.findings('b').map(({ message }) => message)).toEqual(['2']);
    expect((await startMock()).control.findings()).toEqual([]);
  });
});

describe('reset and state', () => {
  it('forgets one organisation, or all', async () => {
    const mock = await startMock();
    const [mine, theirs] = [await mock.create({ task: 'x' }, 'a'), await mock.create({ task: 'x' }, 'b')];
    mock.control.reset('a');
    expect((await mock.poll(mine, 0, 'a')).status).toBe(404);
    expect((await mock.poll(theirs, 0, 'b')).status).toBe(202);
    expect(mock.control.health()).toMatchObject({
      status: 'ok',
      seed: 1,
      organisations: 2,
      tasks: 1,
      active_tasks: 1,
    });
    mock.control.reset();
    expect(mock.control.health()).toMatchObject({ organisations: 0, tasks: 0, exchanges: 0, in_flight: 0 });
  });

  it('restores what was, also into a fresh mock, and leaves other organisations alone', async () => {
    const mock = await startMock();
    const mine = await mock.create({ task: 'x' }, 'a');
    const theirs = await mock.create({ task: 'x' }, 'b');
    const state = mock.control.state('a');
    expect(state.organisations).toHaveLength(1);
    const all = mock.control.state();
    await mock.control.setClock({ advance: '1m' });
    await mock.control.restore(state);
    expect((await mock.poll(mine, 0, 'a')).status).toBe(202);
    expect((await mock.poll(theirs, 0, 'b')).status).toBe(200);
    const fresh = await startMock();
    await fresh.control.restore(all);
    expect(JSON.stringify(fresh.control.state())).toBe(JSON.stringify(all));
    expect((await fresh.poll(theirs, 0, 'b')).status).toBe(202);
  });

  it('leads to the mock that restores it, not to the one that took it down', async () => {
    const mock = createMock({ clock: 'skipping', origin: 'http://one.example' });
    const other = createMock({ clock: 'skipping', origin: 'http://two.example:81' });
    const headers = { apikey: 'a', 'content-type': 'application/json' };
    await mock.fetch('/api/v1/task', { method: 'POST', headers, body: '{"task":"http://one.example/tea"}' });
    const list = async ({ fetch }: typeof mock) =>
      (await (await fetch('/api/v1/task?l=1', { headers })).json()).r[0];
    const before = await list(mock);
    const state = mock.snapshot();
    await other.restore(state);
    const after = await list(other);
    expect(before.live_url).toMatch(/^http:\/\/one\.example\/live\//);
    expect(after.live_url).toBe(before.live_url.replace('one.example', 'two.example:81'));
    // What the client wrote stays as it is.
    expect(JSON.stringify(other.snapshot())).toContain('"http://one.example/tea"');
    await mock.restore(state);
    expect(JSON.stringify(mock.snapshot().organisations[0]!.state.tasks)).toBe(
      JSON.stringify(state.organisations[0]!.state.tasks),
    );
    await Promise.all([mock.close(), other.close()]);
  });

  it('holds what organisations opened later start with, paused clocks, and scenarios of no file', async () => {
    const mock = await startMock();
    const { control } = mock;
    await control.setClock({ mode: 'skipping' }, 'a');
    await control.setClock({ pause: true }, 'a');
    await control.setNetwork('fail 503 of getUsage');
    const timeline = [{ service: 'finish', output: 'mine' }];
    await control.addScenarios({ name: 'given/mine', title: 'Mine', request: { task: 'x' }, timeline });
    await control.nextScenario('given/mine');
    const state = JSON.parse(JSON.stringify(control.state()));
    const fresh = await startMock();
    await fresh.send('GET', '/usage', undefined, 'since');
    await fresh.control.restore(state);
    expect(JSON.stringify(fresh.control.state())).toBe(JSON.stringify(state));
    expect(fresh.control.health().organisations).toBe(1);
    expect((await fresh.send('GET', '/usage', undefined, 'later')).status).toBe(503);
    const id = await fresh.create({ task: 'anything' }, 'later');
    expect(fresh.control.task(id).scenario).toBe('given/mine');
    expect((await fresh.control.setClock({ pause: false }, 'a'))[0]!.mode).toBe('skipping');
  });

  it('restores nothing at all when one organisation of the state is broken, and names no key', async () => {
    const mock = await startMock();
    await mock.create({ task: 'x' }, 'key-that-is-secret');
    await mock.create({ task: 'x' }, 'b');
    const state = JSON.parse(JSON.stringify(mock.control.state()));
    await mock.control.setClock({ advance: '1m' });
    const before = JSON.stringify(mock.control.state());
    state.organisations[1].state.account.credits = 'many';
    await expect(mock.control.restore(state)).rejects.toThrow(
      /^organisations\[1\]\.state\.account\.credits: expected a number, got "many"$/,
    );
    state.organisations[1] = state.organisations[0];
    await expect(mock.control.restore(state)).rejects.toThrow(
      /^organisations\[1\]\.key: expected a key of its own, got "one that stands above"$/,
    );
    expect(JSON.stringify(mock.control.state())).toBe(before);
  });
});

import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../scenarios/types.js';
import { scenario, startMock, type TestMock, WEATHER } from '../test-support/mock.js';
import { ShapeError } from './shape.js';
import { type OrganisationSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.js';

const SCENARIOS: Scenario[] = [
  scenario(
    'weather',
    [
      {
        service: 'tool_call',
        id: 'first',
        tool: 'get_weather',
        input: { city: '' },
        after: { time_ms: 300 },
      },
      { service: 'open', gate: 'late', meanwhile: true, after: { time_ms: 5000 } },
      { client: 'reply', to: 'first' },
      { network: 'drop', of: { poll: true }, side: 'response', times: 2, probability: 0.5 },
      { service: 'tool_call', id: 'second', tool: 'get_weather', after: { polls: 2 } },
      { client: 'reply', to: 'second' },
      { service: 'finish', after: { gate: 'go' }, output: 'It is {{second.output}}.' },
    ],
    { custom_tools: [WEATHER] },
  ),
];

/** Everything a client got to see, as text. */
class Diary {
  readonly lines: string[] = [];

  constructor(readonly mock: TestMock) {}

  async note(answer: Promise<{ status: number; text: string }>): Promise<void> {
    const { status, text } = await answer;
    this.lines.push(`${status} ${text}`);
  }

  get organisation() {
    return this.mock.service.organisations.open('a');
  }
}

interface Ids {
  task: string;
  improvised: string;
  session: string;
}

/** A conversation with tool calls, an improvised task, a session, resources and network rules: up to its middle. */
async function firstHalf(mock: TestMock): Promise<Ids> {
  const { control } = mock;
  await control.setNetwork(
    [
      { network: 'quota', requests: 9, per: '10s', of: 'listTasks' },
      { network: 'fail', status: 503, of: 'getUsage', skip: 1, times: 2, probability: 0.7 },
    ],
    'a',
  );
  const task = await mock.create({ task: 'weather', custom_tools: [WEATHER] });
  const improvised = await mock.create({ task: 'anything', custom_tools: [WEATHER] });
  const session = await mock.create({ task: null });
  await mock.send('POST', '/profile', { id: 'p' });
  await mock.send('GET', '/usage');
  for (let n = 0; n < 5; n++) await mock.send('GET', '/task');
  await control.setClock({ advance: 400 }, 'a');
  const [call] = (await mock.poll(task)).r.events;
  await mock.sendEvent(task, { name: 'tool_call', id: call.id, payload: { code: 400, output: 'no city' } });
  for (const [id, name] of [
    ['g', 'goto'],
    ['e', 'extract'],
  ] as const) {
    const input = name === 'goto' ? { url: 'https://example.com' } : { schema: { type: 'object' } };
    await mock.sendEvent(session, { name: 'browser_action', id, payload: { name, input } });
  }
  await control.setClock({ advance: 50 }, 'a');
  return { task, improvised, session };
}

/** The same requests at the same times, whatever mock they are sent to. */
async function secondHalf(mock: TestMock, { task, improvised, session }: Ids): Promise<string[]> {
  const diary = new Diary(mock);
  const { control } = mock;
  for (let round = 0; round < 8; round++) {
    await control.setClock({ advance: 250 }, 'a');
    for (const id of [task, improvised, session]) {
      await diary.note(mock.poll(id));
      for (const { id: call } of mock.control.task(id).calls.filter((each) => !each.reply)) {
        const payload = { code: 200, output: { temp_c: 21 } };
        await diary.note(mock.sendEvent(id, { name: 'tool_call', id: call, payload }));
      }
    }
    await diary.note(mock.send('GET', '/task'));
    await diary.note(mock.send('GET', '/usage'));
  }
  control.openGate('go', { key: 'a' });
  await diary.note(mock.sendEvent(session, { name: 'session_action', id: 'c', payload: { name: 'close' } }));
  await control.setClock({ advance: '1m' }, 'a');
  for (const id of [task, improvised, session]) {
    await diary.note(mock.poll(id));
    await diary.note(mock.poll(id));
  }
  await diary.note(mock.send('GET', '/profile'));
  await diary.note(mock.send('GET', '/proxy'));
  await diary.note(mock.send('POST', '/task', { task: 'one more' }));
  // Notes tell of scenarios that nearly matched: the fresh mock has none.
  diary.lines.push(
    JSON.stringify(takeSnapshot(diary.organisation), (name, value) => (name === 'notes' ? undefined : value)),
  );
  return diary.lines;
}

function snapshotOf(mock: TestMock): OrganisationSnapshot {
  return takeSnapshot(mock.service.organisations.open('a'));
}

describe('a snapshot', () => {
  it('restored into a fresh mock goes on as the first one did, byte for byte', async () => {
    const first = await startMock({ scenarios: SCENARIOS });
    const ids = await firstHalf(first);
    const kept = JSON.stringify(snapshotOf(first));
    const expected = await secondHalf(first, ids);
    expect(expected.join('\n')).toContain('It is {\\"temp_c\\":21}.');
    expect(expected.join('\n')).toContain('503 ');
    expect(expected.join('\n')).toContain('429 ');
    expect(expected.filter((line) => line.includes('"status":"done"')).length).toBeGreaterThan(3);

    // Another seed, other organisations, no scenarios: all of it comes from the snapshot.
    const fresh = await startMock({ seed: 'another' });
    await fresh.create({ task: 'of somebody else' }, 'b');
    restoreSnapshot(fresh.service.organisations.open('a'), JSON.parse(kept));
    expect(JSON.stringify(snapshotOf(fresh))).toBe(kept);
    expect(await secondHalf(fresh, ids)).toEqual(expected);
  });

  it('takes an organisation back, as often as wanted', async () => {
    const mock = await startMock({ scenarios: SCENARIOS });
    const ids = await firstHalf(mock);
    const kept = snapshotOf(mock);
    const text = JSON.stringify(kept);
    const expected = await secondHalf(mock, ids);
    restoreSnapshot(mock.service.organisations.open('a'), kept);
    expect(await secondHalf(mock, ids)).toEqual(expected);
    expect(JSON.stringify(kept)).toBe(text);
  });

  it('keeps one timeline for all tasks of a scenario, and neither key nor name', async () => {
    const mock = await startMock({ scenarios: SCENARIOS });
    for (let n = 0; n < 5; n++) {
      await mock.create({ task: 'weather', custom_tools: [WEATHER] }, 'key-that-is-secret');
    }
    const kept = takeSnapshot(mock.service.organisations.open('key-that-is-secret'));
    expect(kept.tasks.length).toBe(5);
    expect(kept.timelines.length).toBe(1);
    expect(JSON.stringify(kept)).not.toContain('key-that-is-secret');
    expect(JSON.stringify(kept)).not.toContain('"org-1"');
  });

  it('lets requests under way go when it is restored', async () => {
    const mock = await startMock();
    await mock.control.setNetwork(
      [{ network: 'hold', until: { gate: 'never' }, of: 'poll', at_most: '1h' }],
      'a',
    );
    const id = await mock.create({ task: 'x' });
    const kept = snapshotOf(mock);
    const held = mock.poll(id);
    restoreSnapshot(mock.service.organisations.open('a'), kept);
    expect((await held).status).toBe(202);
  });

  it('survives a restore from real to real time', async () => {
    let wall = 1_000_000;
    const mock = await startMock({ clock: 'real', wall: () => wall, timers: { set: () => 0, clear() {} } });
    const id = await mock.create({ task: 'x' });
    const kept = snapshotOf(mock);
    wall += 60_000;
    restoreSnapshot(mock.service.organisations.open('a'), kept);
    expect(mock.control.clock('a')[0]!.now).toBe(1_000_000);
    expect((await mock.poll(id)).r.status).toBe('running');
    wall += 60_000;
    expect((await mock.poll(id)).r.status).toBe('done');
  });
});

describe('bad snapshots', () => {
  // biome-ignore lint/suspicious/noExplicitAny: these tests break snapshots in every way
  const breakages: [string, (state: any) => void, RegExp][] = [
    [
      'another version',
      (s) => {
        s.version = 2;
      },
      /^version: expected one of 1, got 2$/,
    ],
    [
      'no clock',
      (s) => {
        delete s.clock;
      },
      /^clock: expected an object, got nothing$/,
    ],
    [
      'an odd clock',
      (s) => {
        s.clock.mode = 'fast';
      },
      /^clock\.mode: expected one of "real"/,
    ],
    [
      'a time that is no number',
      (s) => {
        s.clock.now = 'noon';
      },
      /^clock\.now: expected a whole number/,
    ],
    [
      'a short random state',
      (s) => {
        s.random.pop();
      },
      /^random: expected a list of 8 numbers/,
    ],
    [
      'no tasks',
      (s) => {
        s.tasks = null;
      },
      /^tasks: expected a list, got null$/,
    ],
    [
      'an unknown status',
      (s) => {
        s.tasks[0].status = 'completed';
      },
      /^tasks\[0\]\.status: expected one of "waiting".*got "completed"$/,
    ],
    [
      'a step of nobody',
      (s) => {
        s.timelines[0][0] = { robot: 'x' };
      },
      /^timelines\[0\]\[0\]: expected a step/,
    ],
    [
      'a timeline that is not there',
      (s) => {
        s.tasks[0].runs[0].timeline = 9;
      },
      /^tasks\[0\]\.runs\[0\]: expected steps/,
    ],
    [
      'a cursor beyond the end',
      (s) => {
        s.tasks[0].runs[0].cursor = 99;
      },
      /^tasks\[0\]\.runs\[0\]\.cursor: expected at most/,
    ],
    [
      'work for nobody',
      (s) => {
        s.pending[0].task = 'x';
      },
      /^pending\[0\]\.task: expected the id of a task in here, got "x"$/,
    ],
    [
      'unknown records',
      (s) => {
        s.records.cats = [];
      },
      /^records: expected no other fields .* got "cats"$/,
    ],
    [
      'missing records',
      (s) => {
        delete s.records.files;
      },
      /^records\.files: expected a list, got nothing$/,
    ],
    [
      'a broken rule',
      (s) => {
        s.network.rules[0].rule.network = 'explode';
      },
      /^network\.rules\[0\]\.rule\.network: expected one of/,
    ],
    [
      'a broken exchange',
      (s) => {
        s.journal.exchanges[0].request = 1;
      },
      /^journal\.exchanges\[0\]\.request: expected an object, got 1$/,
    ],
    [
      'twins',
      (s) => {
        s.tasks[1].id = s.tasks[0].id;
      },
      /^tasks\[1\]\.id: expected an id of its own/,
    ],
  ];

  it.each(breakages)('%s: names the place and changes nothing', async (_, damage, message) => {
    const mock = await startMock({ scenarios: SCENARIOS });
    await firstHalf(mock);
    const before = JSON.stringify(snapshotOf(mock));
    const broken = JSON.parse(before);
    damage(broken);
    const organisation = mock.service.organisations.open('a');
    expect(() => restoreSnapshot(organisation, broken)).toThrow(ShapeError);
    expect(() => restoreSnapshot(organisation, broken)).toThrow(message);
    expect(JSON.stringify(snapshotOf(mock))).toBe(before);
  });

  it.each([null, undefined, 7, 'x', [], {}])('%j is no snapshot', async (value) => {
    const mock = await startMock();
    expect(() => restoreSnapshot(mock.service.organisations.open('a'), value)).toThrow(ShapeError);
  });
});

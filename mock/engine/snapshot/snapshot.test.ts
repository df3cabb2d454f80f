import { describe, expect, it } from 'vitest';
import {
  captureSnapshot,
  type FirstHalfIds,
  playFirstHalf,
  SCENARIOS,
} from '../../../test/support/mock/first-half.js';
import { startMock, type TestMock, WEATHER } from '../../../test/support/mock/mock.js';
import { restoreSnapshot, takeSnapshot } from './snapshot.js';

/** The responses that a client received, as text. */
class Transcript {
  readonly lines: string[] = [];

  constructor(readonly mock: TestMock) {}

  async note(response: Promise<{ status: number; text: string }>): Promise<void> {
    const { status, text } = await response;
    this.lines.push(`${status} ${text}`);
  }

  get organisation() {
    return this.mock.service.organisations.open('a');
  }
}

/** Sends the same requests at the same times to any mock. */
async function playSecondHalf(
  mock: TestMock,
  { task, improvised, session }: FirstHalfIds,
): Promise<string[]> {
  const transcript = new Transcript(mock);
  const { control } = mock;
  for (let round = 0; round < 8; round++) {
    await control.clock.set({ advance: 250 }, 'a');
    for (const id of [task, improvised, session]) {
      await transcript.note(mock.poll(id));
      for (const { id: call } of mock.control.task(id).calls.filter((each) => !each.reply)) {
        const payload = { code: 200, output: { temp_c: 21 } };
        await transcript.note(mock.sendEvent(id, { name: 'tool_call', id: call, payload }));
      }
    }
    await transcript.note(mock.send('GET', '/task'));
    await transcript.note(mock.send('GET', '/usage'));
  }
  control.openGate('go', { key: 'a' });
  await transcript.note(
    mock.sendEvent(session, { name: 'session_action', id: 'c', payload: { name: 'close' } }),
  );
  await control.clock.set({ advance: '1m' }, 'a');
  for (const id of [task, improvised, session]) {
    await transcript.note(mock.poll(id));
    await transcript.note(mock.poll(id));
  }
  await transcript.note(mock.send('GET', '/profile'));
  await transcript.note(mock.send('GET', '/proxy'));
  await transcript.note(mock.send('POST', '/task', { task: 'one more' }));
  // Notes name scenarios that nearly matched, and the fresh mock has no scenarios.
  transcript.lines.push(
    JSON.stringify(takeSnapshot(transcript.organisation), (name, value) =>
      name === 'notes' ? undefined : value,
    ),
  );
  return transcript.lines;
}

describe('a snapshot', () => {
  it('restored into a new mock continues like the first mock, byte for byte', async () => {
    const first = await startMock({ scenarios: SCENARIOS, fixtures: { proxies: [{ country: 'DE' }] } });
    const ids = await playFirstHalf(first);
    const snapshot = JSON.stringify(captureSnapshot(first));
    const expected = await playSecondHalf(first, ids);
    expect(expected.join('\n')).toContain('It is {\\"temp_c\\":21}.');
    expect(expected.join('\n')).toContain('503 ');
    expect(expected.join('\n')).toContain('429 ');
    expect(expected.filter((line) => line.includes('"status":"done"')).length).toBeGreaterThan(3);

    // Another seed, other organisations, no scenarios: all state comes from the snapshot.
    const fresh = await startMock({ seed: 'another' });
    await fresh.create({ task: 'of another organisation' }, 'b');
    restoreSnapshot(fresh.service.organisations.open('a'), JSON.parse(snapshot));
    expect(JSON.stringify(captureSnapshot(fresh))).toBe(snapshot);
    expect(await playSecondHalf(fresh, ids)).toEqual(expected);
  });

  it('restores an organisation any number of times', async () => {
    const mock = await startMock({ scenarios: SCENARIOS, fixtures: { proxies: [{ country: 'DE' }] } });
    const ids = await playFirstHalf(mock);
    const snapshot = captureSnapshot(mock);
    const text = JSON.stringify(snapshot);
    const expected = await playSecondHalf(mock, ids);
    restoreSnapshot(mock.service.organisations.open('a'), snapshot);
    expect(await playSecondHalf(mock, ids)).toEqual(expected);
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  it('keeps one timeline for all tasks of a scenario, and neither key nor name', async () => {
    const mock = await startMock({ scenarios: SCENARIOS, fixtures: { proxies: [{ country: 'DE' }] } });
    for (let n = 0; n < 5; n++) {
      await mock.create({ task: 'weather', custom_tools: [WEATHER] }, 'key-that-is-secret');
    }
    const snapshot = takeSnapshot(mock.service.organisations.open('key-that-is-secret'));
    expect(snapshot.tasks.length).toBe(5);
    expect(snapshot.timelines.length).toBe(1);
    expect(JSON.stringify(snapshot)).not.toContain('key-that-is-secret');
    expect(JSON.stringify(snapshot)).not.toContain('"org-1"');
  });

  it('releases pending requests when it is restored', async () => {
    const mock = await startMock();
    await mock.control.network.set(
      [{ network: 'hold', until: { gate: 'never' }, of: 'poll', at_most: '1h' }],
      'a',
    );
    const id = await mock.create({ task: 'x' });
    const snapshot = captureSnapshot(mock);
    const pending = mock.poll(id);
    restoreSnapshot(mock.service.organisations.open('a'), snapshot);
    expect((await pending).status).toBe(202);
  });

  it('survives a restore from real to real time', async () => {
    let wall = 1_000_000;
    const mock = await startMock({ clock: 'real', wall: () => wall, timers: { set: () => 0, clear() {} } });
    const id = await mock.create({ task: 'x' });
    const snapshot = captureSnapshot(mock);
    wall += 60_000;
    restoreSnapshot(mock.service.organisations.open('a'), snapshot);
    expect(mock.control.clock.view('a')[0]!.now).toBe(1_000_000);
    expect((await mock.poll(id)).r.status).toBe('running');
    wall += 60_000;
    expect((await mock.poll(id)).r.status).toBe('done');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import type { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import { InTestClient } from '../../../test/support/in-tests/client.js';
import { createMock } from '../create-mock.js';
import { formatTimeline } from './timeline.js';

const mocks: Mock[] = [];
afterEach(() => Promise.all(mocks.splice(0).map((mock) => mock.close())));

function mockWith(options: MockOptions = {}): { mock: Mock; talk: InTestClient } {
  const mock = createMock({ clock: 'manual', ...options });
  mocks.push(mock);
  return { mock, talk: new InTestClient(mock) };
}

describe('the timeline', () => {
  it('shows a conversation in order, with the outcome of each request', async () => {
    const { mock, talk } = mockWith();
    const { task, call } = await talk.startCall();
    await talk.reply(task, call);
    await mock.clock.advance('1s');
    await talk.poll(task, 1767225600300);
    const id = task.slice(0, 8);
    expect(formatTimeline(mock).split('\n')).toEqual([
      `   +0.000 s  client   POST /task → 200 task ${id} is running [follows scenario tool-calls/one-call (queued)]`,
      '   +0.300 s  service  tool_call get_weather (weather) {"city":"Paris"}',
      `   +1.000 s  client   GET /task/${id}?event_t=0 → 202 running, tool_call get_weather (weather)`,
      `   +1.000 s  client   POST /task/${id}/event, reply to get_weather (weather): 200 {"temp_c":9} → 200`,
      `   +1.300 s  service  task ${id} is done: "It is 9 °C in Paris; take a coat."`,
      `   +2.000 s  client   GET /task/${id}?event_t=+0.300s → 200 done`,
    ]);
  });

  it('shows a mistyped path with the note of the mock', async () => {
    const { mock, talk } = mockWith();
    await talk.send('POST', '/tsak', { task: 'x' });
    await talk.send('GET', '/usage');
    expect(formatTimeline(mock).split('\n')).toEqual([
      '   +0.000 s  client   POST /tsak → 404 There is no operation at POST /api/v1/tsak. The API lives under /api/v1. Did you mean POST /api/v1/task?',
      '   +0.000 s  client   GET /usage → 200',
    ]);
    expect(mock.findings()).toEqual([]);
  });

  it('counts polls without news in one line, and shows what an open task waits for', async () => {
    const { mock, talk } = mockWith();
    const task = await talk.start('polling/slow-agent');
    for (let i = 0; i < 5; i++) {
      await talk.poll(task);
      await mock.clock.advance('1s');
    }
    const lines = formatTimeline(mock).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatch(/^ +4 more polls like it, the last at \+4\.000 s$/);
    expect(lines[3]).toMatch(
      /\+5\.000 s {2}now {6}task \w{8} is running; service finish waits for [\d.]+ s more$/,
    );
  });

  it('counts polls with the same event in one line, also if the event is late', async () => {
    const { mock, talk } = mockWith();
    const { task } = await talk.startCall();
    for (let i = 0; i < 5; i++) await talk.poll(task);
    expect(formatTimeline(mock)).toMatch(
      /tool_call get_weather \(weather\)\n +5 more polls like it, the last at \+1\.000 s\n/,
    );
  });

  it('shows network effects and the detail of a refusal', async () => {
    const { mock, talk } = mockWith({ network: 'drop response of poll times 1' });
    const task = await talk.start('polling/one-shot');
    await talk.poll(task);
    await talk.send('POST', `/task/${task}/event`, {
      id: 'a',
      name: 'browser_action',
      payload: { name: 'goto' },
    });
    const [, poll, refused] = formatTimeline(mock).split('\n');
    expect(poll).toMatch(/→ no response \[network: response dropped\]$/);
    expect(refused).toMatch(/event, browser_action goto → 4\d\d .{10}/);
  });

  it('is bounded in length, and so are its lines', async () => {
    const { mock, talk } = mockWith();
    for (let i = 0; i < 100; i++) await talk.start('polling/one-shot', 'x'.repeat(1000));
    const lines = formatTimeline(mock).split('\n');
    expect(lines.length).toBeLessThan(60);
    expect(lines).toContain('  … 152 lines left out …');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(200);
  });

  it('holds neither keys nor passwords, wherever a client has put them', async () => {
    const { mock } = mockWith();
    const talk = new InTestClient(mock, 'sk-very-secret-key');
    await talk.send('GET', '/task?apikey=sk-very-secret-key');
    const task = await talk.start(undefined, 'My key is sk-very-secret-key');
    await mock.clock.advance('1h');
    await talk.poll(task);
    await talk.reply(task, 'no-call', { password: 'hunter2', said: 'sk-very-secret-key' });
    expect(formatTimeline(mock)).toContain('<redacted>');
    expect(formatTimeline(mock)).not.toMatch(/sk-very|hunter2/);
  });

  it('shows each organisation by its own clock, or only one', async () => {
    const { mock } = mockWith();
    await new InTestClient(mock, 'one').start('polling/one-shot');
    await mock.clock.advance('5s', 'one');
    await new InTestClient(mock, 'two').start('polling/one-shot');
    expect(formatTimeline(mock)).toMatch(/^ {2}org-1:\n.*\n.*\n {2}org-2:\n +\+0\.000 s {2}client/);
    expect(formatTimeline(mock, 'two')).toMatch(/^ +\+0\.000 s {2}client/);
    expect(formatTimeline(mock, 'two').split('\n')).toHaveLength(2);
  });

  it('states that there was no request', () => {
    expect(formatTimeline(mockWith().mock)).toBe('  (the mock received no request)');
  });

  it('shows a session: actions, their results, the end', async () => {
    const { mock, talk } = mockWith();
    const { r } = await talk.send('POST', '/task', { task: null, session: true });
    const event = {
      id: 'e1',
      name: 'browser_action',
      payload: { name: 'goto', input: { url: 'https://example.com' } },
    };
    await mock.clock.advance('1s');
    await talk.send('POST', `/task/${r.id}/event`, { ...event, timestamp: mock.clock.now() });
    await mock.clock.advance('5s');
    await talk.poll(r.id);
    expect(formatTimeline(mock)).toMatch(
      /event, browser_action goto \{"url":"https:\/\/example\.com"\} → 200/,
    );
    expect(formatTimeline(mock)).toMatch(/service {2}result goto 200 /);
    expect(formatTimeline(mock)).toMatch(/→ 202 running, result goto/);
  });
});

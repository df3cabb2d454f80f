import { describe, expect, it } from 'vitest';
import { openMock, readFailure } from '../../test/support/in-tests/mocks.js';
import './vitest.js';

describe('toHaveRepliedOnce', () => {
  it('passes for one reply, by the id of the call, of its step, or the name of its tool', async () => {
    const { mock, talk } = openMock();
    const { task, call } = await talk.startCall();
    expect(mock).not.toHaveRepliedOnce(call);
    await talk.reply(task, call);
    for (const name of [call, 'weather', 'get_weather']) expect(mock).toHaveRepliedOnce(name);
    expect(readFailure(() => expect(mock).not.toHaveRepliedOnce('weather'))).toMatch(
      /^expected anything but exactly one reply; call "weather" \(get_weather, id .{36}\): it was/,
    );
  });

  it('fails for none, with the lines about the call', async () => {
    const { mock, talk } = openMock();
    await talk.startCall();
    const said = readFailure(() => expect(mock).toHaveRepliedOnce('weather'));
    expect(said).toContain('expected exactly one reply; call "weather" (get_weather, id ');
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/: no reply was sent$/),
      expect.stringMatching(/\+0\.300 s {2}service {2}tool_call get_weather \(weather\) \{"city":"Paris"\}$/),
      expect.stringMatching(/\+1\.000 s {2}client {3}GET /),
    ]);
  });

  it('fails for a second one after one that was confirmed', async () => {
    const { mock, talk } = openMock();
    const { task, call } = await talk.startCall();
    await talk.reply(task, call);
    await talk.reply(task, call);
    expect(readFailure(() => expect(mock).toHaveRepliedOnce('weather'))).toContain(
      '2 replies were sent: one was confirmed (200), and another one was sent after it',
    );
    expect(mock).not.toHaveRepliedOnce('weather');
  });

  it('counts a reply repeated after a lost response once, unless its content differs', async () => {
    for (const [second, once] of [
      [9, true],
      [10, false],
    ] as const) {
      const { mock, talk } = openMock({ network: 'drop response of reply times 1' });
      const { task, call } = await talk.startCall();
      await talk.reply(task, call, { temp_c: 9 });
      expect(mock).toHaveRepliedOnce('weather');
      await talk.reply(task, call, { temp_c: second });
      if (once) expect(mock).toHaveRepliedOnce('weather');
      else {
        const said = readFailure(() => expect(mock).toHaveRepliedOnce('weather'));
        expect(said).toContain('replies that say different things were sent');
      }
    }
  });

  it.each([
    ['fail 400', 'refused for good', true],
    ['fail 429', 'to be sent again later', false],
    ['fail 503', 'to be sent again', false],
  ])(
    '%s: a reply that was %s may be followed by one that says something else: %s',
    async (network, _, once) => {
      const { mock, talk } = openMock({ network: `${network} of reply times 1` });
      const { task, call } = await talk.startCall();
      await talk.reply(task, call, { temp_c: 10 });
      await talk.reply(task, call, { temp_c: 9 });
      if (once) expect(mock).toHaveRepliedOnce('weather');
      else expect(mock).not.toHaveRepliedOnce('weather');
    },
  );

  it('treats an unreadable response as no response', async () => {
    const { mock, talk } = openMock({ network: 'truncate 5 of reply times 1' });
    const { task, call } = await talk.startCall();
    await talk.reply(task, call);
    await talk.reply(task, call);
    expect(mock).toHaveRepliedOnce('weather');
  });

  it('fails where the service accepted none of the replies', async () => {
    const { mock, talk } = openMock({ network: 'fail 503 of reply' });
    const { task, call } = await talk.startCall();
    await talk.reply(task, call);
    expect(readFailure(() => expect(mock).toHaveRepliedOnce(call))).toContain(
      'the service accepted none of the replies that were sent (1)',
    );
  });

  it('fails with and without .not for an unknown call, and lists the known calls', async () => {
    const { mock, talk } = openMock();
    expect(readFailure(() => expect(mock).toHaveRepliedOnce('weather'))).toBe(
      'toHaveRepliedOnce: there is no tool call "weather": there are none',
    );
    await talk.startCall();
    for (const expectation of [expect(mock), expect(mock).not]) {
      expect(readFailure(() => expectation.toHaveRepliedOnce('wether'))).toMatch(
        /^toHaveRepliedOnce: there is no tool call "wether": there is "weather" \(get_weather, id .{36}\)$/,
      );
    }
  });

  it('requires an id if several calls have the name', async () => {
    const { mock, talk } = openMock();
    const { call } = await talk.startCall();
    await talk.startCall();
    expect(readFailure(() => expect(mock).not.toHaveRepliedOnce('weather'))).toContain(
      '2 tool calls go by "weather", give the id of one: "weather" (get_weather, id ',
    );
    expect(mock).not.toHaveRepliedOnce(call);
  });
});

import type { RuleExamples } from '../../../test/support/rules/example.js';
import { insertUnreadEvent, leaveUndecided, markMissingBefore } from '../../../test/support/rules/open.js';
import {
  buildExchanges,
  createBadExample,
  createCallEvent,
  REFUSED,
  TOOL,
  toTimestamp,
} from '../../../test/support/rules/service-exchange-builder.js';

const one = createCallEvent('c1', 1000);
const two = createCallEvent('c2', 2000);
const calling = (payload: unknown) =>
  buildExchanges()
    .createWithTool()
    .poll(0, { events: [createCallEvent('c1', 1000, payload)] });
const open = () =>
  buildExchanges()
    .createWithTool()
    .poll(0, { events: [one] });
const GONE = { status: 400, body: { detail: 'It is over.' } };

export const examples: RuleExamples = {
  'calls/payload': {
    good: {
      whole: open(),
      'an echo of the reply': open()
        .sendReply('c1')
        .poll(toTimestamp(1000), { events: [createCallEvent('c1', 2000, { code: 200, output: 21 })] }),
    },
    bad: {
      'no name': createBadExample(
        calling({ tool: 'get_weather', input: { city: 'Rome' } }),
        /"c1" has to hold a name and an input, and its name is nothing/,
        2,
      ),
      'no input': createBadExample(
        calling({ name: 'get_weather', arguments: {} }),
        /its input is nothing/,
        2,
      ),
      'a text as input': createBadExample(
        calling({ name: 'get_weather', input: '{"city":"Rome"}' }),
        /its input is "\{/,
        2,
      ),
    },
  },
  'calls/registered': {
    good: {
      registered: open(),
      'tools of another kind': buildExchanges()
        .create({ task: 'x', additional_tools: { other: {} } })
        .poll(0, { events: [one] }),
      'the beginning is not on record': buildExchanges().poll(0, { events: [one] }),
    },
    bad: {
      'another tool': createBadExample(
        calling({ name: 'get_time', input: {} }),
        /"c1" is for the tool "get_time", and the task has "get_weather"/,
        2,
      ),
      'no tools at all': createBadExample(
        buildExchanges()
          .create()
          .poll(0, { events: [one] }),
        /the task has none/,
        2,
      ),
    },
  },
  'calls/input': {
    good: {
      'it fits': open(),
      'a schema that cannot be read': buildExchanges()
        .create({ task: 'x', custom_tools: [{ ...TOOL, inputs: { type: 'nonsense' } }] })
        .poll(0, { events: [one] }),
      'a format, which is a hint': buildExchanges()
        .create({
          task: 'x',
          custom_tools: [{ ...TOOL, inputs: { properties: { city: { format: 'email' } } } }],
        })
        .poll(0, { events: [one] }),
    },
    bad: {
      'a part is missing': createBadExample(
        calling({ name: 'get_weather', input: {} }),
        /does not fit the schema of "get_weather": .*required property/,
        2,
      ),
      'a wrong type': createBadExample(
        calling({ name: 'get_weather', input: { city: 7 } }),
        /\/city must be string/,
        2,
      ),
    },
  },
  'calls/after-the-end': {
    good: {
      'it came with the end': buildExchanges()
        .createWithTool()
        .complete(0, { events: [one] }),
      'read again': open()
        .sendReply('c1')
        .complete(toTimestamp(1000))
        .poll(0, {
          status: 'done',
          recording_url: '',
          credits_used: 3,
          output: 'It is done.',
          events: [one],
        }),
    },
    bad: {
      afterwards: createBadExample(
        open()
          .sendReply('c1')
          .complete(toTimestamp(1000))
          .complete(toTimestamp(1000), { events: [two] }),
        /was "done" in the response to exchange 4, and the call "c2" was listed afterwards/,
        4,
        5,
      ),
    },
  },
  'calls/waited-for': {
    good: {
      'it waits': open().poll(toTimestamp(1000)).sendReply('c1').complete(toTimestamp(1000)),
      'it gives up in the end': open().wait(60_000).complete(toTimestamp(1000)),
      'it gives up soon after a poll that is late': buildExchanges()
        .createWithTool()
        .poll(0)
        .wait(2000)
        .poll(0, { events: [one] })
        .complete(toTimestamp(1000)),
      'it failed': open().complete(toTimestamp(1000), { status: 'failed' }),
      'a reply that was lost': open().sendReply('c1', 200, null).complete(toTimestamp(1000)),
      'a refused reply beside one that is taken': open()
        .sendReply('c1', 600, REFUSED)
        .sendReply('c1')
        .complete(toTimestamp(1000)),
      'it was stopped': open().stop().complete(toTimestamp(1000), { status: 'cancelled' }),
      'by the deprecated update': open()
        .addExchange(
          { method: 'PUT', path: '/task/t1', body: { tool_response: { id: 'c1', code: 200, output: '1' } } },
          { body: { r: true } },
        )
        .complete(toTimestamp(1000)),
    },
    bad: {
      'it does not wait': createBadExample(
        open().complete(toTimestamp(1000)),
        /done while the call "c1" had no reply/,
        2,
        3,
      ),
      'not for the second': createBadExample(
        buildExchanges()
          .createWithTool()
          .poll(0, { events: [one, two] })
          .sendReply('c1')
          .complete(toTimestamp(2000)),
        /the call "c2" had no reply/,
        2,
        4,
      ),
      'a reply that was refused': createBadExample(
        open().sendReply('c1', 600, REFUSED).complete(toTimestamp(1000)),
        /the call "c1" had no reply/,
        2,
        4,
      ),
      'long after the first': createBadExample(
        open()
          .wait(60_000)
          .sendReply('c1')
          .poll(toTimestamp(1000))
          .poll(toTimestamp(1000), { events: [two] })
          .complete(toTimestamp(2000)),
        /the call "c2" had no reply/,
        5,
        6,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'it does not wait',
        insertUnreadEvent(2),
        /exchange 3 is not recorded as a whole/,
      ),
      'exchanges are missing': leaveUndecided(
        'it does not wait',
        markMissingBefore(3),
        /exchanges next to 3/,
      ),
    },
  },
  'calls/reply-accepted': {
    good: {
      taken: open().sendReply('c1').complete(toTimestamp(1000)),
      'it was over a moment before': open()
        .sendReply('c1', 200, GONE)
        .complete(toTimestamp(1000), { status: 'failed' }),
      'without a timestamp': open().reply('c1', { code: 200, output: 1 }, REFUSED).poll(toTimestamp(1000)),
      repeated: open().sendReply('c1').sendReply('c1', 200, GONE).poll(toTimestamp(1000)),
      'a minute late': open().wait(60_000).sendReply('c1', 200, REFUSED).poll(toTimestamp(62_000)),
      'one of two is taken, and its response comes after a poll': open()
        .sendReply('c1', 200, REFUSED)
        .poll(toTimestamp(1000))
        .sendReply('c1'),
    },
    bad: {
      refused: createBadExample(
        open().sendReply('c1', 200, REFUSED).poll(toTimestamp(1000)),
        /"c1" with code 200 was refused with 422, and the task is running/,
        3,
        4,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided('refused', insertUnreadEvent(2), /exchange 3 is not recorded/),
    },
  },
  'calls/error-reply-accepted': {
    good: {
      'another call follows': open()
        .sendReply('c1', 400)
        .poll(toTimestamp(1000), { events: [two] }),
      'the task ends': open().sendReply('c1', 500).complete(toTimestamp(1000), { status: 'failed' }),
    },
    bad: {
      refused: createBadExample(
        open().sendReply('c1', 400, REFUSED).poll(toTimestamp(1000)),
        /with code 400 was refused with 422/,
        3,
        4,
      ),
      'refused as an error of the server': createBadExample(
        open().sendReply('c1', 500, GONE).poll(toTimestamp(1000)),
        /with code 500 was refused with 400/,
        3,
        4,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided('refused', insertUnreadEvent(2), /exchange 3 is not recorded/),
    },
  },
};

import type { Examples } from '../../../test/support/rules/example.js';
import { missingBefore, undecided, unreadEvent } from '../../../test/support/rules/open.js';
import { at, bad, called, REFUSED, TOOL, talk } from '../../../test/support/rules/service-talk.js';

const one = called('c1', 1000);
const two = called('c2', 2000);
const calling = (payload: unknown) =>
  talk()
    .withTool()
    .poll(0, { events: [called('c1', 1000, payload)] });
const open = () =>
  talk()
    .withTool()
    .poll(0, { events: [one] });
const GONE = { status: 400, body: { detail: 'It is over.' } };

export const examples: Examples = {
  'calls/payload': {
    good: {
      whole: open(),
      'an echo of the reply': open()
        .answer('c1')
        .poll(at(1000), { events: [called('c1', 2000, { code: 200, output: 21 })] }),
    },
    bad: {
      'no name': bad(
        calling({ tool: 'get_weather', input: { city: 'Rome' } }),
        /"c1" has to hold a name and an input, and its name is nothing/,
        2,
      ),
      'no input': bad(calling({ name: 'get_weather', arguments: {} }), /its input is nothing/, 2),
      'a text as input': bad(
        calling({ name: 'get_weather', input: '{"city":"Rome"}' }),
        /its input is "\{/,
        2,
      ),
    },
  },
  'calls/registered': {
    good: {
      registered: open(),
      'tools of another kind': talk()
        .create({ task: 'x', additional_tools: { other: {} } })
        .poll(0, { events: [one] }),
      'the beginning is not on record': talk().poll(0, { events: [one] }),
    },
    bad: {
      'another tool': bad(
        calling({ name: 'get_time', input: {} }),
        /"c1" is for the tool "get_time", and the task has "get_weather"/,
        2,
      ),
      'no tools at all': bad(
        talk()
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
      'a schema that cannot be read': talk()
        .create({ task: 'x', custom_tools: [{ ...TOOL, inputs: { type: 'nonsense' } }] })
        .poll(0, { events: [one] }),
      'a format, which is a hint': talk()
        .create({
          task: 'x',
          custom_tools: [{ ...TOOL, inputs: { properties: { city: { format: 'email' } } } }],
        })
        .poll(0, { events: [one] }),
    },
    bad: {
      'a part is missing': bad(
        calling({ name: 'get_weather', input: {} }),
        /does not fit the schema of "get_weather": .*required property/,
        2,
      ),
      'a wrong type': bad(calling({ name: 'get_weather', input: { city: 7 } }), /\/city must be string/, 2),
    },
  },
  'calls/after-the-end': {
    good: {
      'it came with the end': talk()
        .withTool()
        .end(0, { events: [one] }),
      'read again': open()
        .answer('c1')
        .end(at(1000))
        .poll(0, {
          status: 'done',
          recording_url: '',
          credits_used: 3,
          output: 'It is done.',
          events: [one],
        }),
    },
    bad: {
      afterwards: bad(
        open()
          .answer('c1')
          .end(at(1000))
          .end(at(1000), { events: [two] }),
        /was "done" in the response to exchange 4, and the call "c2" came afterwards/,
        4,
        5,
      ),
    },
  },
  'calls/waited-for': {
    good: {
      'it waits': open().poll(at(1000)).answer('c1').end(at(1000)),
      'it gives up in the end': open().wait(60_000).end(at(1000)),
      'it failed': open().end(at(1000), { status: 'failed' }),
      'a reply that was lost': open().answer('c1', 200, null).end(at(1000)),
      'it was stopped': open().stop().end(at(1000), { status: 'cancelled' }),
      'by the deprecated update': open()
        .ask(
          { method: 'PUT', path: '/task/t1', body: { tool_response: { id: 'c1', code: 200, output: '1' } } },
          { body: { r: true } },
        )
        .end(at(1000)),
    },
    bad: {
      'it does not wait': bad(open().end(at(1000)), /done while the call "c1" had no reply/, 2, 3),
      'not for the second': bad(
        talk()
          .withTool()
          .poll(0, { events: [one, two] })
          .answer('c1')
          .end(at(2000)),
        /the call "c2" had no reply/,
        2,
        4,
      ),
    },
    open: {
      'a body is not recorded': undecided(
        'it does not wait',
        unreadEvent(2),
        /exchange 3 is not recorded as a whole/,
      ),
      'exchanges are missing': undecided('it does not wait', missingBefore(3), /exchanges next to 3/),
    },
  },
  'calls/reply-taken': {
    good: {
      taken: open().answer('c1').end(at(1000)),
      'it was over a moment before': open().answer('c1', 200, GONE).end(at(1000), { status: 'failed' }),
      'without a timestamp': open().reply('c1', { code: 200, output: 1 }, REFUSED).poll(at(1000)),
      repeated: open().answer('c1').answer('c1', 200, GONE).poll(at(1000)),
    },
    bad: {
      refused: bad(
        open().answer('c1', 200, REFUSED).poll(at(1000)),
        /"c1" with code 200 was refused with 422, and the task is running/,
        3,
        4,
      ),
    },
    open: {
      'a body is not recorded': undecided('refused', unreadEvent(2), /exchange 3 is not recorded/),
    },
  },
  'calls/error-reply-taken': {
    good: {
      'another call follows': open()
        .answer('c1', 400)
        .poll(at(1000), { events: [two] }),
      'the task ends': open().answer('c1', 500).end(at(1000), { status: 'failed' }),
    },
    bad: {
      refused: bad(
        open().answer('c1', 400, REFUSED).poll(at(1000)),
        /with code 400 was refused with 422/,
        3,
        4,
      ),
      'refused as an error of the server': bad(
        open().answer('c1', 500, GONE).poll(at(1000)),
        /with code 500 was refused with 400/,
        3,
        4,
      ),
    },
    open: {
      'a body is not recorded': undecided('refused', unreadEvent(2), /exchange 3 is not recorded/),
    },
  },
};

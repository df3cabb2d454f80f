import type { Examples } from '../../../test/support/rules/example.js';
import { undecided, unreadEvent } from '../../../test/support/rules/open.js';
import { at, bad, called, result, talk } from '../../../test/support/rules/service-talk.js';
import { GOTO } from '../../../test/support/rules/talk.js';

const one = called('c1', 1000);
const read = (...events: unknown[]) => talk().withTool().poll(0, { events });
const two = called('c2', 2000);
const FIRST = at(1000);

export const examples: Examples = {
  'events/array': {
    good: {
      'an array': read(),
      'left out where there are none': talk()
        .create()
        .poll(0, { events: null as never }),
    },
    bad: {
      'an object': bad(
        talk()
          .create()
          .poll(0, { events: { c1: one } as never }),
        /have to be an array/,
        2,
      ),
    },
  },
  'events/fields': {
    good: { whole: read(one), 'fields beyond them': read({ ...one, kind: 'x' }) },
    bad: {
      'a number for an id': bad(read({ ...one, id: 1 }), /An event has 1 for its id/, 2),
      'no payload': bad(
        read({ ...one, payload: undefined }),
        /payload of the event "c1" has to be an object, and nothing came/,
        2,
      ),
      'no timestamp': bad(read({ ...one, timestamp: undefined }), /"c1" has no timestamp/, 2),
    },
  },
  'events/name': {
    good: { 'one of the three': read(one) },
    bad: {
      'another one': bad(read({ ...one, name: 'tool_use' }), /"c1" has the name "tool_use": it is one of/, 2),
      none: bad(read({ ...one, name: undefined }), /has the name nothing/, 2),
    },
  },
  'events/timestamp': {
    good: { ms: read(one), 'the clock of a test': read({ ...one, timestamp: 1_500_000_000_000 }) },
    bad: {
      seconds: bad(read({ ...one, timestamp: 1_767_225_601 }), /timestamp 1767225601: it has to be/, 2),
      'a counter': bad(read({ ...one, timestamp: 1 }), /timestamp 1: it has to be/, 2),
      µs: bad(read({ ...one, timestamp: at(1000) * 1000 }), /not in s or µs/, 2),
      'a fraction': bad(read({ ...one, timestamp: at(1000) + 0.5 }), /has to be an integer/, 2),
      'a text': bad(
        read({ ...one, timestamp: new Date(at(1000)).toISOString() }),
        /"2026-.*has to be an integer/,
        2,
      ),
      'another age': bad(
        read({ ...one, timestamp: 200_000_000_000 }),
        /timestamp 200000000000: it has to be/,
        2,
      ),
    },
  },
  'event-ids/own': {
    good: {
      'read again as it was': read(one).poll(0, { events: [one] }),
      'what is told beside it changes': read(one).poll(0, {
        events: [called('c1', 1000, { name: 'get_weather', input: { city: 'Rome' }, answered: true })],
      }),
      'a result has the id of its action': talk()
        .session()
        .send('a', 'browser_action', GOTO)
        .poll(0, {
          events: [{ id: 'a', name: 'browser_action', payload: GOTO, timestamp: at(10) }, result('a', 2000)],
        })
        .poll(0, {
          events: [{ id: 'a', name: 'browser_action', payload: GOTO, timestamp: at(10) }, result('a', 2000)],
        }),
      'an action that was sent twice': talk()
        .session()
        .send('a', 'browser_action', GOTO)
        .send('a', 'browser_action', GOTO)
        .poll(0, { events: [result('a', 2000), result('a', 2001)] }),
      'a reply that is shown again': talk()
        .withTool()
        .poll(0, { events: [one] })
        .answer('c1')
        .poll(FIRST, { events: [result('c1', 2000, { code: 200, output: 21 }, 'tool_call')] }),
    },
    bad: {
      'two calls': bad(
        read(one).poll(FIRST, { events: [{ ...two, id: 'c1' }] }),
        /The call "c1" is listed once of \d+ and once of/,
        2,
        3,
      ),
      'listed twice': bad(read(one, one), /"c1" is listed twice in one response/, 2),
      'another input': bad(
        read(one).poll(0, { events: [called('c1', 1000, { name: 'get_weather', input: { city: 'Oslo' } })] }),
        /with another payload than before/,
        2,
        3,
      ),
      'another result': bad(
        talk()
          .session()
          .send('a', 'browser_action', GOTO)
          .poll(0, { events: [result('a', 2000)] })
          .poll(0, { events: [result('a', 2000, { code: 500, output: 'no' })] }),
        /The result "a" is listed with another payload/,
        3,
        4,
      ),
    },
    open: {
      'a body is not recorded': undecided('another result', unreadEvent(2), /exchange 3 is not recorded/),
    },
  },
  'event-ids/of-this-task': {
    good: {
      'its own': talk()
        .session()
        .send('a', 'browser_action', GOTO)
        .poll(0, { events: [result('a', 2000)] }),
      'an id that was given twice': talk()
        .session()
        .send('a', 'browser_action', GOTO)
        .session({ id: 't2' })
        .ask(
          {
            method: 'POST',
            path: '/task/t2/event',
            body: { id: 'a', name: 'browser_action', payload: GOTO },
          },
          { body: { r: { id: 'a' } } },
        )
        .poll(0, { events: [result('a', 2000)] }),
    },
    bad: {
      'of another session': bad(
        talk()
          .session()
          .session({ id: 't2' })
          .ask(
            {
              method: 'POST',
              path: '/task/t2/event',
              body: { id: 'b', name: 'browser_action', payload: GOTO },
            },
            { body: { r: { id: 'b' } } },
          )
          .poll(0, { events: [result('b', 2000)] }),
        /The task "t1" lists an event with the id "b", which was sent to another task/,
        4,
      ),
    },
    open: {
      'a body is not recorded': undecided('of another session', unreadEvent(3), /exchange 4 is not recorded/),
    },
  },
};

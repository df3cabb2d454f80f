import type { RuleExamples } from '../../../test/support/rules/example.js';
import { GOTO } from '../../../test/support/rules/exchange-builder.js';
import { insertUnreadEvent, leaveUndecided } from '../../../test/support/rules/open.js';
import {
  buildExchanges,
  createBadExample,
  createCallEvent,
  createResultEvent,
  toTimestamp,
} from '../../../test/support/rules/service-exchange-builder.js';

const one = createCallEvent('c1', 1000);
const read = (...events: unknown[]) => buildExchanges().createWithTool().poll(0, { events });
const two = createCallEvent('c2', 2000);
const FIRST = toTimestamp(1000);

export const examples: RuleExamples = {
  'events/array': {
    good: {
      'an array': read(),
      'left out where there are none': buildExchanges()
        .create()
        .poll(0, { events: null as never }),
    },
    bad: {
      'an object': createBadExample(
        buildExchanges()
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
      'a number for an id': createBadExample(read({ ...one, id: 1 }), /An event has 1 for its id/, 2),
      'no payload': createBadExample(
        read({ ...one, payload: undefined }),
        /payload of the event "c1" has to be an object, but is nothing/,
        2,
      ),
      'no timestamp': createBadExample(read({ ...one, timestamp: undefined }), /"c1" has no timestamp/, 2),
    },
  },
  'events/name': {
    good: { 'one of the three': read(one) },
    bad: {
      'another one': createBadExample(
        read({ ...one, name: 'tool_use' }),
        /"c1" has the name "tool_use": it is one of/,
        2,
      ),
      none: createBadExample(read({ ...one, name: undefined }), /has the name nothing/, 2),
    },
  },
  'events/timestamp': {
    good: { ms: read(one), 'the clock of a test': read({ ...one, timestamp: 1_500_000_000_000 }) },
    bad: {
      seconds: createBadExample(
        read({ ...one, timestamp: 1_767_225_601 }),
        /timestamp 1767225601: it has to be/,
        2,
      ),
      'a counter': createBadExample(read({ ...one, timestamp: 1 }), /timestamp 1: it has to be/, 2),
      µs: createBadExample(read({ ...one, timestamp: toTimestamp(1000) * 1000 }), /not in s or µs/, 2),
      'a fraction': createBadExample(
        read({ ...one, timestamp: toTimestamp(1000) + 0.5 }),
        /has to be an integer/,
        2,
      ),
      'a text': createBadExample(
        read({ ...one, timestamp: new Date(toTimestamp(1000)).toISOString() }),
        /"2026-.*has to be an integer/,
        2,
      ),
      'another age': createBadExample(
        read({ ...one, timestamp: 200_000_000_000 }),
        /timestamp 200000000000: it has to be/,
        2,
      ),
    },
  },
  'event-ids/own': {
    good: {
      'read again as it was': read(one).poll(0, { events: [one] }),
      'other fields change': read(one).poll(0, {
        events: [
          createCallEvent('c1', 1000, { name: 'get_weather', input: { city: 'Rome' }, answered: true }),
        ],
      }),
      'a result has the id of its action': buildExchanges()
        .createSession()
        .send('a', 'browser_action', GOTO)
        .poll(0, {
          events: [
            { id: 'a', name: 'browser_action', payload: GOTO, timestamp: toTimestamp(10) },
            createResultEvent('a', 2000),
          ],
        })
        .poll(0, {
          events: [
            { id: 'a', name: 'browser_action', payload: GOTO, timestamp: toTimestamp(10) },
            createResultEvent('a', 2000),
          ],
        }),
      'an action that was sent twice': buildExchanges()
        .createSession()
        .send('a', 'browser_action', GOTO)
        .send('a', 'browser_action', GOTO)
        .poll(0, { events: [createResultEvent('a', 2000), createResultEvent('a', 2001)] }),
      'a reply that is shown again': buildExchanges()
        .createWithTool()
        .poll(0, { events: [one] })
        .sendReply('c1')
        .poll(FIRST, { events: [createResultEvent('c1', 2000, { code: 200, output: 21 }, 'tool_call')] }),
    },
    bad: {
      'two calls': createBadExample(
        read(one).poll(FIRST, { events: [{ ...two, id: 'c1' }] }),
        /The call "c1" is listed once of \d+ and once of/,
        2,
        3,
      ),
      'listed twice': createBadExample(read(one, one), /"c1" is listed twice in one response/, 2),
      'another input': createBadExample(
        read(one).poll(0, {
          events: [createCallEvent('c1', 1000, { name: 'get_weather', input: { city: 'Oslo' } })],
        }),
        /with another payload than before/,
        2,
        3,
      ),
      'another result': createBadExample(
        buildExchanges()
          .createSession()
          .send('a', 'browser_action', GOTO)
          .poll(0, { events: [createResultEvent('a', 2000)] })
          .poll(0, { events: [createResultEvent('a', 2000, { code: 500, output: 'no' })] }),
        /The result "a" is listed with another payload/,
        3,
        4,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'another result',
        insertUnreadEvent(2),
        /exchange 3 is not recorded/,
      ),
    },
  },
  'event-ids/of-this-task': {
    good: {
      'its own': buildExchanges()
        .createSession()
        .send('a', 'browser_action', GOTO)
        .poll(0, { events: [createResultEvent('a', 2000)] }),
      'an id that was given twice': buildExchanges()
        .createSession()
        .send('a', 'browser_action', GOTO)
        .createSession({ id: 't2' })
        .addExchange(
          {
            method: 'POST',
            path: '/task/t2/event',
            body: { id: 'a', name: 'browser_action', payload: GOTO },
          },
          { body: { r: { id: 'a' } } },
        )
        .poll(0, { events: [createResultEvent('a', 2000)] }),
    },
    bad: {
      'of another session': createBadExample(
        buildExchanges()
          .createSession()
          .createSession({ id: 't2' })
          .addExchange(
            {
              method: 'POST',
              path: '/task/t2/event',
              body: { id: 'b', name: 'browser_action', payload: GOTO },
            },
            { body: { r: { id: 'b' } } },
          )
          .poll(0, { events: [createResultEvent('b', 2000)] }),
        /The task "t1" lists an event with the id "b", which was sent to another task/,
        4,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'of another session',
        insertUnreadEvent(3),
        /exchange 4 is not recorded/,
      ),
    },
  },
};

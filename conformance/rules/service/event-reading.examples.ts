import type { RuleExamples } from '../../../test/support/rules/example.js';
import { GOTO } from '../../../test/support/rules/exchange-builder.js';
import { leaveUndecided, markMissingBefore } from '../../../test/support/rules/open.js';
import {
  buildExchanges,
  createBadExample,
  createCallEvent,
  createResultEvent,
  toTimestamp,
} from '../../../test/support/rules/service-exchange-builder.js';

const one = createCallEvent('c1', 1000);
const two = createCallEvent('c2', 2000);
const three = createCallEvent('c3', 3000);
const read = (...events: unknown[]) => buildExchanges().createWithTool().poll(0, { events });
const [FIRST, SECOND] = [toTimestamp(1000), toTimestamp(2000)];

export const examples: RuleExamples = {
  'reading/after': {
    good: {
      'later ones only': read(one)
        .poll(FIRST, { events: [two] })
        .poll(SECOND),
      'from the start': read(one).poll(undefined, { events: [one] }),
    },
    bad: {
      'that very one': createBadExample(
        read(one).poll(FIRST, { events: [one] }),
        /event_t=\d+ lists the event "c1"/,
        3,
      ),
      'all of them': createBadExample(
        read(one, two).poll(SECOND, { events: [one, two] }),
        /lists the event "c1"/,
        3,
      ),
    },
  },
  'reading/ascending': {
    good: {
      'by time': read(one, two),
      'two of the same instant': read(one, { ...two, timestamp: FIRST }),
    },
    bad: { 'newest first': createBadExample(read(two, one), /"c1" of \d+ is listed after "c2"/, 2) },
  },
  'reading/all': {
    good: {
      'all of them': read(one)
        .poll(FIRST, { events: [two] })
        .poll(0, { events: [one, two] })
        .poll(undefined, { events: [one, two] }),
      'old ones are forgotten': read(one, two)
        .wait(60_000)
        .poll(0, { events: [two] }),
      'all of it deleted': read(one)
        .addExchange({ method: 'DELETE', path: '/task/t1/data' }, { body: { r: true } })
        .poll(0),
    },
    bad: {
      'given out once': createBadExample(
        read(one).poll(0),
        /with event_t=0 does not list the tool_call "c1"/,
        2,
        3,
      ),
      'the newest only': createBadExample(
        read(one, two).poll(undefined, { events: [two] }),
        /without event_t does not list/,
        2,
        3,
      ),
      'with another payload': createBadExample(
        buildExchanges()
          .createSession()
          .send('a', 'browser_action', GOTO)
          .poll(0, { events: [createResultEvent('a', 2000)] })
          .poll(0, { events: [createResultEvent('a', 2000, { name: 'goto', url: 'https://example.com' })] }),
        /lists the event "a" otherwise than exchange 3 has shown it: it was .*"code":200.* and is .*"goto"/,
        3,
        4,
      ),
      'a gap, however late': createBadExample(
        read(one, two)
          .wait(60_000)
          .poll(0, { events: [one] })
          .poll(0, { events: [one, three] }),
        /"c2"/,
        2,
        3,
        4,
      ),
    },
    open: {
      'exchanges are missing': leaveUndecided('given out once', markMissingBefore(3), /exchanges next to 3/),
    },
  },
  'reading/since': {
    good: {
      'all after that': read(one, two).poll(FIRST, { events: [two] }),
      'nothing new': read(one).poll(FIRST),
    },
    bad: {
      'not all after that': createBadExample(
        read(one, two).poll(FIRST),
        /does not list the tool_call "c2"/,
        2,
        3,
      ),
    },
    open: {
      'exchanges are missing': leaveUndecided(
        'not all after that',
        markMissingBefore(3),
        /exchanges next to 3/,
      ),
    },
  },
  'reading/lossless': {
    good: {
      'later ones come later': read(one).poll(FIRST, { events: [two] }),
      'what the client sent is shown again, under its own time': buildExchanges()
        .createSession()
        .send('a', 'browser_action', GOTO)
        .poll(0, { events: [createResultEvent('a', 2000)] })
        .poll(0, {
          events: [
            { id: 'a', name: 'browser_action', payload: GOTO, timestamp: toTimestamp(10) },
            createResultEvent('a', 2000),
          ],
        }),
      'a poll that did not ask for it': read(one, two)
        .poll(SECOND, { events: [three] })
        .poll(0, { events: [one, two, three] }),
    },
    bad: {
      'of a time that has passed': createBadExample(
        read(two).poll(0, { events: [one, two] }),
        /"c1" of \d+ was not there when exchange 2 listed events up to/,
        2,
        3,
      ),
      'of the same instant': createBadExample(
        read(one).poll(0, { events: [one, { ...two, timestamp: FIRST }] }),
        /"c2".*never reads it/,
        2,
        3,
      ),
      'left out of the increments': createBadExample(
        read(one)
          .poll(FIRST, { events: [three] })
          .poll(0, { events: [one, two, three] }),
        /"c2" of \d+ was not there when exchange 3/,
        3,
        4,
      ),
    },
  },
};

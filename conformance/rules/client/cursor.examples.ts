import type { RuleExamples } from '../../../test/support/rules/example.js';
import {
  createToolCall,
  ExchangeBuilder,
  GOTO,
  START_MS,
} from '../../../test/support/rules/exchange-builder.js';
import {
  changeClient,
  insertUnreadPoll,
  leaveUndecided,
  markMissingBefore,
} from '../../../test/support/rules/open.js';

const ask = { path: '/task/t1?event_t=0' };
const at = (n: number) => START_MS + n;
const called = (...ns: number[]) => ({ events: ns.map((n) => createToolCall(`c${n}`, n)) });
const result = (id: string, n: number) => ({
  id,
  name: 'browser_action',
  payload: { code: 200, output: null },
  timestamp: at(n),
});
const twoResults = () =>
  new ExchangeBuilder()
    .create({ task: null })
    .sendAction('a')
    .poll(0, { events: [result('a', 2000)] });
const threeCalls = () =>
  new ExchangeBuilder()
    .create()
    .poll(0, { events: [createToolCall('a', 2000), createToolCall('b', 2001), createToolCall('c', 2004)] });

export const examples: RuleExamples = {
  'polling/event-t': {
    good: {
      'follows the events': twoResults()
        .poll(at(2000))
        .poll(at(2000), { events: [result('b', 3000)] })
        .poll(at(3000)),
      'reads again what it knows': twoResults().poll(at(1999)).poll(at(2000)),
      'a conversation that began earlier': new ExchangeBuilder().poll(at(9999)).poll(at(9999)),
      'a response that was not kept': new ExchangeBuilder()
        .create()
        .addExchange(ask, { status: 202, body: '{"r": {"events": […', left_out: 70_000 })
        .poll(at(9999)),
    },
    bad: {
      'another field of the task': {
        talk: new ExchangeBuilder()
          .create()
          .poll(0, { created_at: at(7), ...called(5) })
          .reply('c5')
          .poll(at(7)),
        says: /the last event returned is of 1767225600005\. Send the timestamp of the last event, 1767225600005/,
        evidence: [2, 4],
      },
      'its own clock': {
        talk: new ExchangeBuilder()
          .create()
          .poll(0)
          .poll(START_MS + 1000),
        says: /no event was returned so far\. Send 0/,
        evidence: [3],
      },
      'the timestamp of what it sent': {
        talk: new ExchangeBuilder()
          .create({ task: null })
          .sendEvent({ id: 'a', name: 'browser_action', payload: GOTO, timestamp: at(99_000) })
          .poll(at(99_000)),
        says: /but no event was returned so far\. Send 0/,
        evidence: [3],
      },
      seconds: {
        talk: twoResults().poll(1_767_225_602),
        says: /event_t is 1767225602, but the last event returned is of 1767225602000; it looks like seconds\. Send .* 1767225602000/,
        evidence: [3, 4],
      },
      'seconds before any event': {
        talk: new ExchangeBuilder().create().poll(1_767_225_600),
        says: /event_t is 1767225600, but no event was returned so far; it looks like seconds\. Send 0 until the first event comes/,
        evidence: [2],
      },
      'the number of events': {
        talk: twoResults().poll(1),
        says: /the last event returned is of \d+\. Send the timestamp/,
        evidence: [3, 4],
      },
      'no number': {
        talk: new ExchangeBuilder().create().poll('undefined'),
        says: /event_t is "undefined" and has to be an integer/,
        evidence: [2],
      },
    },
    open: {
      'a response is not recorded': leaveUndecided(
        'its own clock',
        insertUnreadPoll(2),
        /the response in exchange 3 is not recorded as a whole/,
      ),
      'exchanges are missing': leaveUndecided('its own clock', markMissingBefore(3), /exchanges next to 3/),
    },
  },
  'polling/event-t-missing': {
    good: {
      'nothing to read': new ExchangeBuilder()
        .create()
        .poll(undefined)
        .poll(undefined)
        .poll(undefined)
        .complete(undefined),
      'left out once': twoResults().poll(undefined).poll(at(2000)),
      'left out after the last event': new ExchangeBuilder()
        .create()
        .poll(0, called(5))
        .reply('c5')
        .poll(at(5))
        .poll(undefined)
        .poll(undefined),
      'read again after the end': new ExchangeBuilder()
        .create()
        .complete(undefined, { events: [result('a', 2000)] })
        .complete(undefined, { events: [result('a', 2000)] })
        .complete(undefined, { events: [result('a', 2000)] }),
      'sends it first in a poll after the end': new ExchangeBuilder()
        .create()
        .poll(undefined, { events: [result('a', 2000)] })
        .poll(undefined, { events: [result('a', 2000)] })
        .poll(undefined, { events: [result('a', 2000)] })
        .complete(undefined, { events: [result('a', 2000)] })
        .complete(at(2000)),
      'a reader of the status, beside one whose first poll is on its way': besideAFirstPoll(),
      'the result of the close alone': new ExchangeBuilder()
        .create({ task: null })
        .sendAction('z', { name: 'close' }, undefined, 'session_action')
        .poll(undefined, { events: [result('z', 2000)] })
        .poll(undefined, { events: [result('z', 2000)] })
        .poll(undefined, { events: [result('z', 2000)] }),
    },
    bad: {
      'never sends it': {
        talk: new ExchangeBuilder()
          .create({ task: null })
          .sendAction('a')
          .poll(undefined, { events: [result('a', 2000)] })
          .poll(undefined)
          .poll(undefined),
        says: /No poll has an event_t, although events up to 1767225602000/,
        evidence: [3, 4, 5],
      },
    },
    open: {
      'exchanges are missing': leaveUndecided('never sends it', markMissingBefore(3), /exchanges next to 3/),
    },
  },
  'polling/event-t-first': {
    good: {
      'the last': threeCalls().reply('a').reply('b').reply('c').poll(at(2004)),
      'not all are dealt with': threeCalls().reply('a').poll(at(2000)),
      'the last of a later response, which lists the first again': threeCalls()
        .reply('a')
        .reply('b')
        .reply('c')
        .poll(at(2004), { events: [createToolCall('d', 3000), createToolCall('a', 2000)] })
        .poll(at(2000)),
      'another reader, which has read no more yet': new ExchangeBuilder()
        .create()
        .poll(0, { events: [createToolCall('a', 2000)] })
        .reply('a')
        .poll(0, { events: [createToolCall('a', 2000), createToolCall('b', 2500)] })
        .reply('b')
        .poll(at(2000)),
      'a little again, of two that are close': new ExchangeBuilder()
        .create()
        .poll(0, { events: [createToolCall('a', 2000), createToolCall('b', 2001)] })
        .reply('a')
        .reply('b')
        .poll(at(2000)),
    },
    bad: {
      'the first': {
        talk: threeCalls().reply('a').reply('b').reply('c').poll(at(2000)),
        says: /the first of the 3 events in exchange 2.*Send the timestamp of the last, 1767225602004/,
        evidence: [2, 6],
      },
    },
    open: {
      'a response is not recorded': leaveUndecided(
        'the first',
        insertUnreadPoll(3),
        /exchange 4 is not recorded/,
      ),
    },
  },
  'polling/event-t-back': {
    good: {
      'starts anew once': twoResults()
        .poll(at(2000))
        .poll(0, { events: [result('a', 2000)] })
        .poll(at(2000)),
      'the last event of a response that lists an older one last': twoResults()
        .poll(at(2000), { events: [result('b', 3000)] })
        .poll(at(3000), { events: [result('c', 4000), result('a', 2000)] })
        .poll(at(2000)),
      'a number below 0, where no event was returned': new ExchangeBuilder().create().poll(-1).poll(-1),
      'asks for the files without it': twoResults()
        .poll(at(2000))
        .complete(at(2000))
        .poll(0, { status: 'done' }, 'downloads=true'),
    },
    bad: {
      'a late response': {
        talk: twoResults()
          .poll(at(2000), { events: [result('b', 3000)] })
          .poll(at(3000))
          .poll(at(2000)),
        says: /goes back from 1767225603000 to 1767225602000/,
        evidence: [5, 6],
      },
      'an older response that was overtaken': {
        talk: overtaken(),
        says: /goes back from 1767225603000 to 1767225602000/,
        evidence: [5, 6],
      },
      'forgets it after empty responses': {
        talk: twoResults().poll(at(2000)).poll(0).poll(at(2000)).poll(undefined).poll(at(2000)),
        says: /goes back from 1767225602000 to 0/,
        evidence: [6, 7],
      },
    },
    open: {
      'a response is not recorded': leaveUndecided(
        'a late response',
        insertUnreadPoll(3),
        /exchange 4 is not recorded/,
      ),
      'another client polls': leaveUndecided('a late response', changeClient(6), /another client/),
    },
  },
  'polling/event-t-still': {
    good: {
      'nothing came yet': new ExchangeBuilder().create().poll(0).poll(0).poll(0).poll(0),
      'the first response is thrown away': new ExchangeBuilder()
        .create()
        .poll(0, called(5))
        .poll(0, called(5))
        .reply('c5')
        .poll(at(5)),
      'the last event of responses that list the newest first': new ExchangeBuilder()
        .create({ task: null })
        .sendAction('a')
        .poll(0, { events: [result('b', 9000), result('a', 2000)] })
        .poll(at(2000), { events: [result('b', 9000), result('a', 2000)] })
        .poll(at(2000), { events: [result('b', 9000), result('a', 2000)] })
        .poll(at(2000), { events: [result('b', 9000), result('a', 2000)] })
        .poll(at(2000)),
      'a little overlap on purpose': twoResults().poll(at(1999)).poll(at(1999)).poll(at(1999)).poll(at(1999)),
    },
    bad: {
      'always sends 0': {
        talk: twoResults().poll(0).poll(0).poll(0),
        says: /^3 polls in a row have event_t=0/,
        evidence: [3, 4, 5, 6],
      },
      'always sends 0, for longer': {
        talk: twoResults().poll(0).poll(0).poll(0).poll(0).poll(0),
        says: /^5 polls in a row have event_t=0/,
        evidence: [3, 4, 5, 6, 7, 8],
      },
    },
    open: {
      'another client polls': leaveUndecided('always sends 0', changeClient(5), /another client/),
    },
  },
};

/** The response to the first poll arrives after that to the second, which had more events. */
function overtaken(): ExchangeBuilder {
  const talk = new ExchangeBuilder()
    .create({ task: null })
    .sendAction('a')
    .poll(0, { events: [result('a', 2000)] })
    .poll(0, { events: [result('a', 2000), result('b', 3000)] })
    .poll(at(3000))
    .poll(at(2000));
  const [, , late, , third] = talk.exchanges;
  late!.response!.at = third!.response!.at + 10;
  return talk;
}

/** The response to the first poll, which has an event_t, arrives after those to three polls without one. */
function besideAFirstPoll(): ExchangeBuilder {
  const talk = new ExchangeBuilder().create().poll(0, called(5));
  for (let n = 0; n < 3; n++) talk.poll(undefined, called(5));
  talk.exchanges[1]!.response!.at = talk.now + 5;
  return talk.reply('c5');
}

import type { Examples } from '../../../test/support/rules/example.js';
import { anotherClient, missingBefore, undecided, unreadPoll } from '../../../test/support/rules/open.js';
import { call, GOTO, START_MS, Talk } from '../../../test/support/rules/talk.js';

const ask = { path: '/task/t1?event_t=0' };
const at = (n: number) => START_MS + n;
const called = (...ns: number[]) => ({ events: ns.map((n) => call(`c${n}`, n)) });
const result = (id: string, n: number) => ({
  id,
  name: 'browser_action',
  payload: { code: 200, output: null },
  timestamp: at(n),
});
const twoResults = () =>
  new Talk()
    .create({ task: null })
    .action('a')
    .poll(0, { events: [result('a', 2000)] });
const threeCalls = () =>
  new Talk().create().poll(0, { events: [call('a', 2000), call('b', 2001), call('c', 2004)] });

export const examples: Examples = {
  'polling/event-t': {
    good: {
      'follows the events': twoResults()
        .poll(at(2000))
        .poll(at(2000), { events: [result('b', 3000)] })
        .poll(at(3000)),
      'reads again what it knows': twoResults().poll(at(1999)).poll(at(2000)),
      'a conversation that began earlier': new Talk().poll(at(9999)).poll(at(9999)),
      'an answer that was not kept': new Talk()
        .create()
        .ask(ask, { status: 202, body: '{"r": {"events": […', left_out: 70_000 })
        .poll(at(9999)),
    },
    bad: {
      'another field of the task': {
        talk: new Talk()
          .create()
          .poll(0, { created_at: at(7), ...called(5) })
          .reply('c5')
          .poll(at(7)),
        says: /the last event returned is of 1767225600005\. Send the timestamp of the last event, 1767225600005/,
        evidence: [2, 4],
      },
      'its own clock': {
        talk: new Talk()
          .create()
          .poll(0)
          .poll(START_MS + 1000),
        says: /no event was returned so far\. Send 0/,
        evidence: [3],
      },
      'the timestamp of what it sent': {
        talk: new Talk()
          .create({ task: null })
          .event({ id: 'a', name: 'browser_action', payload: GOTO, timestamp: at(99_000) })
          .poll(at(99_000)),
        says: /but no event was returned so far\. Send 0/,
        evidence: [3],
      },
      seconds: {
        talk: twoResults().poll(1_767_225_602),
        says: /event_t is 1767225602, but the last event returned is of 1767225602000; it looks like seconds\. Send .* 1767225602000/,
        evidence: [3, 4],
      },
      'seconds before any event came': {
        talk: new Talk().create().poll(1_767_225_600),
        says: /event_t is 1767225600, but no event was returned so far; it looks like seconds\. Send 0 until the first event comes/,
        evidence: [2],
      },
      'the number of events': {
        talk: twoResults().poll(1),
        says: /the last event returned is of \d+\. Send the timestamp/,
        evidence: [3, 4],
      },
      'no number': {
        talk: new Talk().create().poll('undefined'),
        says: /event_t is "undefined" and has to be an integer/,
        evidence: [2],
      },
    },
    open: {
      'a response is not recorded': undecided(
        'its own clock',
        unreadPoll(2),
        /the response in exchange 3 is not recorded as a whole/,
      ),
      'exchanges are missing': undecided('its own clock', missingBefore(3), /exchanges next to 3/),
    },
  },
  'polling/event-t-missing': {
    good: {
      'nothing to read': new Talk().create().poll(undefined).poll(undefined).poll(undefined).end(undefined),
      'left out once': twoResults().poll(undefined).poll(at(2000)),
      'left out after the last event': new Talk()
        .create()
        .poll(0, called(5))
        .reply('c5')
        .poll(at(5))
        .poll(undefined)
        .poll(undefined),
      'read again after the end': new Talk()
        .create()
        .end(undefined, { events: [result('a', 2000)] })
        .end(undefined, { events: [result('a', 2000)] })
        .end(undefined, { events: [result('a', 2000)] }),
      'a reader of the status, beside one whose first poll is on its way': besideAFirstPoll(),
      'the result of the close alone': new Talk()
        .create({ task: null })
        .action('z', { name: 'close' }, undefined, 'session_action')
        .poll(undefined, { events: [result('z', 2000)] })
        .poll(undefined, { events: [result('z', 2000)] })
        .poll(undefined, { events: [result('z', 2000)] }),
    },
    bad: {
      'never sends it': {
        talk: new Talk()
          .create({ task: null })
          .action('a')
          .poll(undefined, { events: [result('a', 2000)] })
          .poll(undefined)
          .poll(undefined),
        says: /No poll has an event_t, although events up to 1767225602000/,
        evidence: [3, 4, 5],
      },
    },
    open: {
      'exchanges are missing': undecided('never sends it', missingBefore(3), /exchanges next to 3/),
    },
  },
  'polling/event-t-first': {
    good: {
      'the last': threeCalls().reply('a').reply('b').reply('c').poll(at(2004)),
      'not all are dealt with': threeCalls().reply('a').poll(at(2000)),
      'the last of a later answer, which lists the first again': threeCalls()
        .reply('a')
        .reply('b')
        .reply('c')
        .poll(at(2004), { events: [call('d', 3000), call('a', 2000)] })
        .poll(at(2000)),
      'another reader, which has read no more yet': new Talk()
        .create()
        .poll(0, { events: [call('a', 2000)] })
        .reply('a')
        .poll(0, { events: [call('a', 2000), call('b', 2500)] })
        .reply('b')
        .poll(at(2000)),
      'a little again, of two that are close': new Talk()
        .create()
        .poll(0, { events: [call('a', 2000), call('b', 2001)] })
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
      'a response is not recorded': undecided('the first', unreadPoll(3), /exchange 4 is not recorded/),
    },
  },
  'polling/event-t-back': {
    good: {
      'starts anew once': twoResults()
        .poll(at(2000))
        .poll(0, { events: [result('a', 2000)] })
        .poll(at(2000)),
      'the last event of an answer that lists an older one last': twoResults()
        .poll(at(2000), { events: [result('b', 3000)] })
        .poll(at(3000), { events: [result('c', 4000), result('a', 2000)] })
        .poll(at(2000)),
      'a number below 0, where no event was returned': new Talk().create().poll(-1).poll(-1),
      'asks for the files without it': twoResults()
        .poll(at(2000))
        .end(at(2000))
        .poll(0, { status: 'done' }, 'downloads=true'),
    },
    bad: {
      'a late answer': {
        talk: twoResults()
          .poll(at(2000), { events: [result('b', 3000)] })
          .poll(at(3000))
          .poll(at(2000)),
        says: /goes back from 1767225603000 to 1767225602000/,
        evidence: [5, 6],
      },
      'an older answer that was overtaken': {
        talk: overtaken(),
        says: /goes back from 1767225603000 to 1767225602000/,
        evidence: [5, 6],
      },
      'forgets it over empty answers': {
        talk: twoResults().poll(at(2000)).poll(0).poll(at(2000)).poll(undefined).poll(at(2000)),
        says: /goes back from 1767225602000 to 0/,
        evidence: [6, 7],
      },
    },
    open: {
      'a response is not recorded': undecided('a late answer', unreadPoll(3), /exchange 4 is not recorded/),
      'another client polls': undecided('a late answer', anotherClient(6), /another client/),
    },
  },
  'polling/event-t-still': {
    good: {
      'nothing came yet': new Talk().create().poll(0).poll(0).poll(0).poll(0),
      'the first answer is thrown away': new Talk()
        .create()
        .poll(0, called(5))
        .poll(0, called(5))
        .reply('c5')
        .poll(at(5)),
      'the last event of answers that list the newest first': new Talk()
        .create({ task: null })
        .action('a')
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
        says: /in a row have event_t=0/,
        evidence: [3, 4, 5, 6],
      },
    },
    open: {
      'another client polls': undecided('always sends 0', anotherClient(5), /another client/),
    },
  },
};

/** The first poll for events is answered after the second one, which brought more. */
function overtaken(): Talk {
  const talk = new Talk()
    .create({ task: null })
    .action('a')
    .poll(0, { events: [result('a', 2000)] })
    .poll(0, { events: [result('a', 2000), result('b', 3000)] })
    .poll(at(3000))
    .poll(at(2000));
  const [, , late, , third] = talk.exchanges;
  late!.response!.at = third!.response!.at + 10;
  return talk;
}

/** The response to the first poll, which has an event_t, comes after those to three without one. */
function besideAFirstPoll(): Talk {
  const talk = new Talk().create().poll(0, called(5));
  for (let n = 0; n < 3; n++) talk.poll(undefined, called(5));
  talk.exchanges[1]!.response!.at = talk.now + 5;
  return talk.reply('c5');
}

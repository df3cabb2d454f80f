import type { RuleExamples } from '../../../test/support/rules/example.js';
import {
  createToolCall,
  ExchangeBuilder,
  START_MS,
  type TaskFields,
} from '../../../test/support/rules/exchange-builder.js';
import { changeClient, leaveUndecided } from '../../../test/support/rules/open.js';

const limited = (seconds: number) => ({
  status: 429,
  headers: { 'Retry-After': String(seconds) },
  body: { detail: 'slow' },
});
const ask = { path: '/task/t1?event_t=0' };
const at = (n: number) => START_MS + n;
const called = (...ns: number[]) => ({ events: ns.map((n) => createToolCall(`c${n}`, n)) });
const notReady = { recording_url: null };
const noLiveUrl = { live_url: null };

export const examples: RuleExamples = {
  'polling/after-the-end': {
    good: {
      'one more poll, sent again after a 429': new ExchangeBuilder()
        .create()
        .complete(0)
        .addExchange(ask, { status: 429 })
        .wait(1000)
        .complete(0),
      "polls of other readers, which is another rule's matter": ends(5),
      'waiting for the recording': new ExchangeBuilder()
        .create()
        .complete(0, notReady)
        .complete(0, notReady)
        .complete(0, notReady)
        .complete(0)
        .complete(0),
      'waiting for a live URL that has never come': ends(8, noLiveUrl),
      'files of the finished task': new ExchangeBuilder()
        .create()
        .complete(0)
        .poll(0, { status: 'done' }, 'downloads=true')
        .poll(0, { status: 'done' }, 'downloads=True')
        .poll(0, { status: 'done' }, 'downloads=1'),
      'a second reader that asks for the files': new ExchangeBuilder()
        .create()
        .complete(0)
        .complete(0)
        .complete(0)
        .poll(0, { status: 'done' }, 'downloads=true'),
      'two more readers that ask for the files': new ExchangeBuilder()
        .create()
        .complete(0)
        .complete(0)
        .poll(0, { status: 'done' }, 'downloads=true')
        .complete(0)
        .complete(0)
        .poll(0, { status: 'done' }, 'downloads=true')
        .complete(0),
      'a response that arrived too late to know': overlapping(),
    },
    bad: {
      'waits for a status that does not exist': {
        talk: ends(6),
        says: /"done" in the response to exchange 2.*"completed"/,
        evidence: [2, 3, 4, 5, 6, 7],
      },
      'continues to poll for long before it requests the files': {
        talk: ends(8).poll(0, {}, 'downloads=true'),
        says: /polled on/,
        evidence: [2, 3, 4, 5, 6, 7, 8, 9],
      },
      'for ever, for a recording that is never ready': {
        talk: ends(66, notReady),
        says: /polled on/,
        evidence: [2, 63, 64, 65, 66, 67],
      },
    },
    open: {
      'another client polls': leaveUndecided(
        'waits for a status that does not exist',
        changeClient(4),
        /exchange 4 shows that another client/,
      ),
    },
  },
  'polling/one-more': {
    good: {
      'the end is the last': new ExchangeBuilder().create().poll(0).complete(0),
      'one more for the recording': new ExchangeBuilder().create().complete(0, notReady).complete(0),
      'the files of the task': new ExchangeBuilder()
        .create()
        .complete(0)
        .poll(0, { status: 'done' }, 'downloads=true'),
      'the files of the task, by another reader': new ExchangeBuilder()
        .create()
        .complete(0)
        .complete(0)
        .poll(0, { status: 'done' }, 'downloads=true'),
    },
    bad: {
      'one more': {
        talk: new ExchangeBuilder().create().poll(0).complete(0).complete(0),
        says: /polled once more although it was "done" in the response to exchange 3/,
        evidence: [3, 4],
      },
      'by each of five readers': {
        talk: ends(5),
        says: /polled 4 times more although it was "done" in the response to exchange 2/,
        evidence: [2, 3, 4, 5, 6],
      },
    },
    open: {
      'another client polls': leaveUndecided('one more', changeClient(4), /another client/),
    },
  },
  'polling/pace': {
    good: {
      'a pause between polls': pollingEvery(150, 30),
      'at once while events come': pollingEvery(0, 30, (n) => called(n + 1)),
    },
    bad: {
      'no pause': {
        talk: pollingEvery(0, 6),
        says: /5 polls in a row came less than 100 ms after .* brought nothing\. Wait/,
        evidence: [3, 4, 5, 6, 7],
      },
      'no pause, for long': {
        talk: pollingEvery(0, 41),
        says: /^40 polls in a row came less/,
        evidence: Array.from({ length: 20 }, (_, n) => n + 3),
      },
      'no pause, for long and again for a shorter time': {
        talk: pollingEvery((n) => (n === 11 ? 1000 : 0), 18),
        says: /^10 polls in a row came less/,
        evidence: [...Array.from({ length: 10 }, (_, n) => n + 3), 14, 15, 16, 17, 18, 19],
      },
    },
  },
  'polling/retry-after': {
    good: {
      'waits that long': new ExchangeBuilder()
        .create()
        .addExchange(ask, limited(2))
        .wait(2000)
        .addExchange(ask, limited(2))
        .wait(1990)
        .poll(0),
      'a 429 that does not say': new ExchangeBuilder()
        .create()
        .addExchange(ask, { status: 429 })
        .wait(100)
        .addExchange(ask, { status: 429 }),
      'a Retry-After that cannot be read': new ExchangeBuilder()
        .create()
        .addExchange(ask, { status: 429, headers: { 'retry-after': 'soon' } })
        .poll(0),
    },
    bad: {
      'too soon': {
        talk: new ExchangeBuilder()
          .create()
          .addExchange(ask, limited(2))
          .wait(500)
          .addExchange(ask, limited(2))
          .wait(3000)
          .poll(0),
        says: /again 500 ms after a 429 that asked for 2000 ms/,
        evidence: [2, 3],
      },
    },
  },
};

/** Three polls are pending at the end of the task; each of their responses reports it. */
function overlapping(): ExchangeBuilder {
  const talk = new ExchangeBuilder().create();
  for (let n = 0; n < 4; n++) talk.complete(0);
  for (const { request, response } of talk.exchanges.slice(1)) {
    request.at = START_MS + 100;
    response!.at = START_MS + 900;
  }
  return talk;
}

/** `count` polls show a terminal status. */
function ends(count: number, response: TaskFields = {}): ExchangeBuilder {
  const talk = new ExchangeBuilder().create();
  for (let n = 0; n < count; n++) talk.complete(0, response);
  return talk;
}

function pollingEvery(
  pause: number | ((n: number) => number),
  times: number,
  readFields: (n: number) => TaskFields = () => ({}),
): ExchangeBuilder {
  const talk = new ExchangeBuilder().create();
  for (let n = 0; n < times; n++) {
    const { exchanges } = talk.poll(n === 0 || !readFields(0).events ? 0 : at(n), readFields(n));
    // The builder places a poll half a second after the exchange before.
    const before = exchanges.at(-2)!.response!.at;
    const { request, response } = exchanges.at(-1)!;
    request.at = before + (typeof pause === 'number' ? pause : pause(n));
    response!.at = request.at + 5;
  }
  return talk;
}

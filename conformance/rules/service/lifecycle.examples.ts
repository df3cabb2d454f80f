import type { RuleExamples } from '../../../test/support/rules/example.js';
import {
  changeClient,
  insertUnreadEvent,
  insertUnreadPoll,
  leaveUndecided,
  markMissingBefore,
} from '../../../test/support/rules/open.js';
import {
  buildExchanges,
  createBadExample,
  createCallEvent,
  LIVE,
  MISSING,
} from '../../../test/support/rules/service-exchange-builder.js';

const visibility = (value: boolean, response: unknown = value) =>
  buildExchanges()
    .create()
    .addExchange(
      { method: 'POST', path: `/task/t1/visibility?visibility=${value}` },
      { body: { r: response } },
    );
const seen = (r: unknown) => ({ body: { r } });
const cancelled = { status: 'cancelled' };

export const examples: RuleExamples = {
  'lifecycle/own-id': {
    good: {
      'one each': buildExchanges().create().create({}, { id: 't2' }),
      'two at once in unknown order': overlapping(),
    },
    bad: {
      'the same': createBadExample(
        buildExchanges().create().create({ task: 'Another' }),
        /Two new tasks have the id "t1"/,
        1,
        2,
      ),
    },
  },
  'lifecycle/known': {
    good: {
      'it is there': buildExchanges().create().poll(0).get('/task/t1/visibility', seen(false)),
      'another one is not': buildExchanges().create().get('/task/t2', MISSING),
      'its data are gone': buildExchanges()
        .create()
        .complete(0)
        .addExchange({ method: 'DELETE', path: '/task/t1/data' }, seen(true))
        .get('/task/t1', MISSING),
      'long ago': buildExchanges().create().complete(0).wait(600_000).get('/task/t1', MISSING),
    },
    bad: {
      'a poll': createBadExample(
        buildExchanges().create().get('/task/t1', MISSING),
        /GET \/task\/\{task_id\} got 404 for the task "t1", which exchange 1/,
        1,
        2,
      ),
      'its visibility': createBadExample(
        buildExchanges().create().poll(0).get('/task/t1/visibility', MISSING),
        /visibility got 404/,
        2,
        3,
      ),
      'once it is over': createBadExample(
        buildExchanges().create().complete(0).get('/task/t1', MISSING),
        /which exchange 2/,
        2,
        3,
      ),
    },
    open: {
      'exchanges are missing': leaveUndecided('a poll', markMissingBefore(2), /exchanges next to 2/),
      'a body is not recorded': leaveUndecided('a poll', insertUnreadEvent(1), /exchange 2 is not recorded/),
    },
  },
  'lifecycle/live-url': {
    good: {
      'from the start': buildExchanges().create().poll(0),
      late: buildExchanges().create({}, { live_url: null }).poll(0, { live_url: null }).poll(0),
      'of no use any more': buildExchanges().createSession().close().poll(0, { live_url: null }),
      'a short task': buildExchanges().create({}, { live_url: null }).poll(0, { live_url: null }).complete(0),
    },
    bad: {
      'gone again': createBadExample(
        buildExchanges().create().poll(0, { live_url: null }),
        /has null for its live_url, which exchange 1 did show/,
        1,
        2,
      ),
      'left out': createBadExample(
        buildExchanges().create().poll(0, { live_url: undefined }),
        /has nothing for its live_url/,
        1,
        2,
      ),
      never: createBadExample(never(), /was running for \d+ ms never had a live_url/, 1, 2, 5),
    },
    open: {
      'a response is not recorded': leaveUndecided(
        'never',
        insertUnreadPoll(2),
        /exchange 3 is not recorded/,
      ),
      'a body is not recorded': leaveUndecided(
        'gone again',
        insertUnreadEvent(1),
        /exchange 2 is not recorded/,
      ),
    },
  },
  'lifecycle/end-stays': {
    good: {
      'the same': buildExchanges().create().complete(0).complete(0),
      'responses that overtook each other': overtaking(),
    },
    bad: {
      'it runs again': createBadExample(
        buildExchanges().create().complete(0).poll(0),
        /was "done" in the response to exchange 2 and is "running"/,
        2,
        3,
      ),
      'another end': createBadExample(
        buildExchanges().create().complete(0).complete(0, { status: 'failed' }),
        /and is "failed"/,
        2,
        3,
      ),
    },
  },
  'lifecycle/output-stays': {
    good: {
      'the same': buildExchanges().create().complete(0).complete(0),
      'it comes a little later': buildExchanges()
        .create()
        .complete(0, { output: null })
        .complete(0)
        .complete(0),
    },
    bad: {
      'another one': createBadExample(
        buildExchanges().create().complete(0).complete(0, { output: 'Else' }),
        /changed to "Else" after exchange 2/,
        2,
        3,
      ),
      'gone again': createBadExample(
        buildExchanges().create().complete(0).complete(0, { output: null }),
        /changed to null/,
        2,
        3,
      ),
    },
    open: {
      'exchanges are missing': leaveUndecided('gone again', markMissingBefore(3), /exchanges next to 3/),
    },
  },
  'lifecycle/visibility': {
    good: {
      'as it was set': visibility(true).get('/task/t1/visibility', seen(true)),
      'set again': visibility(true)
        .addExchange({ method: 'POST', path: '/task/t1/visibility?visibility=false' }, seen(true))
        .get('/task/t1/visibility', seen(false)),
      'never set': buildExchanges().create().get('/task/t1/visibility', seen(true)),
      'its data are gone': visibility(true)
        .complete(0)
        .addExchange({ method: 'DELETE', path: '/task/t1/data' }, seen(true))
        .get('/task/t1/visibility', seen(false)),
    },
    bad: {
      forgotten: createBadExample(
        visibility(true).get('/task/t1/visibility', seen(false)),
        /was set to true and is read as false/,
        2,
        3,
      ),
    },
    open: {
      'exchanges are missing': leaveUndecided('forgotten', markMissingBefore(3), /exchanges next to 3/),
      'another client takes part': leaveUndecided('forgotten', changeClient(3), /another client/),
    },
  },
  'stops/cancelled': {
    good: {
      'at once': buildExchanges().create().poll(0).stop().complete(0, cancelled),
      'a little later': buildExchanges().create().stop().poll(0).complete(0, cancelled),
      'it was over a moment before': buildExchanges().create().stop().complete(0),
      'it was over before': buildExchanges().create().complete(0).stop().complete(0),
      'refused as over': buildExchanges().create().stop(MISSING).complete(0),
      'all of it deleted': buildExchanges()
        .create()
        .stop()
        .addExchange({ method: 'DELETE', path: '/task/t1/data' }, { body: { r: true } })
        .get('/task/t1', MISSING),
    },
    bad: {
      'it runs on': createBadExample(
        buildExchanges().create().stop().poll(0).wait(5000).poll(0),
        /stopped by DELETE and is "running" 6005 ms later/,
        2,
        3,
        4,
      ),
      'it runs on to its end': createBadExample(
        buildExchanges().create().stop().poll(0).complete(0),
        /is "done": it has to be "cancelled"/,
        2,
        3,
        4,
      ),
      'a session is done': createBadExample(
        buildExchanges().createSession().poll(0).stop().complete(0),
        /is "done"/,
        3,
        4,
      ),
      'it fails where it waited': createBadExample(
        buildExchanges()
          .createWithTool()
          .poll(0, { events: [createCallEvent('c1', 1)] })
          .stop()
          .complete(0, { status: 'failed', events: [createCallEvent('c1', 1)] }),
        /is "failed"/,
        3,
        4,
      ),
      'it is gone': createBadExample(
        buildExchanges().create().stop().get('/task/t1', MISSING),
        /is not to be found any more/,
        2,
        3,
      ),
    },
    open: {
      'a body is not recorded': leaveUndecided(
        'a session is done',
        insertUnreadEvent(2),
        /exchange 3 is not recorded/,
      ),
    },
  },
  'stops/accepted': {
    good: {
      taken: buildExchanges().create().stop().complete(0, cancelled),
      'it was over a moment before': buildExchanges().create().stop(MISSING).complete(0),
      'no right to do it': buildExchanges()
        .create()
        .stop({ status: 403, body: { detail: 'no' } })
        .poll(0),
    },
    bad: {
      'refused by a running task': createBadExample(
        buildExchanges().create().stop(MISSING).poll(0),
        /got 404, and the task is still "running"/,
        2,
        3,
      ),
    },
  },
};

function never() {
  const late = { live_url: null };
  return buildExchanges()
    .create({}, late)
    .poll(0, late)
    .wait(30_000)
    .poll(0, late)
    .poll(0, late)
    .wait(30_000)
    .poll(0, late);
}

function overlapping() {
  const both = buildExchanges().create().create();
  both.exchanges[1]!.request.at = both.exchanges[0]!.request.at;
  return both;
}

/** The first poll gets its response last, with the state of its start. */
function overtaking() {
  const talked = buildExchanges().create().poll(0, { live_url: LIVE }).complete(0);
  talked.exchanges[1]!.response!.at = talked.exchanges[2]!.response!.at + 10;
  return talked;
}

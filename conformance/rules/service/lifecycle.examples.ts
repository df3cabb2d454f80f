import type { Examples } from '../../../test/support/rules/example.js';
import {
  anotherClient,
  missingBefore,
  undecided,
  unreadEvent,
  unreadPoll,
} from '../../../test/support/rules/open.js';
import { bad, called, LIVE, MISSING, talk } from '../../../test/support/rules/service-talk.js';

const visibility = (value: boolean, answer: unknown = value) =>
  talk()
    .create()
    .ask({ method: 'POST', path: `/task/t1/visibility?visibility=${value}` }, { body: { r: answer } });
const seen = (r: unknown) => ({ body: { r } });
const cancelled = { status: 'cancelled' };

export const examples: Examples = {
  'lifecycle/own-id': {
    good: {
      'one each': talk().create().create({}, { id: 't2' }),
      'two at once in unknown order': overlapping(),
    },
    bad: {
      'the same': bad(talk().create().create({ task: 'Another' }), /Two new tasks have the id "t1"/, 1, 2),
    },
  },
  'lifecycle/known': {
    good: {
      'it is there': talk().create().poll(0).get('/task/t1/visibility', seen(false)),
      'another one is not': talk().create().get('/task/t2', MISSING),
      'its data are gone': talk()
        .create()
        .end(0)
        .ask({ method: 'DELETE', path: '/task/t1/data' }, seen(true))
        .get('/task/t1', MISSING),
      'long ago': talk().create().end(0).wait(600_000).get('/task/t1', MISSING),
    },
    bad: {
      'a poll': bad(
        talk().create().get('/task/t1', MISSING),
        /GET \/task\/\{task_id\} got 404 for the task "t1", which exchange 1/,
        1,
        2,
      ),
      'its visibility': bad(
        talk().create().poll(0).get('/task/t1/visibility', MISSING),
        /visibility got 404/,
        2,
        3,
      ),
      'once it is over': bad(talk().create().end(0).get('/task/t1', MISSING), /which exchange 2/, 2, 3),
    },
    open: {
      'exchanges are missing': undecided('a poll', missingBefore(2), /exchanges next to 2/),
      'a body is not recorded': undecided('a poll', unreadEvent(1), /exchange 2 is not recorded/),
    },
  },
  'lifecycle/live-url': {
    good: {
      'from the start': talk().create().poll(0),
      late: talk().create({}, { live_url: null }).poll(0, { live_url: null }).poll(0),
      'of no use any more': talk().session().close().poll(0, { live_url: null }),
      'a short task': talk().create({}, { live_url: null }).poll(0, { live_url: null }).end(0),
    },
    bad: {
      'gone again': bad(
        talk().create().poll(0, { live_url: null }),
        /has null for its live_url, which exchange 1 did show/,
        1,
        2,
      ),
      'left out': bad(talk().create().poll(0, { live_url: undefined }), /has nothing for its live_url/, 1, 2),
      never: bad(never(), /was running for \d+ ms never had a live_url/, 1, 2, 5),
    },
    open: {
      'a response is not recorded': undecided('never', unreadPoll(2), /exchange 3 is not recorded/),
      'a body is not recorded': undecided('gone again', unreadEvent(1), /exchange 2 is not recorded/),
    },
  },
  'lifecycle/end-stays': {
    good: {
      'the same': talk().create().end(0).end(0),
      'answers that overtook each other': overtaking(),
    },
    bad: {
      'it runs again': bad(
        talk().create().end(0).poll(0),
        /was "done" in the response to exchange 2 and is "running"/,
        2,
        3,
      ),
      'another end': bad(talk().create().end(0).end(0, { status: 'failed' }), /and is "failed"/, 2, 3),
    },
  },
  'lifecycle/output-stays': {
    good: {
      'the same': talk().create().end(0).end(0),
      'it comes a little later': talk().create().end(0, { output: null }).end(0).end(0),
    },
    bad: {
      'another one': bad(
        talk().create().end(0).end(0, { output: 'Else' }),
        /changed to "Else" after exchange 2/,
        2,
        3,
      ),
      'gone again': bad(talk().create().end(0).end(0, { output: null }), /changed to null/, 2, 3),
    },
    open: {
      'exchanges are missing': undecided('gone again', missingBefore(3), /exchanges next to 3/),
    },
  },
  'lifecycle/visibility': {
    good: {
      'as it was set': visibility(true).get('/task/t1/visibility', seen(true)),
      'set again': visibility(true)
        .ask({ method: 'POST', path: '/task/t1/visibility?visibility=false' }, seen(true))
        .get('/task/t1/visibility', seen(false)),
      'never set': talk().create().get('/task/t1/visibility', seen(true)),
    },
    bad: {
      forgotten: bad(
        visibility(true).get('/task/t1/visibility', seen(false)),
        /was set to true and is read as false/,
        2,
        3,
      ),
    },
    open: {
      'exchanges are missing': undecided('forgotten', missingBefore(3), /exchanges next to 3/),
      'another client takes part': undecided('forgotten', anotherClient(3), /another client/),
    },
  },
  'stops/cancelled': {
    good: {
      'at once': talk().create().poll(0).stop().end(0, cancelled),
      'a little later': talk().create().stop().poll(0).end(0, cancelled),
      'it was over a moment before': talk().create().stop().end(0),
      'it was over before': talk().create().end(0).stop().end(0),
      'refused as over': talk().create().stop(MISSING).end(0),
      'all of it deleted': talk()
        .create()
        .stop()
        .ask({ method: 'DELETE', path: '/task/t1/data' }, { body: { r: true } })
        .get('/task/t1', MISSING),
    },
    bad: {
      'it runs on': bad(
        talk().create().stop().poll(0).wait(5000).poll(0),
        /stopped by DELETE and is "running" 6005 ms later/,
        2,
        3,
        4,
      ),
      'it runs on to its end': bad(
        talk().create().stop().poll(0).end(0),
        /is "done": it has to be "cancelled"/,
        2,
        3,
        4,
      ),
      'a session is done': bad(talk().session().poll(0).stop().end(0), /is "done"/, 3, 4),
      'it fails where it waited': bad(
        talk()
          .withTool()
          .poll(0, { events: [called('c1', 1)] })
          .stop()
          .end(0, { status: 'failed', events: [called('c1', 1)] }),
        /is "failed"/,
        3,
        4,
      ),
      'it is gone': bad(talk().create().stop().get('/task/t1', MISSING), /is not to be found any more/, 2, 3),
    },
    open: {
      'a body is not recorded': undecided('a session is done', unreadEvent(2), /exchange 3 is not recorded/),
    },
  },
  'stops/taken': {
    good: {
      taken: talk().create().stop().end(0, cancelled),
      'it was over a moment before': talk().create().stop(MISSING).end(0),
      'no right to do it': talk()
        .create()
        .stop({ status: 403, body: { detail: 'no' } })
        .poll(0),
    },
    bad: {
      'refused by a running task': bad(
        talk().create().stop(MISSING).poll(0),
        /got 404, and the task goes on as "running"/,
        2,
        3,
      ),
    },
  },
};

function never() {
  const late = { live_url: null };
  return talk()
    .create({}, late)
    .poll(0, late)
    .wait(30_000)
    .poll(0, late)
    .poll(0, late)
    .wait(30_000)
    .poll(0, late);
}

function overlapping() {
  const both = talk().create().create();
  both.exchanges[1]!.request.at = both.exchanges[0]!.request.at;
  return both;
}

/** The poll that was asked first is answered last, with what held then. */
function overtaking() {
  const talked = talk().create().poll(0, { live_url: LIVE }).end(0);
  talked.exchanges[1]!.response!.at = talked.exchanges[2]!.response!.at + 10;
  return talked;
}

import type { Examples } from '../../../test/support/rules/example.js';
import { bad, called, MISSING, talk } from '../../../test/support/rules/service-talk.js';

const cancelled = { status: 'cancelled' };

export const examples: Examples = {
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
        /answered with 404, and the task goes on as "running"/,
        2,
        3,
      ),
    },
  },
};

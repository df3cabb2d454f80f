import type { Examples } from '../example.js';
import { bad, called, MISSING, talk } from './service-talk.js';

const cancelled = { status: 'cancelled' };
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `t${from + n}`, status: 'done' }));
const list = (query: string, count: number) => talk().get(`/task${query}`, { body: { r: many(0, count) } });

/** For the rules about stopping tasks and listing them. */
export const stopExamples: Examples = {
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
  'lists/limit': {
    good: {
      'full, and there are more': list('', 32).get('/task?l=2', { body: { r: many(0, 2) } }),
      'fewer there are': list('?l=5', 2),
      'as many as are allowed': list('?l=128', 128),
    },
    bad: {
      'more than asked for': bad(list('?l=1', 2), /with l=1 was answered with 2 tasks/, 1),
      'more than usual': bad(
        list('', 33),
        /without l was answered with 33 tasks: it has to be at most 32/,
        1,
      ),
    },
  },
  'lists/once': {
    good: { 'each once': list('', 3) },
    bad: {
      'one twice': bad(
        talk().get('/task', { body: { r: [...many(0, 2), ...many(1, 1)] } }),
        /names "t1" twice/,
        1,
      ),
    },
  },
  'lists/status': {
    good: {
      'as it is': talk()
        .create()
        .end(0)
        .get('/task', { body: { r: many(1, 1) } }),
      'as it was': talk()
        .create()
        .get('/task', { body: { r: [{ id: 't1', status: 'running', output: null }] } })
        .end(0),
    },
    bad: {
      'it still runs': bad(
        talk()
          .create()
          .end(0)
          .get('/task', { body: { r: [{ id: 't1', status: 'running', output: null }] } }),
        /"t1" is listed as "running" after exchange 2 had shown that it is "done"/,
        2,
        3,
      ),
    },
  },
};

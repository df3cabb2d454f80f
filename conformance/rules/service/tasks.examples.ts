import type { Examples } from '../../../test/support/rules/example.js';
import { bad, LIVE, MISSING, talk } from '../../../test/support/rules/service-talk.js';

const DONE = { id: 't1', status: 'done', output: null, recording_url: null, credits_used: 1, events: [] };
const polled = (r: unknown, status = 200) => talk().create().get('/task/t1', { status, body: { r } });
const listed = (...r: unknown[]) => talk().get('/task', { body: { r } });
const created = (r: unknown) =>
  talk().ask({ method: 'POST', path: '/task', body: { task: 'x' } }, { body: { r } });
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `t${from + n}`, status: 'done' }));
const list = (query: string, count: number) => talk().get(`/task${query}`, { body: { r: many(0, count) } });

export const examples: Examples = {
  'tasks/status': {
    good: { 'each of the five': talk().create().poll(0, { status: 'waiting' }).poll(0).end(0) },
    bad: {
      'another word': bad(
        talk().create().poll(0, { status: 'completed' }),
        /has the status "completed": it is one of waiting/,
        2,
      ),
      none: bad(polled({ id: 't1', output: null }, 202), /has the status nothing/, 2),
      'another word in a list': bad(
        listed({ id: 'a', status: 'DONE' }),
        /The listed task "a" has the status "DONE"/,
        1,
      ),
    },
  },
  'tasks/id': {
    good: {
      'the one that was asked for': talk().create().poll(0),
      'in a list': listed({ id: 'a', status: 'done' }),
    },
    bad: {
      'another one': bad(talk().create().poll(0, { id: 't2' }), /for the task "t1" holds the task "t2"/, 2),
      'a number': bad(talk().create().poll(0, { id: 7 }), /has 7 for its id/, 2),
      'none in a list': bad(listed({ status: 'done' }), /The listed task nothing has nothing for its id/, 1),
    },
  },
  'tasks/output-while-active': {
    good: {
      null: talk().create().poll(0).end(0),
      'not there at all': polled({ id: 't1', status: 'running', live_url: LIVE }, 202),
    },
    bad: {
      early: bad(talk().create().poll(0, { output: 'Half' }), /is running and has the output "Half"/, 2),
      'an empty text': bad(talk().create().poll(0, { output: '' }), /has the output ""/, 2),
    },
  },
  'tasks/credits-used': {
    good: {
      'an integer': talk().create().end(0),
      'of a task that failed': polled({ id: 't1', status: 'failed' }),
    },
    bad: {
      none: bad(talk().create().end(0, { credits_used: null }), /has null for its credits_used/, 2),
      'a text': bad(talk().create().end(0, { credits_used: '3' }), /has "3"/, 2),
      'a fraction while it runs': bad(
        talk().create().poll(0, { credits_used: 0.5 }),
        /"running" and has 0\.5/,
        2,
      ),
      'a text in a list': bad(
        listed({ id: 'a', status: 'done', credits_used: '3' }),
        /The listed task "a" is "done" and has "3" for its credits_used/,
        1,
      ),
      'a text in a new task': bad(
        talk().create({}, { credits_used: '0' }),
        /has "0" for its credits_used/,
        1,
      ),
    },
  },
  'tasks/live-address': {
    good: {
      'an address': talk().create().poll(0).end(0),
      'none yet': talk().create({}, { live_url: null }),
      'none in a list': listed({ id: 'a', status: 'done' }, { id: 'b', status: 'done', live_url: '' }),
    },
    bad: {
      'a number': bad(talk().create({}, { live_url: 7 }), /has 7 for its live_url: it has to be a URL/, 1),
      'no URL': bad(talk().create({}, { live_url: 'live view' }), /has "live view" for its live_url/, 1),
      'when it is over': bad(talk().create().end(0, { live_url: true }), /has true for its live_url/, 2),
      'in a list': bad(
        listed({ id: 'a', status: 'running', live_url: 'a/live' }),
        /The listed task "a" has "a\/live" for its live_url/,
        1,
      ),
    },
  },
  'tasks/recording-address': {
    good: {
      'an address': talk().create().end(0, { recording_url: 'https://recordings.example/t1' }),
      'there is none': talk().create().end(0, { recording_url: '' }),
    },
    bad: {
      'a boolean': bad(talk().create().end(0, { recording_url: true }), /has true for its recording_url/, 2),
      'no URL': bad(talk().create().end(0, { recording_url: 'not a url' }), /has "not a url" for/, 2),
      'a path': bad(talk().create().end(0, { recording_url: '/recordings/t1' }), /has "\/recordings\/t1"/, 2),
      'while it runs': bad(
        talk().create().poll(0, { recording_url: {} }),
        /has \{\} for its recording_url/,
        2,
      ),
      'of a new task': bad(talk().create({}, { recording_url: false }), /has false for its recording_url/, 1),
      'in a list': bad(
        listed({ id: 'a', status: 'done', recording_url: 5 }),
        /The listed task "a" has 5 for its recording_url/,
        1,
      ),
    },
  },
  'outputs/kind': {
    good: {
      'a text': talk().create().end(0),
      'structured data': talk()
        .create()
        .end(0, { output: { city: 'Rome' } }),
      nothing: talk().create().end(0, { output: null }),
      'a number that was asked for': talk()
        .create({ task: 'x', response_model: { type: 'integer' } })
        .end(0, { output: 7 })
        .get('/task', { body: { r: [{ ...DONE, output: 7, recording_url: LIVE }] } }),
    },
    bad: {
      'a number': bad(
        talk().create().end(0, { output: 7 }),
        /The task "t1" has the output 7: it has to be text, structured data or null/,
        2,
      ),
      'a boolean in a list': bad(
        talk()
          .create()
          .get('/task', { body: { r: [{ ...DONE, output: true }] } }),
        /The listed task "t1" has the output true/,
        2,
      ),
    },
  },
  'tasks/created': {
    good: {
      whole: talk().create(),
      'its address comes later': talk().create({}, { live_url: null }),
      'it waits': created({ id: 't1', status: 'waiting' }),
      'it was refused': talk().ask({ method: 'POST', path: '/task', body: {} }, MISSING),
    },
    bad: {
      'no id': bad(
        created({ task_id: 't1', status: 'running', live_url: null }),
        /hold its id.*"task_id":"t1"/,
        1,
      ),
      'no status': bad(created({ id: 't1', live_url: null }), /and \{"id":"t1","live_url":null\} came/, 1),
      'no live address': bad(
        created({ id: 't1', status: 'running' }),
        /and \{"id":"t1","status":"running"\} came/,
        1,
      ),
      'no task': bad(created('t1'), /and "t1" came/, 1),
    },
  },
  'tasks/first-status': {
    good: {
      running: talk().create(),
      waiting: talk().create({}, { status: 'waiting' }),
      'it failed at once': talk().create({}, { status: 'failed' }),
    },
    bad: { done: bad(talk().create({}, { status: 'done' }), /A new task has the status "done"/, 1) },
  },
  'tasks/http-status': {
    good: { 'as it stands': talk().create().poll(0, { status: 'waiting' }).poll(0).end(0) },
    bad: {
      '200 while it runs': bad(
        polled({ id: 't1', status: 'running', live_url: LIVE }),
        /"running" got 200: it has to be 202/,
        2,
      ),
      '202 when it is over': bad(polled(DONE, 202), /"done" got 202: it has to be 200/, 2),
      '201': bad(polled({ id: 't1', status: 'waiting' }, 201), /has to be 202/, 2),
    },
  },
  'lists/limit': {
    good: {
      'full, and there are more': list('', 32).get('/task?l=2', { body: { r: many(0, 2) } }),
      'fewer there are': list('?l=5', 2),
      'as many as are allowed': list('?l=128', 128),
    },
    bad: {
      'more than asked for': bad(list('?l=1', 2), /with l=1 lists 2 tasks/, 1),
      'more than usual': bad(list('', 33), /without l lists 33 tasks: it has to be at most 32/, 1),
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
        .get('/task', { body: { r: [{ ...DONE, recording_url: LIVE }] } }),
      'as it was': talk()
        .create()
        .get('/task', { body: { r: [{ id: 't1', status: 'running', output: null, live_url: LIVE }] } })
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
  'lists/fields': {
    good: {
      'as it is': talk()
        .create()
        .get('/task', { body: { r: [{ id: 't1', status: 'running', live_url: LIVE }] } }),
      'a cost that no poll has shown': listed({ id: 'a', status: 'done' }),
      'what was deleted': talk()
        .create()
        .end(0)
        .ask({ method: 'DELETE', path: '/task/t1/data' }, { body: { r: true } })
        .get('/task', { body: { r: many(1, 1) } }),
      'a session that is closing': talk()
        .session()
        .close()
        .get('/task', { body: { r: [{ id: 't1', status: 'running', live_url: null }] } }),
      'it was never there': talk()
        .create({}, { live_url: null })
        .get('/task', { body: { r: [{ id: 't1', status: 'running' }] } }),
    },
    bad: {
      'without its address': bad(
        talk()
          .create()
          .get('/task', { body: { r: [{ id: 't1', status: 'running' }] } }),
        /"t1" is "running" and has nothing for its live_url, which exchange 1 has shown/,
        1,
        2,
      ),
      'without its cost': bad(
        talk()
          .create()
          .end(0)
          .get('/task', { body: { r: [{ ...DONE, credits_used: null, recording_url: LIVE }] } }),
        /"t1" is "done" and has null for its credits_used, which exchange 2 has shown/,
        2,
        3,
      ),
    },
  },
};

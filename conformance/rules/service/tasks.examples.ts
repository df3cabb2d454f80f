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
        /"running" has 0\.5/,
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

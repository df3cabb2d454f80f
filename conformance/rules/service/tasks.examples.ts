import type { RuleExamples } from '../../../test/support/rules/example.js';
import {
  buildExchanges,
  createBadExample,
  LIVE,
  MISSING,
} from '../../../test/support/rules/service-exchange-builder.js';

const DONE = { id: 't1', status: 'done', output: null, recording_url: null, credits_used: 1, events: [] };
const polled = (r: unknown, status = 200) =>
  buildExchanges().create().get('/task/t1', { status, body: { r } });
const listed = (...r: unknown[]) => buildExchanges().get('/task', { body: { r } });
const created = (r: unknown) =>
  buildExchanges().addExchange({ method: 'POST', path: '/task', body: { task: 'x' } }, { body: { r } });
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `t${from + n}`, status: 'done' }));
const list = (query: string, count: number) =>
  buildExchanges().get(`/task${query}`, { body: { r: many(0, count) } });

export const examples: RuleExamples = {
  'tasks/status': {
    good: {
      'each of the five': buildExchanges().create().poll(0, { status: 'waiting' }).poll(0).complete(0),
    },
    bad: {
      'another word': createBadExample(
        buildExchanges().create().poll(0, { status: 'completed' }),
        /has the status "completed": it is one of waiting/,
        2,
      ),
      none: createBadExample(polled({ id: 't1', output: null }, 202), /has the status nothing/, 2),
      'another word in a list': createBadExample(
        listed({ id: 'a', status: 'DONE' }),
        /The listed task "a" has the status "DONE"/,
        1,
      ),
    },
  },
  'tasks/id': {
    good: {
      'the one that was asked for': buildExchanges().create().poll(0),
      'in a list': listed({ id: 'a', status: 'done' }),
    },
    bad: {
      'another one': createBadExample(
        buildExchanges().create().poll(0, { id: 't2' }),
        /for the task "t1" holds the task "t2"/,
        2,
      ),
      'a number': createBadExample(buildExchanges().create().poll(0, { id: 7 }), /has 7 for its id/, 2),
      'none in a list': createBadExample(
        listed({ status: 'done' }),
        /The listed task nothing has nothing for its id/,
        1,
      ),
    },
  },
  'tasks/output-while-active': {
    good: {
      null: buildExchanges().create().poll(0).complete(0),
      'not there at all': polled({ id: 't1', status: 'running', live_url: LIVE }, 202),
    },
    bad: {
      early: createBadExample(
        buildExchanges().create().poll(0, { output: 'Half' }),
        /is running and has the output "Half"/,
        2,
      ),
      'an empty text': createBadExample(
        buildExchanges().create().poll(0, { output: '' }),
        /has the output ""/,
        2,
      ),
    },
  },
  'tasks/credits-used': {
    good: {
      'an integer': buildExchanges().create().complete(0),
      'of a task that failed': polled({ id: 't1', status: 'failed' }),
    },
    bad: {
      none: createBadExample(
        buildExchanges().create().complete(0, { credits_used: null }),
        /has null for its credits_used/,
        2,
      ),
      'a text': createBadExample(buildExchanges().create().complete(0, { credits_used: '3' }), /has "3"/, 2),
      'a fraction while it runs': createBadExample(
        buildExchanges().create().poll(0, { credits_used: 0.5 }),
        /"running" and has 0\.5/,
        2,
      ),
      'a text in a list': createBadExample(
        listed({ id: 'a', status: 'done', credits_used: '3' }),
        /The listed task "a" is "done" and has "3" for its credits_used/,
        1,
      ),
      'a text in a new task': createBadExample(
        buildExchanges().create({}, { credits_used: '0' }),
        /has "0" for its credits_used/,
        1,
      ),
    },
  },
  'tasks/live-address': {
    good: {
      'an address': buildExchanges().create().poll(0).complete(0),
      'none yet': buildExchanges().create({}, { live_url: null }),
      'none in a list': listed({ id: 'a', status: 'done' }, { id: 'b', status: 'done', live_url: '' }),
    },
    bad: {
      'a number': createBadExample(
        buildExchanges().create({}, { live_url: 7 }),
        /has 7 for its live_url: it has to be a URL/,
        1,
      ),
      'no URL': createBadExample(
        buildExchanges().create({}, { live_url: 'live view' }),
        /has "live view" for its live_url/,
        1,
      ),
      'when it is over': createBadExample(
        buildExchanges().create().complete(0, { live_url: true }),
        /has true for its live_url/,
        2,
      ),
      'in a list': createBadExample(
        listed({ id: 'a', status: 'running', live_url: 'a/live' }),
        /The listed task "a" has "a\/live" for its live_url/,
        1,
      ),
    },
  },
  'tasks/recording-address': {
    good: {
      'an address': buildExchanges().create().complete(0, { recording_url: 'https://recordings.example/t1' }),
      'there is none': buildExchanges().create().complete(0, { recording_url: '' }),
    },
    bad: {
      'a boolean': createBadExample(
        buildExchanges().create().complete(0, { recording_url: true }),
        /has true for its recording_url/,
        2,
      ),
      'no URL': createBadExample(
        buildExchanges().create().complete(0, { recording_url: 'not a url' }),
        /has "not a url" for/,
        2,
      ),
      'a path': createBadExample(
        buildExchanges().create().complete(0, { recording_url: '/recordings/t1' }),
        /has "\/recordings\/t1"/,
        2,
      ),
      'while it runs': createBadExample(
        buildExchanges().create().poll(0, { recording_url: {} }),
        /has \{\} for its recording_url/,
        2,
      ),
      'of a new task': createBadExample(
        buildExchanges().create({}, { recording_url: false }),
        /has false for its recording_url/,
        1,
      ),
      'in a list': createBadExample(
        listed({ id: 'a', status: 'done', recording_url: 5 }),
        /The listed task "a" has 5 for its recording_url/,
        1,
      ),
    },
  },
  'outputs/kind': {
    good: {
      'a text': buildExchanges().create().complete(0),
      'structured data': buildExchanges()
        .create()
        .complete(0, { output: { city: 'Rome' } }),
      nothing: buildExchanges().create().complete(0, { output: null }),
      'a number that was asked for': buildExchanges()
        .create({ task: 'x', response_model: { type: 'integer' } })
        .complete(0, { output: 7 })
        .get('/task', { body: { r: [{ ...DONE, output: 7, recording_url: LIVE }] } }),
    },
    bad: {
      'a number': createBadExample(
        buildExchanges().create().complete(0, { output: 7 }),
        /The task "t1" has the output 7: it has to be text, structured data or null/,
        2,
      ),
      'a boolean in a list': createBadExample(
        buildExchanges()
          .create()
          .get('/task', { body: { r: [{ ...DONE, output: true }] } }),
        /The listed task "t1" has the output true/,
        2,
      ),
    },
  },
  'tasks/created': {
    good: {
      whole: buildExchanges().create(),
      'its address comes later': buildExchanges().create({}, { live_url: null }),
      'it waits': created({ id: 't1', status: 'waiting' }),
      'it was refused': buildExchanges().addExchange({ method: 'POST', path: '/task', body: {} }, MISSING),
    },
    bad: {
      'no id': createBadExample(
        created({ task_id: 't1', status: 'running', live_url: null }),
        /hold its id.*"task_id":"t1"/,
        1,
      ),
      'no status': createBadExample(
        created({ id: 't1', live_url: null }),
        /but "r" is \{"id":"t1","live_url":null\}/,
        1,
      ),
      'no live address': createBadExample(
        created({ id: 't1', status: 'running' }),
        /but "r" is \{"id":"t1","status":"running"\}/,
        1,
      ),
      'no task': createBadExample(created('t1'), /but "r" is "t1"/, 1),
    },
  },
  'tasks/first-status': {
    good: {
      running: buildExchanges().create(),
      waiting: buildExchanges().create({}, { status: 'waiting' }),
      'it failed at once': buildExchanges().create({}, { status: 'failed' }),
    },
    bad: {
      done: createBadExample(
        buildExchanges().create({}, { status: 'done' }),
        /A new task has the status "done"/,
        1,
      ),
    },
  },
  'tasks/http-status': {
    good: { 'as it stands': buildExchanges().create().poll(0, { status: 'waiting' }).poll(0).complete(0) },
    bad: {
      '200 while it runs': createBadExample(
        polled({ id: 't1', status: 'running', live_url: LIVE }),
        /"running" got 200: it has to be 202/,
        2,
      ),
      '202 when it is over': createBadExample(polled(DONE, 202), /"done" got 202: it has to be 200/, 2),
      '201': createBadExample(polled({ id: 't1', status: 'waiting' }, 201), /has to be 202/, 2),
    },
  },
  'lists/limit': {
    good: {
      'full, and there are more': list('', 32).get('/task?l=2', { body: { r: many(0, 2) } }),
      'fewer there are': list('?l=5', 2),
      'as many as are allowed': list('?l=128', 128),
    },
    bad: {
      'more than asked for': createBadExample(list('?l=1', 2), /with l=1 lists 2 tasks/, 1),
      'more than usual': createBadExample(
        list('', 33),
        /without l lists 33 tasks: it has to be at most 32/,
        1,
      ),
    },
  },
  'lists/once': {
    good: { 'each once': list('', 3) },
    bad: {
      'one twice': createBadExample(
        buildExchanges().get('/task', { body: { r: [...many(0, 2), ...many(1, 1)] } }),
        /names "t1" twice/,
        1,
      ),
    },
  },
  'lists/status': {
    good: {
      'as it is': buildExchanges()
        .create()
        .complete(0)
        .get('/task', { body: { r: [{ ...DONE, recording_url: LIVE }] } }),
      'as it was': buildExchanges()
        .create()
        .get('/task', { body: { r: [{ id: 't1', status: 'running', output: null, live_url: LIVE }] } })
        .complete(0),
      'as it was a moment ago': buildExchanges()
        .create()
        .complete(0)
        .get('/task', { body: { r: [{ id: 't1', status: 'running', output: null, live_url: LIVE }] } }),
    },
    bad: {
      'it still runs': createBadExample(
        buildExchanges()
          .create()
          .complete(0)
          .wait(5000)
          .get('/task', { body: { r: [{ id: 't1', status: 'running', output: null }] } }),
        /"t1" is listed as "running" after exchange 2 had shown that it is "done"/,
        2,
        3,
      ),
    },
  },
  'lists/fields': {
    good: {
      'as it is': buildExchanges()
        .create()
        .get('/task', { body: { r: [{ id: 't1', status: 'running', live_url: LIVE }] } }),
      'a cost that no poll has shown': listed({ id: 'a', status: 'done' }),
      'what was deleted': buildExchanges()
        .create()
        .complete(0)
        .addExchange({ method: 'DELETE', path: '/task/t1/data' }, { body: { r: true } })
        .get('/task', { body: { r: many(1, 1) } }),
      'a session that is closing': buildExchanges()
        .createSession()
        .close()
        .get('/task', { body: { r: [{ id: 't1', status: 'running', live_url: null }] } }),
      'it was never there': buildExchanges()
        .create({}, { live_url: null })
        .get('/task', { body: { r: [{ id: 't1', status: 'running' }] } }),
    },
    bad: {
      'without its address': createBadExample(
        buildExchanges()
          .create()
          .get('/task', { body: { r: [{ id: 't1', status: 'running' }] } }),
        /"t1" is "running" and has nothing for its live_url, which exchange 1 has shown/,
        1,
        2,
      ),
      'without its cost': createBadExample(
        buildExchanges()
          .create()
          .complete(0)
          .get('/task', { body: { r: [{ ...DONE, credits_used: null, recording_url: LIVE }] } }),
        /"t1" is "done" and has null for its credits_used, which exchange 2 has shown/,
        2,
        3,
      ),
    },
  },
};

import type { Examples } from '../../../test/support/rules/example.js';
import { bad, talk } from '../../../test/support/rules/service-talk.js';

const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `t${from + n}`, status: 'done' }));
const list = (query: string, count: number) => talk().get(`/task${query}`, { body: { r: many(0, count) } });

export const examples: Examples = {
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

import type { Examples } from '../../../test/support/rules/example.js';
import { bad, talk } from '../../../test/support/rules/service-talk.js';

const model = (output: unknown, response_model: unknown = { type: 'object', required: ['city'] }) =>
  talk().create({ task: 'x', response_model }).end(0, { output });

export const examples: Examples = {
  'outputs/model': {
    good: {
      'it fits': model({ city: 'Rome' }),
      'it failed': talk()
        .create({ task: 'x', response_model: { type: 'object' } })
        .end(0, { status: 'failed', output: null }),
      'a schema nobody can read': model('x', { type: 'nonsense' }),
      'a pattern that might hang its reader': model('a', { type: 'string', pattern: '(?=a)b' }),
    },
    bad: {
      'a part is missing': bad(model({}), /"response_model": .*required property/, 1, 2),
      'a text': bad(model('{"city":"Rome"}'), /must be object/, 1, 2),
      nothing: bad(model(null), /must be object/, 1, 2),
    },
  },
  'outputs/kind': {
    good: {
      'a text': talk().create().end(0),
      'structured data': talk()
        .create()
        .end(0, { output: { city: 'Rome' } }),
      nothing: talk().create().end(0, { output: null }),
      'a number that was asked for': model(7, { type: 'integer' }),
    },
    bad: {
      'a number': bad(
        talk().create().end(0, { output: 7 }),
        /is 7: it has to be text, structured data or null/,
        2,
      ),
    },
  },
};

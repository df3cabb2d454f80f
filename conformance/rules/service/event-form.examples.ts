import type { Examples } from '../../../test/support/rules/example.js';
import { at, bad, called, talk } from '../../../test/support/rules/service-talk.js';

const one = called('c1', 1000);
const read = (...events: unknown[]) => talk().withTool().poll(0, { events });

export const examples: Examples = {
  'events/array': {
    good: {
      'an array': read(),
      'left out where there are none': talk()
        .create()
        .poll(0, { events: null as never }),
    },
    bad: {
      'an object': bad(
        talk()
          .create()
          .poll(0, { events: { c1: one } as never }),
        /have to be an array/,
        2,
      ),
    },
  },
  'events/fields': {
    good: { whole: read(one), 'fields beyond them': read({ ...one, kind: 'x' }) },
    bad: {
      'a number for an id': bad(read({ ...one, id: 1 }), /An event has 1 for its id/, 2),
      'no payload': bad(
        read({ ...one, payload: undefined }),
        /payload of the event "c1" has to be an object, and nothing came/,
        2,
      ),
      'no timestamp': bad(read({ ...one, timestamp: undefined }), /"c1" has no timestamp/, 2),
    },
  },
  'events/name': {
    good: { 'one of the three': read(one) },
    bad: {
      'another one': bad(read({ ...one, name: 'tool_use' }), /"c1" has the name "tool_use": it is one of/, 2),
      none: bad(read({ ...one, name: undefined }), /has the name nothing/, 2),
    },
  },
  'events/timestamp': {
    good: { ms: read(one), 'the clock of a test': read({ ...one, timestamp: 1_500_000_000_000 }) },
    bad: {
      seconds: bad(read({ ...one, timestamp: 1_767_225_601 }), /which looks like seconds/, 2),
      'a counter': bad(read({ ...one, timestamp: 1 }), /which is too small/, 2),
      µs: bad(read({ ...one, timestamp: at(1000) * 1000 }), /too large/, 2),
      'a fraction': bad(read({ ...one, timestamp: at(1000) + 0.5 }), /no integer/, 2),
      'a text': bad(read({ ...one, timestamp: new Date(at(1000)).toISOString() }), /"2026-.*no integer/, 2),
      'another age': bad(read({ ...one, timestamp: 200_000_000_000 }), /decades away/, 2),
    },
  },
};
